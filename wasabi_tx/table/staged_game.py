"""A staged game: the rules and the table are real, and the position is set up; a lesson or a puzzle is played in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Protocol

from ..engine.card import Card
from ..engine.errors import Illegal, Stale
from ..engine.observe import Observation, observe
from ..engine.position import NOBODY, Position
from ..engine.rules import AnyRules
from ..engine.step import Bundle
from .game import Alone, Can, Event, Played, Player, Rewound


class Stage(Protocol):
    """What is set up."""

    @property
    def position(self) -> Position: ...

    @property
    def faces(self) -> Mapping[Card, int]:
        """What cards show, as far as it matters."""
        ...

    @property
    def replies(self) -> Sequence[Bundle]:
        """What the others play after the person's bundle."""
        ...

    @property
    def after(self) -> Position | None:
        """The very position that comes then, if another stage begins with it: that is how it is known."""
        ...


class StagedGame(Alone):
    """A game of a person at this screen and others who do what the stage says; nothing is saved."""

    def __init__(self, rules: AnyRules, stage: Stage, players: tuple[Player, ...], seat: int, can: Can) -> None:
        """The person sits at this seat."""
        self.rules = rules
        self.players = players
        self.can = can
        self.people = (seat,)
        self.viewer = seat
        self._stage = stage
        self._position = stage.position
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._closed = False

    @property
    def position(self) -> Position:
        return self._position

    @property
    def observation(self) -> Observation:
        return self.seen_by(self.viewer)

    def seen_by(self, seat: int) -> Observation:
        if seat != self.viewer:
            raise Illegal("not-your-seat", seat=seat + 1)
        return observe(self.rules, self._position, seat, self._stage.faces)

    def go_to(self, stage: Stage) -> None:
        """The table is as a stage wants it; one that only goes on changes nothing."""
        self._stage = stage
        if self._position is not stage.position:
            self._position = stage.position
            self._events.put_nowait(Rewound(stage.position))

    async def events(self) -> AsyncIterator[Event]:
        while not self._closed:
            event = await self._events.get()
            if event is None:
                return
            yield event

    def happened(self) -> list[Event]:
        """What has happened since this was last asked, for who does not wait for events."""
        found = []
        while not self._events.empty():
            event = self._events.get_nowait()
            if event is not None:
                found.append(event)
        return found

    async def submit(self, bundle: Bundle) -> None:
        self.play(bundle)

    def play(self, bundle: Bundle) -> None:
        """Plays the bundle and the replies to it."""
        if self._closed:
            raise Stale("game-closed")
        before, bundles = self._position, (bundle, *self._stage.replies)
        for number, one in enumerate(bundles, 1):
            after = settle(self.rules, self.rules.apply_bundle(before, one), self._stage.faces)
            if number == len(bundles) and self._stage.after is not None:
                after = self._stage.after
            self._events.put_nowait(Played(one, before, after))
            self._position = before = after

    async def leave(self, seat: int) -> None:
        del seat
        raise Illegal("not-here")

    async def close(self) -> None:
        self._closed = True
        self._events.put_nowait(None)


def settle(rules: AnyRules, position: Position, faces: Mapping[Card, int]) -> Position:
    """The position after all that chance has to turn up; a card without a face shows one that it can have."""
    while position.mover == NOBODY and position.outcome is None:
        position = rules.apply(position, rules.legal(position, faces)[0])
    return position
