"""The metrics of a broker over HTTP, for Prometheus: numbers without names, on loopback by default."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import monotonic

from .native import Caretaker, NativeFailed
from .status import prometheus, read_status

FRESH = 5.0
"""Seconds for which the same answer is reused."""
PATIENCE = 5.0
LONGEST_REQUEST = 8_192


class Metrics:
    """Queries the broker on demand, at most once every few seconds."""

    def __init__(self, taker: Caretaker) -> None:
        self._taker = taker
        self._turn = asyncio.Lock()
        self._due = 0.0
        self._answer = b""

    async def answer(self) -> bytes:
        async with self._turn:
            if monotonic() >= self._due:
                try:
                    body = prometheus(await read_status(self._taker)).encode()
                    self._answer = _response("200 OK", body)
                except NativeFailed as failed:
                    self._answer = _response("503 Service Unavailable", f"{failed}\n".encode())
                self._due = monotonic() + FRESH
            return self._answer

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request per connection."""
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(PATIENCE):
                request = await reader.readuntil(b"\r\n\r\n")
            asked = request.split(b" ", 2)[:2] == [b"GET", b"/metrics"]
            writer.write(await self.answer() if asked else _response("404 Not Found", b"only GET /metrics\n"))
            async with asyncio.timeout(PATIENCE):
                await writer.drain()
        writer.close()


def _response(status: str, body: bytes) -> bytes:
    kind = "text/plain; version=0.0.4; charset=utf-8"
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body


@asynccontextmanager
async def metrics(taker: Caretaker, host: str, port: int) -> AsyncIterator[int]:
    """Serve metrics while the block runs; yield the port. Raise `OSError` if it is taken."""
    server = await asyncio.start_server(Metrics(taker).serve, host, port, limit=LONGEST_REQUEST)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
