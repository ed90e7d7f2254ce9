"""Reading MQTT packets from a connection: messages go straight to a callback, everything else to the MQTT library.

The library reads a packet in three or more socket calls and creates several objects for it, about 50 µs each. Anyone
with a broker's password can have it deliver a hundred thousand small messages a second, which must cost a seat next to
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import aiomqtt

MAX_PACKET = 70_000
"""Most bytes of a packet, enough for the largest message we read; nothing of a longer one is stored in memory."""
MAX_FRAMES = 1_000_000
"""Most bytes of an incomplete websocket frame kept."""
CHUNK = 32_768
"""Bytes read at once; other threads get their turn in between."""
READS = 8
"""Chunks read before the connection's other work gets its turn."""

_PUBLISH_QOS_0, _PUBLISH_QOS_2 = 0x30, 0x34

TakeMessage = Callable[[bytes, bytes, bool], None]
"""Takes the topic and payload of a message, and whether it was retained."""


class PacketReader:
    """Splits a connection's data into packets; an unrequested packet ends the connection."""

    def __init__(self, receive: Callable[[int], bytes], take: TakeMessage) -> None:
        self._receive = receive
        self._take = take
        self._begun = b""
        """The start of an incomplete packet."""
        self.rest = bytearray()
        """Packets for the library."""

    def read(self, size: int) -> bytes:
        """Return bytes of packets other than messages, as a socket would; raise `BlockingIOError` if there are none
        now.
        """
        for _ in range(READS):
            if self.rest:
                break
            chunk = self._receive(CHUNK)
            if not chunk:
                return b""
            self._split(self._begun + chunk)
        if not self.rest:
            raise BlockingIOError
        taken = bytes(self.rest[:size])
        del self.rest[:size]
        return taken

    def _split(self, data: bytes) -> None:
        at, size, take = 0, len(data), self._take
        while at + 2 <= size:
            head, length, start = data[at], data[at + 1], at + 2
            if length > 127:
                length, start = _long_length(data, at)
                if not start:
                    break
            end = start + length
            if length > MAX_PACKET or head & 0xF4 == _PUBLISH_QOS_2:
                raise ConnectionAbortedError(f"a packet of {length} bytes that nobody asked for")
            if end > size:
                break
            if head & 0xF6 == _PUBLISH_QOS_0:
                payload = start + 2 + (data[start] << 8 | data[start + 1]) if length > 1 else end + 1
                if payload > end:
                    raise ConnectionAbortedError("a message whose topic does not end")
                take(data[start + 2 : payload], data[payload:end], head & 1 == 1)
            else:
                self.rest += data[at:end]
            at = end
        self._begun = data[at:]


def _long_length(data: bytes, at: int) -> tuple[int, int]:
    """Return a multi-byte length and where it ends; the end is 0 if it has not fully arrived."""
    length = 0
    for number, byte in enumerate(data[at + 1 : at + 5]):
        length |= (byte & 127) << 7 * number
        if byte < 128:
            return length, at + 2 + number
    if len(data) >= at + 5:
        raise ConnectionAbortedError("a length that does not end")
    return 0, 0


def read_packets(client: aiomqtt.Client, take: TakeMessage) -> None:
    """Make a client read through a `PacketReader`.

    The library has no public way to do so: it asks its socket for each part of a packet.
    """
    paho = client._client
    receive, read_once = paho._sock_recv, paho.loop_read

    def receive_bounded(size: int) -> bytes:
        if len(getattr(paho.socket(), "_readbuffer", b"")) > MAX_FRAMES:
            raise ConnectionAbortedError("a websocket's frame without an end")
        return receive(size)

    reader = PacketReader(receive_bounded, take)

    def read_all(max_packets: int = 1) -> int:
        # The socket does not signal data that was already read from it.
        code = read_once(max_packets)
        while not code and reader.rest:
            code = read_once(max_packets)
        return code

    vars(paho).update(_sock_recv=reader.read, loop_read=read_all)
