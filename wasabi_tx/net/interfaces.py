"""The interfaces of this machine: the addresses under which others may reach it."""

from __future__ import annotations

import ipaddress
import socket

import ifaddr

# An address of documentation, to which nothing is sent: the way that it would take shows our usual one.
_ELSEWHERE = ("192.0.2.1", 9)


def own_addresses(listening: str) -> list[str]:
    """Where others may reach what listens on an address of ours: if that is every address, all that lead here.

    The one that leads to most of the world comes first. Nothing at all on a machine without a network.
    """
    bound = ipaddress.ip_address(listening)
    if not bound.is_unspecified:
        return [] if bound.is_loopback else [listening]
    found = [address for address in _all_addresses() if bound.version == 6 or address.version == 4]
    first = _usual_address()
    return sorted((str(address) for address in found), key=lambda text: (text != first, ":" in text))


def _all_addresses() -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """Of every interface, without those of this machine alone and those that need the name of an interface."""
    found: dict[ipaddress.IPv4Address | ipaddress.IPv6Address, None] = {}
    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            address = ipaddress.ip_address(one.ip if isinstance(one.ip, str) else one.ip[0])
            needs_name = address.version == 6 and address.is_link_local
            if not (address.is_loopback or address.is_unspecified or needs_name):
                found[address] = None
    return list(found)


def _usual_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
        except OSError:
            return ""
        return str(probe.getsockname()[0])
