"""Tending the streams of a NATS server, in which it keeps what MQTT retains: bounded, and copied for the guests.

What is bounded forgets its oldest messages first, so a full store never stops a game. Guests have an account of their
own, in which they can fill up what is theirs alone; there the retained messages of the players are copied.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from .config import GUEST_COPY, PLAY, WATCH
from .native import Answer, Caretaker, Native, NativeFailed, native

RETAINED = "$MQTT_rmsgs"
STREAMS = {
    RETAINED: 0.80,
    "$MQTT_msgs": 0.10,
    "$MQTT_sess": 0.04,
    "$MQTT_out": 0.02,
    "$MQTT_qos2in": 0.02,
}
"""The streams that MQTT makes in each account, each with its share of the account's store."""
LONGEST_SESSION = 3600 * 10**9
"""Nanoseconds for which a session is remembered whose client is away; ours ask for none."""
APPEARS = 10.0
"""Seconds in which streams appear after the first client of an account."""


@dataclass(frozen=True, slots=True)
class Tended:
    """A stream after it was looked at."""

    account: str
    name: str
    most_bytes: int
    changed: bool


async def tend(taker: Caretaker) -> list[Tended]:
    """Bounds every stream, and lets the guests' copy follow; doing it twice changes nothing. `NativeFailed` if not.

    Streams exist from the first MQTT client of an account on.
    """
    async with native(taker) as connection:
        tended = []
        for account in (PLAY, WATCH):
            store = (await connection.ask(f"{account}.API.INFO"))["limits"]["max_storage"]
            for name, share in STREAMS.items():
                tended.append(await _bounded(connection, account, name, int(store * share)))
        return tended


async def _bounded(connection: Native, account: str, name: str, most: int) -> Tended:
    found = await _appeared(connection, account, name)
    # The account's store holds every replica.
    most //= found["config"]["num_replicas"]
    wanted = found["config"] | {"max_bytes": most}
    if not wanted.get("discard_new_per_subject"):
        wanted |= {"discard": "old"}
    if name == "$MQTT_sess":
        wanted |= {"max_age": LONGEST_SESSION}
    if name == RETAINED and account == WATCH:
        wanted |= {"sources": [{"name": RETAINED, "external": {"api": f"{PLAY}.API", "deliver": GUEST_COPY}}]}
    changed = wanted != found["config"]
    if changed:
        await connection.ask(f"{account}.API.STREAM.UPDATE.{name}", wanted)
    return Tended(account, name, most, changed)


async def _appeared(connection: Native, account: str, name: str) -> Answer:
    """What a stream is like; the server makes it behind the back of the first client that it welcomes."""
    async with asyncio.timeout(APPEARS):
        while True:
            try:
                return await connection.ask(f"{account}.API.STREAM.INFO.{name}")
            except NativeFailed as failed:
                if "not found" not in str(failed):
                    raise
            await asyncio.sleep(0.05)
