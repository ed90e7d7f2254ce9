"""Packets are split correctly however they arrive, and a bad one ends the connection."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.broker.raw import packet, text
from wasabi_tx.net.packet_reader import MAX_PACKET, PacketReader

Message = tuple[bytes, bytes, bool]


class Wire:
    """A connection that delivers these pieces."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = [piece for piece in pieces if piece]
        self.taken: list[Message] = []
        self.reader = PacketReader(self._receive, lambda *message: self.taken.append(message))

    def _receive(self, _size: int) -> bytes:
        if not self._pieces:
            raise BlockingIOError
        return self._pieces.pop(0)

    def read_all(self) -> bytes:
        """Return the bytes that remain for the library."""
        rest = b""
        while True:
            try:
                rest += self.reader.read(7)
            except BlockingIOError:
                if not self._pieces:
                    return rest


def publish(topic: str, payload: bytes, retained: bool, head: int = 0x30) -> bytes:
    return packet(head | retained, text(topic) + payload)


MESSAGES = st.tuples(st.text("abc/", max_size=200), st.binary(max_size=400), st.booleans())
OTHERS = st.sampled_from([packet(0x40, b"\x00\x01"), packet(0xD0, b""), packet(0x90, bytes(200))])


@given(st.lists(st.one_of(MESSAGES, OTHERS), max_size=20), st.data())
def test_messages_go_to_their_taker_and_the_rest_to_the_library(
    packets: list[tuple[str, bytes, bool] | bytes], data: st.DataObject
) -> None:
    stream = b"".join(one if isinstance(one, bytes) else publish(*one) for one in packets)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10)))
    wire = Wire([stream[first:last] for first, last in zip([0, *cuts], [*cuts, len(stream)], strict=True)])
    assert wire.read_all() == b"".join(one for one in packets if isinstance(one, bytes))
    assert wire.taken == [(one[0].encode(), one[1], one[2]) for one in packets if not isinstance(one, bytes)]


def test_a_message_at_qos_1_is_acknowledged_by_the_library() -> None:
    one = publish("a", b"\x00\x01x", False, 0x32)
    wire = Wire([one])
    assert wire.read_all() == one
    assert wire.taken == []


@pytest.mark.parametrize(
    "bad",
    [
        publish("a", bytes(MAX_PACKET), False)[:20],
        publish("a", b"\x00\x01x", False, 0x34),
        b"\x30\xff\xff\xff\xff\x7f",
        packet(0x30, b"\x00\x05abc"),
        packet(0x30, b"\x00"),
        packet(0x30, b""),
    ],
)
def test_a_packet_that_nobody_asked_for_ends_the_connection(bad: bytes) -> None:
    with pytest.raises(ConnectionAbortedError):
        Wire([publish("a", b"x", False) + bad]).read_all()
