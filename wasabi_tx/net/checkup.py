"""A checkup of a broker: whether it can be reached, how fast it is, and what it carries and retains."""

from __future__ import annotations

import asyncio
import secrets
import statistics
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from .address import Address
from .mqtt import MqttTransport
from .transport import MAX_PUBLICATION, Arrived, Connected, Lost, Publication, TransportEvent

NEEDED = 32_000
"""The largest payload of a game, in bytes."""
SIZES = (1, NEEDED, MAX_PUBLICATION)
"""The payload sizes tried, in bytes."""
ROUND_TRIPS = 20
CONNECT_TIMEOUT = 20.0
ECHO_TIMEOUT = 3.0


@dataclass(frozen=True, slots=True)
class Checkup:
    """The results, as far as the checkup got."""

    lost: Lost | None = None
    """The reason why there is no connection."""
    connect_ms: float = 0.0
    can_play: bool = False
    """True if our publications come back; without a password only watching is possible."""
    round_trip_ms: float = 0.0
    largest: int = 0
    """The largest size that came back, in bytes."""
    retained: bool = False
    """True if late joiners get retained messages."""

    @property
    def fit(self) -> bool:
        """True if a game can be played there."""
        return self.can_play and self.largest >= NEEDED and self.retained


async def examine(
    addresses: Sequence[Address],
    patience: float = ECHO_TIMEOUT,
    trips: int = ROUND_TRIPS,
    sizes: Sequence[int] = SIZES,
) -> Checkup:
    """Connect to one of a broker's addresses, measure and clean up; publish only in a realm that nobody else uses."""
    root = f"wsb1/doctor-{secrets.token_hex(8)}/who"
    transport = MqttTransport(addresses)
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
        return replace(found, retained=await _keeps(transport, events, f"{root}/kept"))
    finally:
        await transport.close()


async def _connected(events: AsyncIterator[TransportEvent]) -> Lost | None:
    """Return None once connected, otherwise the reason why the first attempt failed."""
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
    """Return the seconds until our own message came back; None if it did not."""
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


async def _keeps(transport: MqttTransport, events: AsyncIterator[TransportEvent], topic: str) -> bool:
    left = Publication(topic, secrets.token_bytes(8), retain=True)
    if await _echo(transport, events, left) is None:
        return False
    try:
        # A broker may echo a message before storing it, so an immediate reader finds nothing yet.
        return await _found(transport.address, left, ECHO_TIMEOUT / 4) or await _found(
            transport.address, left, ECHO_TIMEOUT
        )
    finally:
        transport.publish(Publication(topic, b"", retain=True))


async def _found(address: Address, left: Publication, patience: float) -> bool:
    """Return whether a later subscriber gets this publication as retained."""
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
