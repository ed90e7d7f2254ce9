"""Patience: how many seconds the others wait for a seat before they may vote to go on without it.

All these numbers are here, but for two that every client shares: 30 seconds in one slot or 300 in a game, after which
an automatic answer may be voted on, are the protocol's own (`vote_allowed` in `wasabi_protocol.voting.voter`). The turn
clock is agreed at each table; by correspondence, with a clock of hours, it is the only number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from wasabi_protocol.voting.voter import vote_allowed

from ..terms import BY_CORRESPONDENCE

if TYPE_CHECKING:
    from wasabi_protocol.game.session import Session

    from ..rules.sealed_position import SealedPosition

SlotAge: TypeAlias = Callable[[bytes, float], float]
"""For how many seconds the slot after a link has been known on this machine, by the client's clock now."""
AWAY_AFTER = 25.0
"""A seat counts as away when it was not heard for this long: heads come every ten seconds, and two may be lost."""
AWAY_FOR = 60.0
"""A vote about a person who is gone is possible after this; one who is here may think for ever."""
SETUP_PATIENCE = 60.0
"""How long a person's client waits, before the seats are drawn, for somebody who vanished."""
BOT_PATIENCE = 300.0
"""How long a bot waits before it calls a vote about somebody who is gone."""
CALL_PAUSE = 30.0
"""How long a bot waits before it calls a vote again that the others refused: their patience may be longer."""


class Patience:
    """Who is here, who keeps the others waiting, and for how long by this client's own clock."""

    def __init__(self, session: Session[SealedPosition], now: float, slot_age: SlotAge) -> None:
        """`slot_age` remembers slots over the end of programs, for tables where people look in now and then."""
        self._session = session
        self._slot_age = slot_age
        self._by_correspondence = session.founded.genesis.terms.clock >= BY_CORRESPONDENCE
        self._heard: dict[int, float] = dict.fromkeys(range(len(session.founded.keys)), now)
        self._head = session.log.head.link
        self._since = self._back = now
        self._owed: dict[int, float] = {}
        self._last = now
        self.closed: set[int] = set()
        """Seats that said goodbye and nothing since. What may be voted about does not depend on it."""
        self.away_after = AWAY_AFTER
        """Seconds without a word after which a seat counts as away."""

    def heard(self, seat: int, now: float) -> None:
        """A live word of a seat."""
        self._heard[seat] = now
        self.closed.discard(seat)

    def resumed(self, now: float) -> None:
        """We were away ourselves: nobody is to blame for that time, unless the clock is one for people who are away."""
        self._heard = dict.fromkeys(self._heard, now)
        self.closed.clear()
        self._back = self._last = now
        if not self._by_correspondence:
            self._since = now

    def heard_since(self, seat: int, when: float) -> bool:
        """Whether a seat has said anything after that moment."""
        return self._heard[seat] > when

    def here(self, seat: int, now: float) -> bool:
        return now - self._heard[seat] < self.away_after

    def tick(self, now: float) -> None:
        log = self._session.log
        if log.head.link != self._head:
            # Not its number: a vote may have cut the log and put another slot there.
            self._head = log.head.link
            self._since = now - (self._slot_age(self._head, now) if self._by_correspondence else 0.0)
        if self.automatic:
            for seat in log.missing:
                if not self._session.ballots.excused(seat):
                    self._owed[seat] = self._owed.get(seat, 0.0) + now - self._last
        self._last = now

    @property
    def automatic(self) -> bool:
        """Whether what is missing comes from programs and not from people."""
        state = self._session.state
        if state.kinds != ("bundle", "leave"):
            return True
        return state.position is not None and bool(state.position.owed)

    @property
    def since(self) -> float:
        """When the present slot was opened, by this client's clock, as far as we know."""
        return self._since

    def waited(self, now: float) -> float:
        """For how long the present slot has been open, as far as we looked."""
        return now - self._since if self._session.log.head.link == self._head else 0.0

    def may_vote(self, seat: int, now: float) -> bool:
        """Whether the others may vote to go on without a seat that owes an entry."""
        session = self._session
        if seat not in session.log.missing or session.ballots.excused(seat):
            return False
        waited, clock = self.waited(now), session.founded.genesis.terms.clock
        if self._by_correspondence:
            # People sleep there, and their machines do; what came meanwhile reaches us before this.
            return waited >= clock and now - self._back >= AWAY_FOR
        if self.automatic:
            return vote_allowed(waited, self._owed.get(seat, 0.0))
        return (clock > 0 and waited >= clock) or now - self._heard[seat] >= AWAY_FOR
