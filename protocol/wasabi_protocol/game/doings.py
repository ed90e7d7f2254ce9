"""Doings: what the seats report that they are doing now. They are hints for people and have no other effect.

Time is the caller's own clock, in seconds, passed with each call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wasabi_protocol.game.heads import MOST_RUNS
from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from wasabi_protocol.signed.messages import Doing

NOTHING, COMPOSING, PAUSED, LOST, GONE = "", "composing", "paused", "lost", "gone"
BACK_WITHIN = 3.0
"""Seconds a seat has to answer when asked whether it is there, perhaps over another broker."""
ASK_PAUSE = 5.0
"""Seconds between two such questions, because anyone can replay the report of a lost connection."""


@dataclass
class _Heard:
    """Everything known about one seat; reports from an earlier run do not count."""

    run: bytes
    counters: dict[bytes, int] = field(default_factory=dict)
    """The last `n` of each run; an earlier run may come back."""
    what: str = NOTHING
    slot: int = 0
    lost: bool = False
    """True if a broker reported the connection lost and the seat has not been heard since."""
    asked: float = -ASK_PAUSE
    """Time when the seat was last asked whether it is there."""
    unasked: bool = False
    """True while the seat still has to be asked about its present loss."""


class Doings:
    """The last report of each seat. Only a head establishes the run whose reports count."""

    def __init__(self, table: str, keys: tuple[bytes, ...]) -> None:
        self._table = table
        self._keys = keys
        self._heard: dict[int, _Heard] = {}

    def head(self, seat: int, run: bytes) -> None:
        """Record a new head of a seat in this run."""
        known = self._heard.setdefault(seat, _Heard(run))
        if known.run != run:
            # Everything else is kept, so a seat that starts run after run is asked no more often.
            known.run, known.what = run, NOTHING
        self.alive(seat)

    def alive(self, seat: int) -> None:
        """Record a live message of a seat: it is connected."""
        if seat in self._heard:
            self._heard[seat].lost = False

    def forget(self) -> None:
        """Forget all reports after we were away ourselves; those that still apply are repeated."""
        for known in self._heard.values():
            known.what, known.lost = NOTHING, False

    def receive(self, key: bytes, doing: Doing) -> None:
        """Record a verified report."""
        if doing.table != self._table:
            raise Refused(Code.WRONG_TABLE)
        if doing.key != key:
            raise Refused(Code.WRONG_KEY)
        if key not in self._keys:
            raise Refused(Code.NOT_A_SEAT)
        seat = self._keys.index(key)
        if doing.what == GONE:
            # The heads decide whether the seat is really gone.
            return
        if doing.what == LOST:
            # The seat may have vanished before its first head arrived; if it is there, it answers when asked.
            self._heard.setdefault(seat, _Heard(doing.run))
        known = self._heard.get(seat)
        if known is None or known.run != doing.run:
            return
        if doing.what == LOST:
            # The report was signed before the connection, so its counter only distinguishes it from those of other
            # connections.
            known.unasked |= not known.lost
            known.lost = True
        elif doing.n > known.counters.get(doing.run, -1):
            known.counters[doing.run] = doing.n
            known.what, known.slot, known.lost = doing.what, doing.slot, False
            if len(known.counters) > MOST_RUNS:
                del known.counters[next(iter(known.counters))]

    def questions(self, now: float) -> list[int]:
        """Return the seats to ask now whether they are there."""
        lost = [seat for seat, known in self._heard.items() if known.lost and known.unasked]
        due = [seat for seat in lost if now >= self._heard[seat].asked + ASK_PAUSE]
        for seat in due:
            self._heard[seat].asked, self._heard[seat].unasked = now, False
        return due

    def word(self, seat: int, slot: int, now: float) -> str:
        """Return what a seat is doing while this slot is open."""
        known = self._heard.get(seat)
        if known is None:
            return NOTHING
        if known.lost and not known.unasked and now - known.asked >= BACK_WITHIN:
            return LOST
        return NOTHING if known.what == COMPOSING and known.slot != slot else known.what
