"""Relays: brokers of others that carry a private table; the packaged list, one's own, and which of them to take."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from .address import Address, BadAddress, parse_broker_url
from .broker.checkup import NEEDED, Checkup, examine

PROBE_TIMEOUT = 8.0
PROBE_TRIPS = 1


class BadRelays(Exception):
    """A list of relays that cannot be read; `reason` is what is wrong, `entry` counts from 1."""

    def __init__(self, entry: int, reason: str) -> None:
        super().__init__(entry, reason)
        self.entry = entry
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Relay:
    """A broker that is no player's: `number` is its name in invites, 0 if it is in nobody's list but one's own."""

    name: str
    address: Address
    terms: str = ""
    number: int = 0

    def unnumbered(self) -> Relay:
        """The same as a broker like any other."""
        return replace(self, number=0, address=replace(self.address, relay=0))


def parse_relays(text: str) -> list[Relay]:
    """The relays of a list, in its order; `BadRelays` if it is none."""
    try:
        entries = tomllib.loads(text).get("relay", [])
    except tomllib.TOMLDecodeError as error:
        raise BadRelays(0, str(error)) from None
    if not isinstance(entries, list):
        raise BadRelays(0, "relay")
    return [_relay(number, entry) for number, entry in enumerate(entries, 1)]


def _relay(place: int, entry: object) -> Relay:
    if not isinstance(entry, dict):
        raise BadRelays(place, "relay")
    name, address, terms, number = (entry.get(key, "") for key in ("name", "address", "terms", "number"))
    for key, value in (("name", name), ("address", address), ("terms", terms)):
        if not isinstance(value, str) or (key != "terms" and not value):
            raise BadRelays(place, key)
    if number != "" and (type(number) is not int or number < 1):
        raise BadRelays(place, "number")
    try:
        found = parse_broker_url(address)
    except BadAddress:
        raise BadRelays(place, "address") from None
    return Relay(name, replace(found, relay=number or 0), terms, number or 0)


@cache
def packaged_relays() -> dict[int, Relay]:
    """The list that comes with the program, by number."""
    text = (files(__package__) / "relays.toml").read_text(encoding="utf-8")
    return {relay.number: relay for relay in parse_relays(text)}


async def probe(address: Address) -> Checkup:
    """What a relay is good for, with few messages and little patience."""
    try:
        async with asyncio.timeout(PROBE_TIMEOUT):
            # Somebody waits: only what decides is tried.
            return await examine(address, trips=PROBE_TRIPS, sizes=(NEEDED,))
    except TimeoutError:
        return Checkup()


async def choose_relays(
    mine: Sequence[Relay],
    others: Sequence[Relay],
    count: int,
    try_out: Callable[[Address], Awaitable[Checkup]] = probe,
) -> list[Relay]:
    """The wanted number of relays that carry a game, our own first; fewer if not enough of them pass."""
    chosen = await _first_fit(mine, count, try_out)
    return chosen + await _first_fit(others, count - len(chosen), try_out)


async def _first_fit(
    relays: Sequence[Relay], count: int, try_out: Callable[[Address], Awaitable[Checkup]]
) -> list[Relay]:
    """Tries all at once; whoever is slower than those that are enough need not end."""
    trials = {asyncio.ensure_future(try_out(relay.address)): relay for relay in relays} if count > 0 else {}
    chosen: list[Relay] = []
    pending = set(trials)
    while pending and len(chosen) < count:
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        chosen += [trials[one] for one in trials if one in done and one.result().fit]
    for one in pending:
        one.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    return chosen[:count]
