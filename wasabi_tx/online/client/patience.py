"""Patience: how many seconds the others wait for a seat before they may vote to go on without it.

All these numbers are here, except two that every client shares: an automatic answer may be voted on after 30 seconds in
one slot or 300 in a game, which the protocol fixes (`vote_allowed` in `wasabi_protocol.voting.voter`). The turn clock
is agreed at each table; by correspondence, with a clock of hours, it is the only number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from wasabi_protocol.voting.voter import vote_allowed

from ..terms import BY_CORRESPONDENCE

if TYPE_CHECKING:
    from wasabi_protocol.game.session import Session

    from ..rules_adapter.sealed_position import SealedPosition

SlotAge: TypeAlias = Callable[[bytes, float], float]
"""Returns how many seconds this machine has known the slot after a link, given the client's clock now."""
AWAY_AFTER = 25.0
"""Seconds of silence after which a seat is away: heads come every ten seconds, and two may be lost."""
AWAY_FOR = 60.0
"""Seconds until a vote about an absent person at a table without a clock; a present one may think for ever.

A bot that is gone has no more time at any table.
"""
SETUP_PATIENCE = 60.0
"""Seconds a person's client waits, before the seats are drawn, for somebody who vanished."""
BOT_PATIENCE = 300.0
"""Seconds a bot waits before it calls a vote about another bot, where there are only bots."""
ANSWER_WITHIN = 5.0
"""Seconds after which a program whose own clock does not agree votes no: two machines' clocks differ a little."""
CALL_PAUSE = 30.0
"""Seconds a bot waits before it repeats a call that the others refused: their patience may be longer."""


class Patience:
    """Tracks who is here, who keeps the others waiting, and for how long by this client's own clock."""

    def __init__(self, session: Session[SealedPosition], now: float, slot_age: SlotAge) -> None:
        """Start to track the seats; `slot_age` remembers slots across programs, for tables played by correspondence."""
        self._session = session
        self._slot_age = slot_age
        self._by_correspondence = session.founded.genesis.terms.clock >= BY_CORRESPONDENCE
        self._heard: dict[int, float] = dict.fromkeys(range(len(session.founded.keys)), now)
        self._head = session.log.head.link
        self._since = self._back = now
        self._owed: dict[int, float] = {}
        self._last = now
        self.closed: set[int] = set()
        """Seats not heard since they said goodbye. Votes do not depend on it."""
        self.away_after = AWAY_AFTER
        """Seconds of silence after which a seat is away."""

    def heard(self, seat: int, now: float) -> None:
        """Note a live message from a seat."""
        self._heard[seat] = now
        self.closed.discard(seat)

    def resumed(self, now: float) -> None:
        """Restart the waits after we were away ourselves: that time is nobody's fault, except by correspondence."""
        self._heard = dict.fromkeys(self._heard, now)
        self.closed.clear()
        self._back = self._last = now
        if not self._by_correspondence:
            self._since = now

    def heard_since(self, seat: int, when: float) -> bool:
        """Return whether a seat has said anything after that moment."""
        return self._heard[seat] > when

    def here(self, seat: int, now: float) -> bool:
        return now - self._heard[seat] < self.away_after

    @property
    def unheard(self) -> frozenset[int]:
        """The seats that have closed the table, or were away at the last tick; our own is never heard."""
        return frozenset((*self.closed, *(seat for seat in self._heard if not self.here(seat, self._last))))

    def tick(self, now: float) -> None:
        log = self._session.log
        if log.head.link != self._head:
            # The number would not do: a vote may have cut the log and put another slot there.
            self._head = log.head.link
            self._since = now - (self._slot_age(self._head, now) if self._by_correspondence else 0.0)
        if self.automatic:
            for seat in log.missing:
                if not self._session.ballots.excused(seat):
                    self._owed[seat] = self._owed.get(seat, 0.0) + now - self._last
        self._last = now

    @property
    def automatic(self) -> bool:
        """True if the missing entries come from programs, not from people."""
        state = self._session.state
        if state.kinds != ("bundle", "leave"):
            return True
        return state.position is not None and bool(state.position.owed)

    @property
    def since(self) -> float:
        """Time at which the present slot was opened, by this client's clock, as far as we know."""
        return self._since

    def waited(self, now: float) -> float:
        """Return for how many seconds the present slot has been open, as of the last tick."""
        return now - self._since if self._session.log.head.link == self._head else 0.0

    def may_vote(self, seat: int, now: float) -> bool:
        """Return whether our own clock and log let us go on without a seat that owes an entry.

        No person is voted about in their own turn before the table's clock has run out, wherever they are.
        """
        session = self._session
        if seat not in session.log.missing or session.ballots.excused(seat):
            return False
        waited, clock = self.waited(now), session.founded.genesis.terms.clock
        if self._by_correspondence:
            # People and their machines sleep there; entries sent meanwhile reach us before this.
            return waited >= clock and now - self._back >= AWAY_FOR
        if self.automatic:
            return vote_allowed(waited, self._owed.get(seat, 0.0))
        gone = now - self._heard[seat] >= AWAY_FOR
        if clock == 0 or session.founded.joins[seat].runner:
            return gone or (clock > 0 and waited >= clock)
        return waited >= clock
