"""The network interfaces of this machine: the addresses where others may reach it."""

from __future__ import annotations

import ipaddress
import socket

import ifaddr

# A documentation address, to which nothing is sent; the route to it reveals our usual address.
_ELSEWHERE = ("192.0.2.1", 9)


def own_addresses(listening: str) -> list[str]:
    """Return the addresses where others may reach a listener on `listening`; if that is unspecified, all our addresses.

    The address that leads to most of the world comes first. The list is empty on a machine without a network.
    """
    bound = ipaddress.ip_address(listening)
    if not bound.is_unspecified:
        return [] if bound.is_loopback else [listening]
    found = [address for address in _all_addresses() if bound.version == 6 or address.version == 4]
    first = _usual_address()
    return sorted((str(address) for address in found), key=lambda text: (text != first, ":" in text))


def everywhere() -> str:
    """Return the address to listen on for everybody: of IPv6 only where nothing else reaches this machine."""
    return "::" if own_addresses("::") and not own_addresses("0.0.0.0") else "0.0.0.0"


def is_nearby(host: str) -> bool:
    """Return whether this is an address that only works from the same network."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return False


def _all_addresses() -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """Return the addresses of every interface, except loopback ones and those that need an interface name."""
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
