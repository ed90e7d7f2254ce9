"""Relays: other people's brokers that carry a private table; the packaged list, the user's own, and the choice among
them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from ..engine.toml_text import BadToml, read_toml
from .address import Address, BadAddress, parse_broker_url
from .checkup import NEEDED, Checkup, examine

PROBE_TIMEOUT = 8.0
PROBE_TRIPS = 1


class BadRelays(Exception):
    """An unreadable list of relays: from `line` on it is not TOML, or an entry is wrong.

    `reason` names the fault of an entry; `entry` and `line` count from 1.
    """

    def __init__(self, entry: int, reason: str, line: int = 0) -> None:
        super().__init__(entry, reason, line)
        self.entry = entry
        self.reason = reason
        self.line = line


@dataclass(frozen=True, slots=True)
class Relay:
    """A broker that belongs to no player; `number` is its name in invites, 0 if only the user's own list has it."""

    name: str
    addresses: tuple[Address, ...]
    """At least one; they are tried in turn."""
    terms: str = ""
    number: int = 0

    def unnumbered(self) -> Relay:
        """Return this relay as an ordinary broker."""
        return replace(self, number=0, addresses=tuple(replace(one, relay=0) for one in self.addresses))


def parse_relays(text: str) -> list[Relay]:
    """Parse a list of relays, in order; raise `BadRelays` if it is invalid."""
    try:
        entries = read_toml(text).get("relay", [])
    except BadToml as bad:
        raise BadRelays(0, "", bad.line) from None
    if not isinstance(entries, list):
        raise BadRelays(0, "relay")
    return [_relay(number, entry) for number, entry in enumerate(entries, 1)]


def _relay(place: int, entry: object) -> Relay:
    if not isinstance(entry, dict):
        raise BadRelays(place, "relay")
    name, addresses, terms, number = (entry.get(key, "") for key in ("name", "addresses", "terms", "number"))
    for key, value in (("name", name), ("terms", terms)):
        if not isinstance(value, str) or (key != "terms" and not value):
            raise BadRelays(place, key)
    if not isinstance(addresses, list) or not addresses or not all(isinstance(one, str) and one for one in addresses):
        raise BadRelays(place, "addresses")
    if number != "" and (type(number) is not int or number < 1):
        raise BadRelays(place, "number")
    try:
        found = tuple(replace(parse_broker_url(one), relay=number or 0) for one in addresses)
    except BadAddress:
        raise BadRelays(place, "addresses") from None
    return Relay(name, found, terms, number or 0)


@cache
def packaged_relays() -> dict[int, Relay]:
    """Return the list that comes with the program, by number."""
    text = (files(__package__) / "relays.toml").read_text(encoding="utf-8")
    return {relay.number: relay for relay in parse_relays(text)}


async def probe(addresses: Sequence[Address]) -> Checkup:
    """Examine a relay with few messages and a short timeout."""
    try:
        async with asyncio.timeout(PROBE_TIMEOUT):
            # Somebody is waiting, so only the decisive properties are tested.
            return await examine(addresses, trips=PROBE_TRIPS, sizes=(NEEDED,))
    except TimeoutError:
        return Checkup()


async def choose_relays(
    mine: Sequence[Relay],
    others: Sequence[Relay],
    count: int,
    try_out: Callable[[Sequence[Address]], Awaitable[Checkup]] = probe,
) -> list[Relay]:
    """Return `count` relays that can carry a game, our own first; fewer if not enough of them pass."""
    chosen = await _first_fit(mine, count, try_out)
    return chosen + await _first_fit(others, count - len(chosen), try_out)


async def _first_fit(
    relays: Sequence[Relay], count: int, try_out: Callable[[Sequence[Address]], Awaitable[Checkup]]
) -> list[Relay]:
    """Try all at once and cancel the rest as soon as enough have passed."""
    trials = {asyncio.ensure_future(try_out(relay.addresses)): relay for relay in relays} if count > 0 else {}
    chosen: list[Relay] = []
    pending = set(trials)
    while pending and len(chosen) < count:
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        chosen += [trials[one] for one in trials if one in done and one.result().fit]
    for one in pending:
        one.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    return chosen[:count]
