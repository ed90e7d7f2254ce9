"""A peer game, with people at other machines, as a screen follows it: played from a seat, or only watched."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import suppress

from ..engine.errors import Illegal
from ..engine.observe import Observation
from ..engine.position import Position
from ..engine.rules import AnyRules
from ..engine.step import Bundle
from ..games.game import Can, Ended, Event, Player, SeatState
from ..games.plans import Plans
from .client import events as table_events
from .client.driver import Driver
from .rules_adapter.history import History
from .terms import EMOTES, HINTS, PHRASES, QUICK_START, WATCHERS_TALK


class PeerGame:
    """A seat's game, or a watcher's; its events continue the history with which it was made."""

    def __init__(self, driver: Driver, history: History, title: str) -> None:
        self._driver = driver
        self.history = history
        self.title = title
        self.rules: AnyRules = self._known.rules
        self.players: tuple[Player, ...] = history.players
        self.clock = history.terms.clock

    @property
    def _known(self) -> Observation:
        observation = self._driver.snapshot.observation
        assert observation is not None, "there is a position from the moment that the seats are drawn"
        return observation

    @property
    def can(self) -> Can:
        options = self.history.terms.options
        if self.viewer is None:
            return Can.INVITE | Can.CHAT if WATCHERS_TALK in options else Can.INVITE
        able = Can.PLAY | Can.PLAN | Can.CHAT | Can.VOTE | Can.REMATCH | Can.INVITE
        able |= Can.HINT if HINTS in options else Can.NOTHING
        return able | Can.EMOTE if EMOTES in options else able

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
    def dealt(self) -> bool:
        return QUICK_START in self.history.terms.options

    @property
    def awaiting(self) -> bool:
        return self._known.my_turn and not self._driver.snapshot.my_turn

    @property
    def since(self) -> float | None:
        return self._driver.snapshot.since

    @property
    def plans(self) -> Plans:
        return self._driver.snapshot.plans

    def seen_by(self, seat: int) -> Observation:
        if seat != self.viewer:
            raise Illegal("not-your-seat", seat=seat + 1)
        return self._known

    async def events(self) -> AsyncIterator[Event]:
        """Yield all events, including those after the end: talk, and wishes for a rematch."""
        if self.history.outcome is not None:
            # The game was over when we came: perhaps nothing more will ever happen.
            yield Ended(self.history.outcome)
        async for event in self._driver.events():
            if not isinstance(event, table_events.TableEvent):
                yield event

    async def submit(self, bundle: Bundle) -> None:
        if bundle.seat != self.viewer:
            raise Illegal("not-your-seat", seat=bundle.seat + 1)
        # What cannot be saved yet is kept, and said by an event.
        with suppress(OSError):
            await self._driver.do(lambda client, now: client.play(bundle, now))

    async def take_back(self) -> None:
        raise Illegal("not-here")

    async def save_plans(self, plans: Plans) -> None:
        await self._driver.do(lambda client, now: client.save_plans(plans, now))

    async def quit(self, seat: int) -> None:
        if seat != self.viewer:
            raise Illegal("not-your-seat", seat=seat + 1)
        await self._driver.do(lambda client, now: client.quit(now))

    async def send_talk(self, text: str) -> None:
        if Can.CHAT not in self.can:
            raise Illegal("not-here")
        if Can.EMOTE in self.can and text not in PHRASES:
            raise Illegal("only-emotes")
        await self._driver.do(lambda client, _now: client.send_talk(text, time.time()))

    async def vote(self, out: int, yes: bool) -> None:
        await self._driver.do(lambda client, now: client.vote(out, yes, now))

    async def rematch(self) -> None:
        if Can.REMATCH not in self.can:
            raise Illegal("not-here")
        await self._driver.do(lambda client, now: client.wish_rematch(now))

    async def confirm_run(self) -> None:
        await self._driver.do(lambda client, now: client.confirm_run(now))

    async def doing(self, state: SeatState) -> None:
        what = "" if state is SeatState.HERE else str(state)
        await self._driver.do(lambda client, now: client.doing(what, now))

    async def close(self) -> None:
        await self._driver.close()
