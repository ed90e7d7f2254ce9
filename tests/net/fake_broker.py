"""A server with just enough MQTT to accept connections, which then sends whatever a test wants."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from types import TracebackType

from tests.broker.raw import packet, text
from wasabi_tx.net.address import Address

CONNECT, PUBLISH, SUBSCRIBE, PINGREQ = 1, 3, 8, 12


def publish(topic: str, payload: bytes, retain: bool = False) -> bytes:
    """Return a PUBLISH packet at QoS 0."""
    return packet(0x30 | retain, text(topic) + payload)


class FakeBroker:
    """Answers CONNECT with `welcome` and SUBSCRIBE with `grant` for each filter, then sends `speech` and listens."""

    def __init__(
        self, speech: bytes = b"", welcome: int | None = 0, grant: int = 1, tls: ssl.SSLContext | None = None
    ) -> None:
        self.received = b""
        self._speech = speech
        self._welcome = welcome
        self._grant = grant
        self._tls = tls
        self._port = 0
        self._server: asyncio.Server | None = None
        self._guests: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self._port, tls=self._tls is not None)

    async def __aenter__(self) -> FakeBroker:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self._port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for writer in list(self._guests):
            writer.transport.abort()
        while self._guests:
            await asyncio.wait(set(self._guests.values()))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._guests[writer] = task
        try:
            while True:
                head = (await reader.readexactly(1))[0]
                length = await self._length(reader)
                body = await reader.readexactly(length)
                self.received += bytes([head]) + body
                if head >> 4 == CONNECT and self._welcome is not None:
                    writer.write(packet(0x20, bytes([0, self._welcome])))
                elif head >> 4 == SUBSCRIBE:
                    count = _filters(body)
                    writer.write(packet(0x90, body[:2] + bytes([self._grant]) * count) + self._speech)
                elif head >> 4 == PINGREQ:
                    writer.write(b"\xd0\x00")
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()
            del self._guests[writer]

    @staticmethod
    async def _length(reader: asyncio.StreamReader) -> int:
        length, shift = 0, 0
        while True:
            byte = (await reader.readexactly(1))[0]
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return length


def _filters(body: bytes) -> int:
    at, count = 2, 0
    while at < len(body):
        at += 2 + int.from_bytes(body[at : at + 2], "big") + 1
        count += 1
    return count
