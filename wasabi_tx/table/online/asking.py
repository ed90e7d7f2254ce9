"""Asking for what is missing: whoever seems to know more is asked, ever more seldom, and ever further back."""

from __future__ import annotations

from dataclasses import dataclass, field

from wasabi_protocol.heads import FIRST_WAIT, LONGEST_WAIT
from wasabi_protocol.messages import Ask
from wasabi_protocol.session import Session

from .laid import Laid

NOBODY = bytes(32)
"""Asks whoever is there: no key is this one."""
CATCH_UP = 3.0
"""So long a client that comes back waits for the others' logs before it signs anything."""


@dataclass
class Asking:
    """What this client asks at a table. With a session it follows the seats' heads."""

    me: bytes
    table: str
    session: Session[Laid] | None = None
    catching_up: bool = False
    _answered: set[bytes] = field(default_factory=set)
    _until: float | None = None
    _tries: int = 0
    _last_head: int = -1
    _held_due: float = 0.0
    _held_wait: float = FIRST_WAIT

    def connected(self, now: float) -> list[Ask]:
        """Everybody is asked once; before their answers nothing is signed by a client that comes back."""
        session = self.session
        if session is None:
            return [Ask(self.table, self.me, NOBODY, 0)]
        if self.catching_up:
            self._until = now + CATCH_UP
        self._answered.clear()
        return [self._ask(key, 0) for key in self._others()]

    def lost(self) -> None:
        self._until = None

    def answered(self, key: bytes) -> None:
        """A seat told us what it knows."""
        self._answered.add(key)

    def _others(self) -> list[bytes]:
        session = self.session
        if session is None:
            return []
        keys = session.founded.keys
        return [keys[seat] for seat in session.state.seats if keys[seat] != self.me]

    def _ask(self, whom: bytes, back: int) -> Ask:
        head = 0 if self.session is None else self.session.log.head.number
        return Ask(self.table, self.me, whom, max(0, head - back))

    def tick(self, now: float) -> list[Ask]:
        """What to ask now."""
        session = self.session
        if session is None:
            return self._ask_anybody(now)
        if self.catching_up and (self._caught_up() or (self._until is not None and now >= self._until)):
            self.catching_up = False
        head = session.log.head.number
        if head != self._last_head:
            self._last_head, self._tries, self._held_wait = head, 0, FIRST_WAIT
            self._held_due = now + FIRST_WAIT
        asks = []
        for seat, key in enumerate(session.founded.keys):
            if key != self.me and session.heads.ask_due(seat, now):
                asks.append(self._ask(key, self._further()))
        if not asks and session.log.waiting and now >= self._held_due:
            # Entries wait for a past that nobody's head spoke of.
            self._held_wait = min(2 * self._held_wait, LONGEST_WAIT)
            self._held_due = now + self._held_wait
            asks.append(self._ask(NOBODY, self._further()))
        return asks

    def _ask_anybody(self, now: float) -> list[Ask]:
        if now < self._held_due:
            return []
        self._held_due, self._held_wait = now + self._held_wait, min(2 * self._held_wait, LONGEST_WAIT)
        return [Ask(self.table, self.me, NOBODY, 0)]

    def _further(self) -> int:
        """How far behind our head to ask from: a vote may have cut what we hold."""
        self._tries += 1
        return 0 if self._tries == 1 else 4**self._tries

    def _caught_up(self) -> bool:
        return self._answered.issuperset(self._others())
