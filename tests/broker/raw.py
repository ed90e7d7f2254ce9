"""A raw MQTT connection without restraint, to test what a broker lets a watcher do."""

from __future__ import annotations

import secrets
import socket
from types import TracebackType

from tests.brokers import PATIENCE

WELCOME = b"\x20\x02\x00\x00"


def packet(head: int, body: bytes) -> bytes:
    """Return a packet with its length."""
    length, rest = bytearray(), len(body)
    while rest > 127:
        length.append(rest & 127 | 128)
        rest >>= 7
    length.append(rest)
    return bytes([head]) + bytes(length) + body


def text(word: str) -> bytes:
    return len(word).to_bytes(2, "big") + word.encode()


def connect_packet(user: str = "", password: str = "", clean: bool = True, name: str = "") -> bytes:
    words = [name or secrets.token_hex(8), *([user, password] if user else [])]
    flags = (0xC0 if user else 0) | (0x02 if clean else 0)
    return packet(0x10, b"\x00\x04MQTT\x04" + bytes([flags]) + b"\x00\x3c" + b"".join(map(text, words)))


class Raw:
    """A connection, open while entered; `welcome` is True if the broker accepted it."""

    def __init__(self, port: int, user: str = "", password: str = "", clean: bool = True, name: str = "") -> None:
        self._port = port
        self._hello = connect_packet(user, password, clean, name)
        self.welcome = False

    def __enter__(self) -> Raw:
        self.socket = socket.create_connection(("127.0.0.1", self._port))
        self.socket.settimeout(PATIENCE)
        try:
            self.socket.sendall(self._hello)
            self.welcome = self.read(4) == WELCOME
        except OSError:
            self.welcome = False
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def again(self) -> bool:
        """Try again and return whether the broker accepted it."""
        self.socket.close()
        self.__enter__()
        return self.welcome

    def read(self, size: int) -> bytes:
        """Read this many bytes, or fewer if the broker hung up."""
        data = b""
        while len(data) < size and (more := self.socket.recv(size - len(data))):
            data += more
        return data

    def subscribe(self, filters: list[str], qos: int = 0) -> list[int]:
        """Return the granted QoS of each filter; 128 is a refusal."""
        body = b"\x00\x01" + b"".join(text(pattern) + bytes([qos]) for pattern in filters)
        self.socket.sendall(packet(0x82, body))
        while True:
            head, length = self.read(1)[0], self._length()
            answer = self.read(length)
            if head == 0x90:
                return list(answer[2:])

    def _length(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self.read(1)[0]
            value |= (byte & 127) << shift
            shift += 7
            if not byte & 128:
                return value
