"""IPv4 packets as a router sees them: their flows, and the same packet with another address."""

from __future__ import annotations

import socket
from dataclasses import dataclass

SOURCE, DESTINATION = 12, 16
"""Offsets of the two addresses in a packet."""
_CHECKSUM = 10
_TCP, _UDP = 6, 17
_CHECKSUM_OF = {_TCP: 16, _UDP: 6}


@dataclass(frozen=True, slots=True)
class Flow:
    """A connection, seen from the side that opened it."""

    protocol: int
    near_port: int
    far: bytes
    far_port: int


def is_routed(packet: bytes) -> bool:
    """Return whether this is a whole TCP or UDP packet, and not a fragment."""
    if len(packet) < 28 or packet[0] >> 4 != 4 or packet[9] not in _CHECKSUM_OF:
        return False
    return not int.from_bytes(packet[6:8], "big") & 0x3FFF


def outgoing(packet: bytes) -> Flow:
    """Return the flow of a packet that leaves a home."""
    near, far = _ports(packet)
    return Flow(packet[9], near, packet[DESTINATION : DESTINATION + 4], far)


def incoming(packet: bytes) -> Flow:
    """Return the flow of a packet that arrives at a home."""
    far, near = _ports(packet)
    return Flow(packet[9], near, packet[SOURCE : SOURCE + 4], far)


def _ports(packet: bytes) -> tuple[int, int]:
    at = (packet[0] & 15) * 4
    return int.from_bytes(packet[at : at + 2], "big"), int.from_bytes(packet[at + 2 : at + 4], "big")


def with_address(packet: bytes, at: int, address: str) -> bytes:
    """Return the packet with another source or destination, and correct checksums."""
    new, old = socket.inet_aton(address), packet[at : at + 4]
    inner = (packet[0] & 15) * 4 + _CHECKSUM_OF[packet[9]]
    changed = bytearray(packet)
    changed[at : at + 4] = new
    for place in (_CHECKSUM, inner):
        before = int.from_bytes(packet[place : place + 2], "big")
        if place == inner and packet[9] == _UDP and before == 0:
            continue
        changed[place : place + 2] = _adjusted(before, old, new).to_bytes(2, "big")
    return bytes(changed)


def _adjusted(checksum: int, old: bytes, new: bytes) -> int:
    """Return a checksum after some of the words that it covers have changed: RFC 1624."""
    total = ~checksum & 0xFFFF
    for at in (0, 2):
        total += (~int.from_bytes(old[at : at + 2], "big") & 0xFFFF) + int.from_bytes(new[at : at + 2], "big")
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF
