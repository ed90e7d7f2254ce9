"""A TCP proxy in front of a broker, which can misbehave like a network.

Use it in any asyncio test:

async with Proxy(broker.address) as proxy:
    transport = MqttTransport([proxy.address])
    …
    await proxy.set(Mode.BLACK_HOLE)
"""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from types import TracebackType

from tests.brokers import PATIENCE
from tests.ports import own_port
from wasabi_tx.net.address import Address

PUBACK = 4


class Mode(Enum):
    PASS = auto()
    REFUSE = auto()
    """Nobody listens, and open connections are closed."""
    RESET = auto()
    """Open connections are reset with RST, and so are new ones."""
    BLACK_HOLE = auto()
    """Connections stay open and can be made, but no byte gets through in either direction."""
    EAT_PUBACKS = auto()
    """Only acknowledgements of publications get lost; for MQTT without TLS or websockets."""


@dataclass(frozen=True, slots=True)
class Packet:
    """An MQTT packet as sent over the wire."""

    head: int
    body: bytes

    @property
    def kind(self) -> int:
        return self.head >> 4


@dataclass(eq=False)
class _Pipe:
    near: asyncio.StreamWriter
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    reset: bool = False


class Proxy:
    """Listens on its own port while entered; `sent` contains each packet that clients sent."""

    def __init__(self, to: Address) -> None:
        self.sent: list[Packet] = []
        self.connections = 0
        self.eaten = 0
        """Number of lost acknowledgements."""
        self._to = to
        self._mode = Mode.PASS
        self._port = own_port()
        self._pipes: dict[_Pipe, asyncio.Task[None]] = {}
        self._server: asyncio.Server | None = None
        self._accepted = asyncio.Condition()

    @property
    def address(self) -> Address:
        """The broker's address with the proxy in between."""
        return replace(self._to, host="127.0.0.1", port=self._port)

    async def __aenter__(self) -> Proxy:
        await self._listen()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop_listening()
        await self._cut_all(reset=False)

    async def set(self, mode: Mode) -> None:
        """Change the mode, for open connections and new ones."""
        self._mode = mode
        if mode is Mode.REFUSE:
            await self._stop_listening()
        else:
            await self._listen()
        if mode in (Mode.REFUSE, Mode.RESET):
            await self._cut_all(reset=mode is Mode.RESET)

    async def connected(self, times: int) -> None:
        """Wait until clients have connected this many times."""
        async with asyncio.timeout(PATIENCE), self._accepted:
            await self._accepted.wait_for(lambda: self.connections >= times)

    async def _listen(self) -> None:
        if self._server is None:
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port)

    async def _stop_listening(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _accept(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        pipe = _Pipe(near, reset=self._mode is Mode.RESET)
        task = asyncio.current_task()
        assert task is not None
        self._pipes[pipe] = task
        self.connections += 1
        async with self._accepted:
            self._accepted.notify_all()
        try:
            if not pipe.reset and self._server is not None:
                await self._join(pipe, reader)
        finally:
            await _close(near, pipe.reset)
            del self._pipes[pipe]

    async def _join(self, pipe: _Pipe, reader: asyncio.StreamReader) -> None:
        """Carry data both ways until either side or the test ends it; in a black hole nobody notices an end."""
        try:
            back, far = await asyncio.open_connection(self._to.host, self._to.port)
        except OSError:
            pipe.reset = True
            return
        for writer in (pipe.near, far):
            writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        ways = [
            asyncio.create_task(self._carry(reader, far, up=True)),
            asyncio.create_task(self._carry(back, pipe.near, up=False)),
        ]
        ended = asyncio.create_task(pipe.ended.wait())
        try:
            await asyncio.wait({*ways, ended}, return_when=asyncio.FIRST_COMPLETED)
            if self._mode is Mode.BLACK_HOLE:
                await ended
        finally:
            for task in (*ways, ended):
                task.cancel()
            await asyncio.gather(*ways, ended, return_exceptions=True)
            await _close(far, pipe.reset)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, up: bool) -> None:
        plain = not self._to.tls and not self._to.websockets
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                data, packet = await _read_packet(reader) if plain else (await reader.read(65_536), None)
                if not data:
                    return
                if self._mode is Mode.BLACK_HOLE:
                    continue
                if packet is not None and up:
                    self.sent.append(packet)
                if self._mode is Mode.EAT_PUBACKS and packet is not None and packet.kind == PUBACK and not up:
                    self.eaten += 1
                    continue
                writer.write(data)
                await writer.drain()

    async def _cut_all(self, reset: bool) -> None:
        for pipe in list(self._pipes):
            pipe.reset = reset
            pipe.ended.set()
        await self.ended()

    async def ended(self) -> None:
        """Wait until no connection remains, even one just accepted, so that everything has been read."""
        while self._pipes:
            await asyncio.wait(set(self._pipes.values()))


async def _close(writer: asyncio.StreamWriter, reset: bool) -> None:
    if reset:
        linger = struct.pack("ii", 1, 0)
        with suppress(OSError):
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.transport.abort()
    else:
        writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def _read_packet(reader: asyncio.StreamReader) -> tuple[bytes, Packet]:
    head = await reader.readexactly(1)
    length, shift, raw = 0, 0, bytearray(head)
    while True:
        byte = (await reader.readexactly(1))[0]
        raw.append(byte)
        length |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            break
    body = await reader.readexactly(length)
    return bytes(raw) + body, Packet(head[0], body)
