"""Reading the events of a transport in tests, with a timeout."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from tests.brokers import PATIENCE
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.net.transport import Arrived, Connected, Lost, Publication, TransportEvent


async def soon(events: AsyncIterator[TransportEvent], seconds: float = PATIENCE) -> TransportEvent:
    """Return the next event."""
    return await asyncio.wait_for(anext(events), seconds)


async def connected(transport: MqttTransport, will: Publication | None = None) -> AsyncIterator[TransportEvent]:
    """Open a transport and return its events after it has connected."""
    transport.open(None if will is None else lambda: will)
    events = transport.events()
    assert await soon(events) == Connected()
    return events


async def lost(events: AsyncIterator[TransportEvent]) -> str:
    """Return why the connection was lost, which must be the next event."""
    one = await soon(events)
    assert isinstance(one, Lost), one
    return one.reason


async def payloads(events: AsyncIterator[TransportEvent], count: int) -> list[bytes]:
    """Return the payloads of the next messages."""
    read = []
    for _ in range(count):
        one = await soon(events)
        assert isinstance(one, Arrived), one
        read.append(one.payload)
    return read
