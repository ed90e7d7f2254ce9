"""The judge as a target: mutated entries of the seat that owes one, against states of real games of both editions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import msgpack
from wasabi_protocol.game.state import GameState
from wasabi_protocol.signed.codec import parse_as
from wasabi_protocol.signed.messages import Entry
from wasabi_protocol.verdicts import Invalid, Refused

from tests.online.hub import Hub, found
from tests.protocol.mutations import bend_value
from wasabi_tx.online.rules_adapter.sealed_position import SealedPosition

from .chance import Chosen

MOST_BENDS = 3


@dataclass(frozen=True)
class Moment:
    """A state of a game, and what was written next."""

    state: GameState[SealedPosition]
    bodies: tuple[bytes, ...]


def _games() -> Iterator[Hub]:
    for edition, seats in (("classic", 3), ("master", 2)):
        hub = Hub(found(edition, seats, f"fuzz {edition}"), edition, f"fuzz {edition}")
        hub.finish("greedy", bundles=40)
        yield hub
        other = Hub(found(edition, seats, f"fuzz leave {edition}"), edition, f"fuzz leave {edition}")
        other.settle()
        for _ in range(4):
            other.turn("gain" if edition == "master" else "random")
            other.settle()
        (seat,) = other.view.state.owed
        if seats > 2:
            other.exclude(seat)
        else:
            other.leave(seat)
        other.settle()
        other.finish("random", bundles=12)
        yield other


@cache
def moments() -> list[Moment]:
    """Return every state of a few games: setups, turns, a vote, a leave, ends."""
    return [
        Moment(before.state, tuple(signed.body for signed in after.bodies))
        for hub in _games()
        for before, after in zip(hub.view.log.slots, hub.view.log.slots[1:], strict=False)
        if not after.voted
    ]


def judge(data: bytes) -> str:
    """Judge one mutated entry: it gets a verdict, or is as good as the true one. Return the result in a word."""
    chance = Chosen(data)
    known = moments()
    moment = known[chance.getrandbits(16) % len(known)]
    value: object = msgpack.unpackb(chance.choice(moment.bodies), raw=False)
    if chance.random() < 0.1:
        other = known[chance.getrandbits(16) % len(known)]
        value = msgpack.unpackb(chance.choice(other.bodies), raw=False)
    for _ in range(1 + chance.randrange(MOST_BENDS)):
        value = bend_value(value, chance)
    try:
        entry = parse_as(Entry, msgpack.packb(value))
    except (Refused, ValueError, TypeError, OverflowError) as error:
        # A value that msgpack cannot even write was never a message.
        return type(error).__name__
    if entry.seat not in moment.state.owed:
        return "not owed"
    verdict = _verdict(moment.state, entry)
    assert verdict is None or verdict.seat == entry.seat, "somebody else is blamed"
    return "valid" if verdict is None else str(verdict.code)


def _verdict(state: GameState[SealedPosition], entry: Entry) -> Invalid | None:
    try:
        state.judge(entry)
    except Invalid as verdict:
        return verdict
    return None
