"""A staged game: a lesson or a puzzle, played by the real rules at a real table from a prepared position."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Protocol

from ..engine.errors import Illegal, Stale
from ..engine.observe import Observation, observe
from ..engine.position import NOBODY, Position
from ..engine.rules import AnyRules
from ..engine.sealed_card import Card
from ..engine.step import Bundle
from .game import Alone, Can, Event, Played, Player, Rewound


class Stage(Protocol):
    """The prepared position and the replies to it."""

    @property
    def position(self) -> Position: ...

    @property
    def faces(self) -> Mapping[Card, int]:
        """The faces of the cards that matter."""
        ...

    @property
    def replies(self) -> Sequence[Bundle]:
        """The bundles that the others play after the person's."""
        ...

    @property
    def after(self) -> Position | None:
        """The position object that follows, if the next stage begins with it; the two are compared by identity."""
        ...


class StagedGame(Alone):
    """A game between a person at this screen and others who follow the stage; nothing is saved."""

    def __init__(self, rules: AnyRules, stage: Stage, players: tuple[Player, ...], seat: int, can: Can) -> None:
        """Begin a stage with the person at this seat."""
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
        """Set the table up for a stage; one that continues from the present position changes nothing."""
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
        """Return the events since the last call, for callers that do not wait for events."""
        found = []
        while not self._events.empty():
            event = self._events.get_nowait()
            if event is not None:
                found.append(event)
        return found

    async def submit(self, bundle: Bundle) -> None:
        self.play(bundle)

    def play(self, bundle: Bundle) -> None:
        """Play the bundle and the replies to it."""
        if self._closed:
            raise Stale("game-closed")
        before, bundles = self._position, (bundle, *self._stage.replies)
        for number, one in enumerate(bundles, 1):
            after = settle(self.rules, self.rules.apply_bundle(before, one), self._stage.faces)
            if number == len(bundles) and self._stage.after is not None:
                after = self._stage.after
            self._events.put_nowait(Played(one, before, after))
            self._position = before = after

    async def quit(self, seat: int) -> None:
        del seat
        raise Illegal("not-here")

    async def close(self) -> None:
        self._closed = True
        self._events.put_nowait(None)


def settle(rules: AnyRules, position: Position, faces: Mapping[Card, int]) -> Position:
    """Turn up everything that chance owes and return the position; a card of unknown face gets a possible one."""
    while position.mover == NOBODY and position.outcome is None:
        position = rules.apply(position, rules.legal(position, faces)[0])
    return position
