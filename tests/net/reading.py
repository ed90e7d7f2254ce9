"""Reading the news of a transport in tests, with a limit to the patience."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from tests.brokers import PATIENCE
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.net.transport import Arrived, Connected, Lost, News, Publication


async def soon(news: AsyncIterator[News], seconds: float = PATIENCE) -> News:
    """The next piece of news."""
    return await asyncio.wait_for(anext(news), seconds)


async def connected(transport: MqttTransport, will: Publication | None = None) -> AsyncIterator[News]:
    """The news of a transport, opened, after it has connected."""
    transport.open(will)
    news = transport.news()
    assert await soon(news) == Connected()
    return news


async def lost(news: AsyncIterator[News]) -> str:
    """The reason why the connection was lost, which must be the next piece of news."""
    one = await soon(news)
    assert isinstance(one, Lost), one
    return one.reason


async def payloads(news: AsyncIterator[News], count: int) -> list[bytes]:
    """The payloads of the next messages."""
    read = []
    for _ in range(count):
        one = await soon(news)
        assert isinstance(one, Arrived), one
        read.append(one.payload)
    return read
