"""A checkup of a broker: whether it is reached, how fast it is, and what it carries and keeps."""

from __future__ import annotations

import asyncio
import secrets
import statistics
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from ..address import Address
from ..mqtt import MqttTransport
from ..transport import MAX_PUBLICATION, Arrived, Connected, Lost, Publication, TransportEvent

NEEDED = 32_000
"""The largest payload that a game makes."""
SIZES = (1, NEEDED, MAX_PUBLICATION)
"""The payloads that are tried, in bytes."""
ROUND_TRIPS = 20
CONNECT_TIMEOUT = 20.0
ECHO_TIMEOUT = 3.0


@dataclass(frozen=True, slots=True)
class Checkup:
    """What was found out, as far as it came."""

    lost: Lost | None = None
    """Why there is no connection."""
    connect_ms: float = 0.0
    can_play: bool = False
    """Whether what we publish comes back: without a password one may only watch."""
    round_trip_ms: float = 0.0
    largest: int = 0
    """Of the sizes tried, in bytes."""
    retained: bool = False
    """Whether late comers find what was left for them."""

    @property
    def fit(self) -> bool:
        """Whether a game can be played there."""
        return self.can_play and self.largest >= NEEDED and self.retained


async def examine(
    address: Address, patience: float = ECHO_TIMEOUT, trips: int = ROUND_TRIPS, sizes: Sequence[int] = SIZES
) -> Checkup:
    """Connects, measures, and cleans up after itself; publishes only in a realm that nobody else uses."""
    root = f"wsb1/doctor-{secrets.token_hex(8)}/who"
    transport = MqttTransport([address])
    transport.subscribe([f"{root}/+"])
    started = perf_counter()
    transport.open()
    try:
        events = transport.events()
        lost = await _connected(events)
        if lost is not None:
            return Checkup(lost)
        found = Checkup(connect_ms=(perf_counter() - started) * 1_000)
        times = []
        for number in range(trips):
            taken = await _echo(transport, events, Publication(f"{root}/echo", b"%d" % number), patience)
            if taken is None:
                return found
            times.append(taken * 1_000)
        found = replace(found, can_play=True, round_trip_ms=statistics.median(times))
        for size in sizes:
            if await _echo(transport, events, Publication(f"{root}/size", secrets.token_bytes(size))) is None:
                break
            found = replace(found, largest=size)
        return replace(found, retained=await _keeps(address, transport, events, f"{root}/kept"))
    finally:
        await transport.close()


async def _connected(events: AsyncIterator[TransportEvent]) -> Lost | None:
    """None once connected, else why not: the first attempt decides."""
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT):
            async for one in events:
                if isinstance(one, Connected):
                    return None
                if isinstance(one, Lost):
                    return one
    except TimeoutError:
        pass
    return Lost("timeout")


async def _echo(
    transport: MqttTransport,
    events: AsyncIterator[TransportEvent],
    publication: Publication,
    patience: float = ECHO_TIMEOUT,
) -> float | None:
    """Seconds until our own message came back; None if it did not."""
    started = perf_counter()
    transport.publish(publication)
    try:
        async with asyncio.timeout(patience):
            async for one in events:
                if isinstance(one, Lost):
                    return None
                if isinstance(one, Arrived) and one.payload == publication.payload:
                    return perf_counter() - started
    except TimeoutError:
        pass
    return None


async def _keeps(address: Address, transport: MqttTransport, events: AsyncIterator[TransportEvent], topic: str) -> bool:
    left = Publication(topic, secrets.token_bytes(8), retain=True)
    if await _echo(transport, events, left) is None:
        return False
    try:
        # A broker may echo a message before it has put it down: whoever comes at once finds nothing yet.
        return await _found(address, left, ECHO_TIMEOUT / 4) or await _found(address, left, ECHO_TIMEOUT)
    finally:
        transport.publish(Publication(topic, b"", retain=True))


async def _found(address: Address, left: Publication, patience: float) -> bool:
    """Whether somebody who comes later is given this as retained."""
    late = MqttTransport([address])
    late.subscribe([left.topic])
    late.open()
    try:
        async with asyncio.timeout(patience):
            async for one in late.events():
                if isinstance(one, Arrived):
                    return one.retained and one.payload == left.payload
    except TimeoutError:
        pass
    finally:
        await late.close()
    return False
