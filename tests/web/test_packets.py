"""The packets of MQTT: every one is read back however the connection cuts it, and nothing else is read at all."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wasabi_tx.net.transport import MAX_PAYLOAD, Publication
from wasabi_tx.web.packets import MOST_BYTES, Acknowledged, BadPacket, Message, PacketReader, Welcome, publish_packet

publications = st.builds(
    Publication,
    st.text(st.characters(exclude_characters="+#\0", exclude_categories=["Cs"]), min_size=1, max_size=40),
    st.binary(max_size=300),
    st.sampled_from([0, 1]),
    st.booleans(),
)


@given(st.lists(publications, max_size=5), st.lists(st.integers(1, 50), max_size=40))
def test_publications_are_read_back_however_they_are_cut(sent: list[Publication], cuts: list[int]) -> None:
    data = b"".join(publish_packet(one, number) for number, one in enumerate(sent, 1))
    reader, read = PacketReader(), []
    for size in [*cuts, len(data)]:
        read += reader.feed(data[:size])
        data = data[size:]
    assert read == [
        Message(one.topic.encode(), one.payload, one.retain, number if one.qos else 0)
        for number, one in enumerate(sent, 1)
    ]


@given(st.binary(max_size=200))
def test_any_bytes_are_packets_or_refused(data: bytes) -> None:
    with suppress(BadPacket):
        PacketReader().feed(data)


@pytest.mark.parametrize("size", [MAX_PAYLOAD + 1, MOST_BYTES + 1, 3_000_000])
def test_of_an_oversize_packet_little_is_kept_and_the_next_one_is_read(size: int) -> None:
    data = publish_packet(Publication("a", b"x" * size), 7) + b"\x20\x02\x00\x00" + b"\x90\x03\x00\x09\x80"
    reader, read = PacketReader(), []
    for start in range(0, len(data), 10_000):
        read += reader.feed(data[start : start + 10_000])
        assert len(reader._bytes) <= MOST_BYTES + 10_010
    assert read[1:] == [Welcome(0), Acknowledged(9, refused=True)]
    first = read[0]
    assert isinstance(first, Message)
    assert (first.oversize, first.number) == (True, 7)


@pytest.mark.parametrize("data", [b"\x30\xff\xff\xff\xff\x01", b"\x30\x03\x00\x09a", b"\x00\x00", b"\x20\x01\x00"])
def test_what_no_broker_sends_is_refused(data: bytes) -> None:
    with pytest.raises(BadPacket):
        PacketReader().feed(data)
