"""A batch of shuffles, known before their turn from a file or an answer; consecutive ones are checked at once.

Nothing here is trusted. A check's result is a fact about decks, place and payload; if a row fails, each shuffle is
checked when its turn comes.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from wasabi_protocol.game.chain import link
from wasabi_protocol.sealed import decks as sealed
from wasabi_protocol.sealed.errors import SealedError
from wasabi_protocol.sealed.state import Place
from wasabi_protocol.signed.codec import parse_as
from wasabi_protocol.signed.messages import Shuffle
from wasabi_protocol.verdicts import Refused

if TYPE_CHECKING:
    from wasabi_protocol.sealed.state import Decks
    from wasabi_protocol.signed.envelope import Signed

MOST = 64
"""Most shuffles kept; any others are checked one by one."""


class ShuffleBatch:
    """The shuffles known so far, keyed by the past they name."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, tuple[Shuffle, bytes]] = {}
        self._found: dict[bytes, tuple[Shuffle, sealed.Checked]] = {}

    def note(self, signed: Signed) -> None:
        """Keep a shuffle for its turn; ignore anything else."""
        if len(self._waiting) >= MOST:
            return
        with suppress(Refused):
            entry = parse_as(Shuffle, signed.body)
            self._waiting.setdefault(entry.prev, (entry, link([signed.body])))

    def check(self, decks: Decks, entry: Shuffle) -> sealed.Checked:
        """Return the result of `sealed.check` for a shuffle, computed now or earlier."""
        shuffle, checked = self._found.pop(entry.prev, (None, None))
        if checked is not None and shuffle == entry and checked.decks == decks:
            return checked
        row = self._row(entry)
        if len(row) > 1:
            try:
                first, *rest = sealed.check_row(decks, [_message(shuffle) for shuffle in row])
            except SealedError:
                pass
            else:
                self._found = {later.prev: (later, found) for later, found in zip(row[1:], rest, strict=True)}
                return first
        place, seat, work = _message(entry)
        return sealed.check(decks, place, seat, Shuffle.t, work)

    def _row(self, entry: Shuffle) -> list[Shuffle]:
        """Return the shuffle and those that follow it without a gap."""
        row, prev = [], entry.prev
        while prev in self._waiting:
            shuffle, prev = self._waiting.pop(prev)
            row.append(shuffle)
        return row if row[:1] == [entry] else []


def _message(entry: Shuffle) -> sealed.SealedMessage:
    return sealed.SealedMessage(Place(entry.slot, entry.prev), entry.seat, entry.work)
