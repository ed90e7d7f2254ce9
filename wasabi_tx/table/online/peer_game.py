"""A game with people at other machines, as a screen follows it: played from a seat, or only watched."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from ...engine.errors import Illegal
from ...engine.observe import Observation
from ...engine.position import Outcome, Position
from ...engine.rules import Rules
from ...engine.step import Bundle
from ..game import Can, Ended, Event, Player
from .client import events as table_events
from .client.client import Client
from .client.driver import Driver
from .result import player_of
from .terms import HINTS, WATCHERS_TALK

GIVEN_UP, BROKEN, STOPPED = "given-up", "broken", "stopped"
"""How a game ends that its rules did not end."""


class PeerGame:
    """A seat's game, or a watcher's. It can be made as soon as the seats are drawn, see `seated`."""

    def __init__(self, driver: Driver, title: str, saved_as: Callable[[], str]) -> None:
        self._driver = driver
        self._saved_as = saved_as
        self.title = title
        self.saved_as = saved_as()
        observation = self._known
        self.rules: Rules[Any] = observation.rules
        playing = driver.client.playing
        assert playing is not None
        assert playing.laid is not None
        terms = playing.founded.genesis.terms
        self._options, self.clock = terms.options, terms.clock
        self.players: tuple[Player, ...] = tuple(player_of(playing.founded.joins[seat]) for seat in playing.laid.order)

    @property
    def _known(self) -> Observation:
        observation = self._driver.snapshot.observation
        assert observation is not None, "there is a position from the moment that the seats are drawn"
        return observation

    @property
    def can(self) -> Can:
        if self.viewer is None:
            return Can.CHAT if WATCHERS_TALK in self._options else Can.NOTHING
        able = Can.PLAY | Can.CHAT | Can.VOTE | Can.REMATCH
        return able | Can.HINT if HINTS in self._options else able

    @property
    def people(self) -> tuple[int, ...]:
        seat = self.viewer
        return () if seat is None else (seat,)

    @property
    def viewer(self) -> int | None:
        return self._known.seat

    @property
    def position(self) -> Position:
        return self._known.position

    @property
    def observation(self) -> Observation:
        return self._known

    @property
    def awaiting(self) -> bool:
        return self._known.my_turn and not self._driver.snapshot.my_turn

    def seen_by(self, seat: int) -> Observation:
        if seat != self.viewer:
            raise Illegal("not-your-seat", seat=seat + 1)
        return self._known

    async def events(self) -> AsyncIterator[Event]:
        """Also what happens after the end: talk, and wishes to play again."""
        ended = self._driver.snapshot.over
        if ended:
            # Somebody came when it was over: perhaps nothing more will ever happen.
            yield Ended(self._outcome())
        async for event in self._driver.events():
            if not isinstance(event, _BEFORE_THE_GAME):
                yield event
            if not ended and self._driver.snapshot.over:
                ended = True
                yield Ended(self._outcome())
        if not ended and self._driver.snapshot.over:
            yield Ended(self._outcome())

    def _outcome(self) -> Outcome:
        """As the rules say; or, where it came to no end by them, how it stopped."""
        position = self.position
        if position.outcome is not None:
            return position.outcome
        playing = self._driver.client.playing
        session = None if playing is None else playing.session
        broken = session is not None and session.broken is not None
        ending = BROKEN if broken else GIVEN_UP if session is not None and session.abandoned else STOPPED
        return Outcome(ending, (), tuple(seat.score for seat in position.seats))

    async def _do(self, action: Callable[[Client, float], None]) -> None:
        await self._driver.do(action)

    async def submit(self, bundle: Bundle) -> None:
        if bundle.seat != self.viewer:
            raise Illegal("not-your-seat", seat=bundle.seat + 1)
        await self._do(lambda client, now: client.play(bundle, now))

    async def leave(self, seat: int) -> None:
        if seat != self.viewer:
            raise Illegal("not-your-seat", seat=seat + 1)
        await self._do(lambda client, now: client.leave(now))

    async def say(self, text: str) -> None:
        if Can.CHAT not in self.can:
            raise Illegal("not-here")
        await self._do(lambda client, _now: client.say(text, time.time()))

    async def vote(self, out: int, yes: bool) -> None:
        await self._do(lambda client, now: client.vote(out, yes, now))

    async def rematch(self) -> None:
        if Can.REMATCH not in self.can:
            raise Illegal("not-here")
        await self._do(lambda client, now: client.wish_rematch(now))

    async def confirm_run(self) -> None:
        await self._do(lambda client, now: client.confirm_run(now))

    async def close(self) -> None:
        await self._driver.close()


_BEFORE_THE_GAME = (
    table_events.Offered,
    table_events.Joined,
    table_events.Crowded,
    table_events.Admitted,
    table_events.Dropped,
    table_events.Accepted,
    table_events.Proposed,
    table_events.CannotPlay,
    table_events.HostBroken,
    table_events.GameBegun,
    table_events.TalkHeard,
    table_events.Trouble,
    table_events.Over,
)
