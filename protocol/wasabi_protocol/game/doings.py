"""Doings: what the seats say that they are doing now. They are hints for people, and nothing else follows from them.

Time is the caller's own clock, in seconds, given with each call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wasabi_protocol.game.heads import MOST_RUNS
from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from wasabi_protocol.signed.messages import Doing

NOTHING, COMPOSING, PAUSED, LOST = "", "composing", "paused", "lost"
BACK_WITHIN = 3.0
"""Seconds in which a seat that is asked whether it is there may be heard, perhaps over another broker."""
ASK_PAUSE = 5.0
"""Seconds between two such questions: anyone can repeat that a connection is lost."""


@dataclass
class _Heard:
    """What is known of one seat; words of an earlier run do not count."""

    run: bytes
    counters: dict[bytes, int] = field(default_factory=dict)
    """The last `n` of each run, since one that is over may come back."""
    what: str = NOTHING
    slot: int = 0
    lost: bool = False
    """Whether a broker said that it lost it, and it was not heard since."""
    asked: float = -ASK_PAUSE
    """When it was last asked whether it is there."""
    unasked: bool = False
    """Whether it is still to be asked about its present loss."""


class Doings:
    """Keeps the last word of each seat. Only a head makes the run known whose words count."""

    def __init__(self, table: str, keys: tuple[bytes, ...]) -> None:
        self._table = table
        self._keys = keys
        self._heard: dict[int, _Heard] = {}

    def head(self, seat: int, run: bytes) -> None:
        """A new head of a seat, in this run."""
        known = self._heard.setdefault(seat, _Heard(run))
        if known.run != run:
            # Anything else is kept: a seat that begins run after run is asked no more often.
            known.run, known.what = run, NOTHING
        self.alive(seat)

    def alive(self, seat: int) -> None:
        """A live word of a seat: it has a connection."""
        if seat in self._heard:
            self._heard[seat].lost = False

    def forget(self) -> None:
        """We were away ourselves: what lasts is said again."""
        for known in self._heard.values():
            known.what, known.lost = NOTHING, False

    def receive(self, key: bytes, doing: Doing) -> None:
        """Takes a verified word."""
        if doing.table != self._table:
            raise Refused(Code.WRONG_TABLE)
        if doing.key != key:
            raise Refused(Code.WRONG_KEY)
        if key not in self._keys:
            raise Refused(Code.NOT_A_SEAT)
        seat = self._keys.index(key)
        if doing.what == LOST:
            # It may have vanished before its first head came; asked, it would answer.
            self._heard.setdefault(seat, _Heard(doing.run))
        known = self._heard.get(seat)
        if known is None or known.run != doing.run:
            return
        if doing.what == LOST:
            # It was signed before the connection, so its counter only tells it from those of other connections.
            known.unasked |= not known.lost
            known.lost = True
        elif doing.n > known.counters.get(doing.run, -1):
            known.counters[doing.run] = doing.n
            known.what, known.slot, known.lost = doing.what, doing.slot, False
            if len(known.counters) > MOST_RUNS:
                del known.counters[next(iter(known.counters))]

    def questions(self, now: float) -> list[int]:
        """The seats that are to be asked now whether they are there."""
        lost = [seat for seat, known in self._heard.items() if known.lost and known.unasked]
        due = [seat for seat in lost if now >= self._heard[seat].asked + ASK_PAUSE]
        for seat in due:
            self._heard[seat].asked, self._heard[seat].unasked = now, False
        return due

    def word(self, seat: int, slot: int, now: float) -> str:
        """What a seat is doing, while this slot is open."""
        known = self._heard.get(seat)
        if known is None:
            return NOTHING
        if known.lost and not known.unasked and now - known.asked >= BACK_WITHIN:
            return LOST
        return NOTHING if known.what == COMPOSING and known.slot != slot else known.what
