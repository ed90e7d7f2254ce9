"""The packets of MQTT 3.1.1 that a client sends and reads, as bytes and values."""

from __future__ import annotations

from dataclasses import dataclass

from ..net.transport import MAX_PAYLOAD, MAX_TOPIC, Publication

MOST_BYTES = MAX_PAYLOAD + MAX_TOPIC + 1_024
"""Most bytes of a packet that is read; a longer one is skipped."""
PING, GOODBYE = b"\xc0\x00", b"\xe0\x00"
REFUSED = 0x80
"""The answer to a filter that the broker does not grant."""
_CONNECT, _WELCOME, _PUBLISH, _PUBLISHED, _SUBSCRIBE, _SUBSCRIBED, _UNSUBSCRIBE = 1, 2, 3, 4, 8, 9, 10
_LONGEST = 4
"""Most bytes of a packet's length."""


class BadPacket(Exception):
    """Bytes that no broker sends."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """The broker's answer to a connection; 0 if it welcomes us."""

    code: int


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The broker has taken over a publication, or has answered our filters."""

    number: int
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """A publication that reached us; one with a number must be acknowledged. Too large ones have no payload."""

    topic: bytes
    payload: bytes
    retained: bool
    number: int = 0
    oversize: bool = False


Packet = Welcome | Acknowledged | Message


def connect_packet(identifier: str, user: str, password: str, keepalive: int, will: Publication | None) -> bytes:
    """Return the first packet, with our credentials and the will that the broker publishes if it loses us."""
    flags, body = 2, [_text(identifier)]
    if will is not None:
        flags |= 4 | will.qos << 3 | will.retain << 5
        body += [_text(will.topic), _bytes(will.payload)]
    if user:
        flags |= 0x80
        body.append(_text(user))
        if password:
            flags |= 0x40
            body.append(_text(password))
    return _packet(_CONNECT << 4, _text("MQTT"), bytes([4, flags]), keepalive.to_bytes(2, "big"), *body)


def publish_packet(publication: Publication, number: int) -> bytes:
    """Return a publication; its number matters only if it must be acknowledged."""
    head = _PUBLISH << 4 | publication.qos << 1 | publication.retain
    return _packet(head, _text(publication.topic), _number(number) if publication.qos else b"", publication.payload)


def acknowledge_packet(number: int) -> bytes:
    return _packet(_PUBLISHED << 4, _number(number))


def subscribe_packet(filters: tuple[str, ...], number: int) -> bytes:
    """Return a wish to hear what matches these filters, at QoS 0."""
    return _packet(_SUBSCRIBE << 4 | 2, _number(number), *(_text(one) + b"\0" for one in filters))


def unsubscribe_packet(filters: tuple[str, ...], number: int) -> bytes:
    return _packet(_UNSUBSCRIBE << 4 | 2, _number(number), *map(_text, filters))


def _packet(head: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    length, rest = bytearray(), len(body)
    while True:
        rest, low = rest >> 7, rest & 0x7F
        length.append(low | (0x80 if rest else 0))
        if not rest:
            return bytes([head, *length]) + body


def _text(text: str) -> bytes:
    return _bytes(text.encode())


def _bytes(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


def _number(number: int) -> bytes:
    return number.to_bytes(2, "big")


class PacketReader:
    """Turns the bytes of a connection into packets, however they are split; too large ones are not kept."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._skip = 0
        """Bytes of an oversize packet that are still to come."""

    def feed(self, data: bytes) -> list[Packet]:
        """Return the packets that are complete by now; raise `BadPacket` if the bytes are not MQTT."""
        skipped = min(self._skip, len(data))
        self._skip -= skipped
        self._bytes += data[skipped:]
        found = []
        while (cut := self._next()) is not None:
            head, body, oversize = cut
            packet = _read(head, body, oversize)
            if packet is not None:
                found.append(packet)
        return found

    def _next(self) -> tuple[int, bytes, bool] | None:
        """Cut the next packet off: its first byte, its body, and whether that is only the beginning of one."""
        size = at = 0
        while True:
            at += 1
            if at > _LONGEST:
                raise BadPacket("length")
            if at >= len(self._bytes):
                return None
            size |= (self._bytes[at] & 0x7F) << 7 * (at - 1)
            if not self._bytes[at] & 0x80:
                break
        head, start = self._bytes[0], at + 1
        oversize = size > MOST_BYTES
        needed = min(size, MOST_BYTES)
        if len(self._bytes) < start + needed:
            return None
        body = bytes(self._bytes[start : start + needed])
        here = min(size, len(self._bytes) - start)
        self._skip = size - here
        del self._bytes[: start + here]
        return head, body, oversize


def _read(head: int, body: bytes, oversize: bool) -> Packet | None:
    """Parse a packet; return None for one that we do not need."""
    kind = head >> 4
    if kind == _WELCOME and len(body) == 2:
        return Welcome(body[1])
    if kind in (_PUBLISHED, _SUBSCRIBED, 11) and len(body) >= 2:
        return Acknowledged(int.from_bytes(body[:2], "big"), kind == _SUBSCRIBED and REFUSED in body[2:])
    if kind == _PUBLISH and len(body) >= 2:
        end = 2 + int.from_bytes(body[:2], "big")
        numbered = 2 if head & 6 else 0
        if len(body) < end + numbered:
            raise BadPacket("publication")
        number = int.from_bytes(body[end : end + numbered], "big")
        payload = b"" if oversize else body[end + numbered :]
        return Message(body[2:end], payload, bool(head & 1), number, oversize or len(payload) > MAX_PAYLOAD)
    if kind == 13:
        return None
    raise BadPacket(f"kind {kind}")
