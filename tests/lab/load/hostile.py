"""Hostile watchers: without a password, trying everything that a broker allows them to try."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from tests.broker.raw import WELCOME, connect_packet, packet, text
from wasabi_tx.net.address import Address

PATIENCE = 5.0
PAUSE = 0.05
"""Seconds between two attempts of one watcher: two hundred of them make thousands of attempts a second."""
FILTERS = ["wsb1/#", "wsb1/+/t/+/+/+", "wsb1/+/t/+/log/+/+", "wsb1/+/lobby/+", "wsb1/+/who/+", "wsb1/+/say/+"]
VICTIM = "wsb1/main/lobby/" + "a" * 52

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def _connected(address: Address, hello: bytes) -> AsyncIterator[Connection]:
    """Yield a connection that was accepted; raise `OSError` otherwise."""
    reader, writer = await asyncio.open_connection(address.host, address.port)
    try:
        writer.write(hello)
        async with asyncio.timeout(PATIENCE):
            if await reader.read(4) != WELCOME:
                raise ConnectionRefusedError
        yield reader, writer
    finally:
        writer.transport.abort()


def _subscribe(filters: list[str], qos: int = 0) -> bytes:
    return packet(0x82, b"\x00\x01" + b"".join(text(pattern) + bytes([qos]) for pattern in filters))


async def _read_all(address: Address) -> None:
    """Subscribe to everything in many ways, and read it."""
    async with _connected(address, connect_packet()) as (reader, writer):
        for _ in range(8):
            writer.write(_subscribe([*FILTERS, *(f"wsb1/{'+/' * depth}+" for depth in range(1, 6))]))
        for _ in range(200):
            if not await reader.read(1 << 16):
                return


async def _read_nothing(address: Address) -> None:
    """Subscribe to everything and let it pile up."""
    async with _connected(address, connect_packet()) as (reader, writer):
        writer.write(_subscribe(FILTERS))
        reader.set_exception(ConnectionAbortedError())
        if isinstance(writer.transport, asyncio.ReadTransport):
            writer.transport.pause_reading()
        await asyncio.sleep(30)


async def _come_and_go(address: Address) -> None:
    """Connect and vanish."""
    async with _connected(address, connect_packet()):
        pass


async def _die(address: Address) -> None:
    """Set a retained will on another client's topic, and vanish."""
    flags = bytes([0x02 | 0x04 | 0x08 | 0x20])
    words = b"".join(map(text, (secrets.token_hex(8), VICTIM, "forged")))
    async with _connected(address, packet(0x10, b"\x00\x04MQTT\x04" + flags + b"\x00\x3c" + words)):
        pass


async def _fill(address: Address) -> None:
    """Publish large retained messages, at its own topics and somebody else's."""
    async with _connected(address, connect_packet()) as (_, writer):
        for number in range(50):
            topic = VICTIM if number % 2 else f"wsb1/main/{secrets.token_hex(4)}"
            writer.write(packet(0x33, text(topic) + b"\x00\x01" + bytes(60_000)))
            await writer.drain()


async def _leave_sessions(address: Address) -> None:
    """Leave a session with queues behind, under a new name each time."""
    async with _connected(address, connect_packet(clean=False)) as (reader, writer):
        writer.write(_subscribe([f"wsb1/main/{number}/#" for number in range(8)], qos=1))
        async with asyncio.timeout(PATIENCE):
            await reader.read(100)


async def _say_nothing(address: Address) -> None:
    """Open connections without ever sending a CONNECT."""
    writers = []
    try:
        for _ in range(15):
            _, writer = await asyncio.open_connection(address.host, address.port)
            writers.append(writer)
        await asyncio.sleep(2)
    finally:
        for writer in writers:
            writer.transport.abort()


MANNERS: tuple[Callable[[Address], Awaitable[None]], ...] = (
    _read_all,
    _read_nothing,
    _come_and_go,
    _die,
    _fill,
    _leave_sessions,
    _say_nothing,
)


@asynccontextmanager
async def hostile(address: Address, count: int) -> AsyncIterator[dict[str, int]]:
    """Run this number of watchers during the block; yield how often each thing was tried."""
    nobody = Address(address.host, address.port)
    tried = dict.fromkeys((manner.__name__.strip("_") for manner in MANNERS), 0)

    async def watcher(number: int) -> None:
        manner = MANNERS[number % len(MANNERS)]
        while True:
            tried[manner.__name__.strip("_")] += 1
            with suppress(OSError, asyncio.IncompleteReadError):
                await manner(nobody)
            await asyncio.sleep(PAUSE)

    watchers = [asyncio.create_task(watcher(number)) for number in range(count)]
    try:
        yield tried
    finally:
        for task in watchers:
            task.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)
