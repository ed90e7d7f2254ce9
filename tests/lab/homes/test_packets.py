"""Routers between homes change addresses, and nothing else in a packet."""

from __future__ import annotations

import socket
import struct

from hypothesis import given
from hypothesis import strategies as st

from tests.lab.homes.packets import DESTINATION, SOURCE, Flow, incoming, is_routed, outgoing, with_address

ADDRESSES = st.ip_addresses(v=4).map(str)
PORTS = st.integers(1, 65_535)
TCP, UDP = 6, 17


def checksum(data: bytes) -> int:
    """Return the sum of all words, as defined by RFC 1071."""
    padded = data + b"\0" * (len(data) % 2)
    total: int = sum(struct.unpack(f"!{len(padded) // 2}H", padded))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def packet(protocol: int, source: str, destination: str, ports: tuple[int, int], data: bytes) -> bytes:
    """Return a packet as a kernel makes it."""
    if protocol == TCP:
        inner = struct.pack("!HHIIHHHH", *ports, 7, 9, 0x5018, 512, 0, 0) + data
        at = 16
    else:
        inner, at = struct.pack("!HHHH", *ports, 8 + len(data), 0) + data, 6
    ends = socket.inet_aton(source) + socket.inet_aton(destination)
    total = checksum(ends + struct.pack("!BBH", 0, protocol, len(inner)) + inner)
    inner = inner[:at] + (total or 0xFFFF).to_bytes(2, "big") + inner[at + 2 :]
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(inner), 1, 0x4000, 64, protocol, 0) + ends
    return head[:10] + checksum(head).to_bytes(2, "big") + head[12:] + inner


@given(st.sampled_from([TCP, UDP]), ADDRESSES, ADDRESSES, ADDRESSES, st.tuples(PORTS, PORTS), st.binary(max_size=64))
def test_a_changed_address_leaves_checksums_that_hold(
    protocol: int, source: str, destination: str, other: str, ports: tuple[int, int], data: bytes
) -> None:
    before = packet(protocol, source, destination, ports, data)
    assert is_routed(before)
    for at, ends in ((SOURCE, (other, destination)), (DESTINATION, (source, other))):
        after = with_address(before, at, other)
        assert checksum(after[:20]) == 0
        whole = b"".join(map(socket.inet_aton, ends)) + struct.pack("!BBH", 0, protocol, len(after) - 20) + after[20:]
        assert checksum(whole) == 0
        assert with_address(after, at, (source, destination)[at == DESTINATION])[:10] == before[:10]
        assert after[28:] == before[28:] or protocol == TCP


@given(st.sampled_from([TCP, UDP]), ADDRESSES, ADDRESSES, st.tuples(PORTS, PORTS))
def test_an_answer_belongs_to_the_flow_of_its_question(
    protocol: int, near: str, far: str, ports: tuple[int, int]
) -> None:
    question = packet(protocol, near, far, ports, b"")
    answer = packet(protocol, far, near, ports[::-1], b"")
    assert outgoing(question) == incoming(answer) == Flow(protocol, ports[0], socket.inet_aton(far), ports[1])


def test_what_is_no_whole_packet_is_not_carried() -> None:
    good = packet(TCP, "192.168.1.10", "203.0.113.5", (4000, 1883), b"x")
    assert not is_routed(b"")
    assert not is_routed(good[:20])
    assert not is_routed(b"\x60" + good[1:]), "IPv6"
    assert not is_routed(good[:9] + b"\x01" + good[10:]), "a ping"
    assert not is_routed(good[:6] + b"\x20\x00" + good[8:]), "a fragment"
