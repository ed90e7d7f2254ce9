"""The columns of the lobby, each self-contained, and the tables as rows of them.

A new column needs an entry in `COLUMNS` and a title in the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...online.lobby import Offering
from ...online.terms import BY_CORRESPONDENCE, DAY, HINTS, HOUR, counts_days
from ...text import Texts

WIDE = 100
"""The least line width for columns of their preferred width."""
MARK = 2
"""Cells in front of the first column."""


@dataclass(frozen=True)
class Reader:
    """The reader of the list: their language, and the names of editions in it."""

    texts: Texts
    edition_name: Callable[[str], str]


@dataclass(frozen=True, kw_only=True)
class LobbyColumn:
    """A column: its text for a table, its sort key and its width."""

    name: str
    """The name, with `lobby.column.NAME` as its title."""
    text: Callable[[Offering, Reader], str]
    order: Callable[[Offering], tuple[object, ...]]
    width: int
    """The width in cells, including the gap after it."""
    wide: int = 0
    """The same where there is room for more."""
    grows: bool = False
    """True if the column shares the remaining width of the line."""
    quiet: bool = False
    """True if nobody chooses a table by it."""
    whole: bool = True
    """True if truncation is marked; not for a fingerprint, since any part of it is useful."""


@dataclass(frozen=True)
class LobbyRow:
    """A table in the list, with one text for each column; all its words are harmless."""

    offer: Offering
    texts: tuple[str, ...]

    @property
    def open(self) -> bool:
        return is_open(self.offer)


def is_open(offer: Offering) -> bool:
    """Return whether a seat is still available."""
    return not offer.begun and offer.taken < offer.seats


def _best_first(offer: Offering) -> tuple[bool, bool, bool]:
    """Return a sort key: tables to join first, then those to watch, then the doubtful ones."""
    return not offer.fresh, offer.begun, offer.taken >= offer.seats


def _seats(offer: Offering, reader: Reader) -> str:
    return reader.texts.say("lobby.seats", taken=offer.taken, seats=offer.seats)


def state_words(offer: Offering, reader: Reader) -> str:
    """Return in a word whether a seat is available."""
    if not offer.fresh:
        state = "unsure"
    else:
        state = "begun" if offer.begun else "full" if offer.taken >= offer.seats else "open"
    return reader.texts.say(f"lobby.{state}")


def age_words(offer: Offering, reader: Reader) -> str:
    """Return how long the table has been seen, or a dash until its host has been heard."""
    if not offer.fresh:
        return "–"
    if offer.age < 60:
        return reader.texts.say("lobby.seconds", count=offer.age)
    return reader.texts.say("lobby.minutes", count=offer.age // 60)


def clock_words(offer: Offering, reader: Reader) -> str:
    """Return how long a turn may take."""
    if not offer.clock:
        return reader.texts.say("lobby.no-clock")
    if offer.clock < 60:
        return reader.texts.say("lobby.seconds", count=offer.clock)
    if offer.clock < BY_CORRESPONDENCE:
        return reader.texts.say("lobby.minutes", count=offer.clock // 60)
    if counts_days(offer.clock):
        return reader.texts.say("lobby.days", count=offer.clock // DAY)
    return reader.texts.say("lobby.hours", count=offer.clock // HOUR)


def _hints(offer: Offering, reader: Reader) -> str:
    return reader.texts.say("lobby.hints" if HINTS in offer.options else "lobby.no-hints")


COLUMNS = (
    LobbyColumn(
        name="table",
        text=lambda offer, _: offer.table[:6],
        order=lambda offer: (offer.table,),
        width=7,
    ),
    LobbyColumn(
        name="edition",
        text=lambda offer, reader: reader.edition_name(offer.edition),
        order=lambda offer: (offer.edition,),
        width=15,
        grows=True,
    ),
    LobbyColumn(
        name="seats",
        text=_seats,
        order=lambda offer: (offer.taken - offer.seats, offer.seats),
        width=7,
    ),
    LobbyColumn(
        name="clock",
        text=clock_words,
        order=lambda offer: (not offer.clock, offer.clock),
        width=9,
    ),
    LobbyColumn(
        name="hints",
        text=_hints,
        order=lambda offer: (HINTS not in offer.options,),
        width=7,
    ),
    LobbyColumn(
        name="state",
        text=state_words,
        order=_best_first,
        width=11,
    ),
    LobbyColumn(
        name="age",
        text=age_words,
        order=lambda offer: (offer.age,),
        width=7,
        quiet=True,
    ),
    LobbyColumn(
        name="host",
        text=lambda offer, _: offer.host,
        order=lambda offer: (offer.host.casefold(),),
        width=9,
        grows=True,
    ),
    LobbyColumn(
        name="key",
        text=lambda offer, _: offer.fingerprint,
        order=lambda offer: (offer.fingerprint,),
        width=6,
        wide=19,
        quiet=True,
        whole=False,
    ),
)
BY_STATE = "state"
"""The column that the list is sorted by at first."""


def lobby_rows(
    offers: Iterable[Offering], reader: Reader, by: str = BY_STATE, reverse: bool = False, only_open: bool = False
) -> list[LobbyRow]:
    """Return the offers as rows, sorted by a column; if `only_open`, only those with a seat available."""
    order = next(column.order for column in COLUMNS if column.name == by)
    ordered = sorted(sorted(offers, key=lambda offer: offer.table), key=order, reverse=reverse)
    rows = [LobbyRow(offer, tuple(column.text(offer, reader) for column in COLUMNS)) for offer in ordered]
    return [row for row in rows if not only_open or row.open]


def column_widths(width: int) -> list[int]:
    """Return the width of each column, in cells, in a line of this width."""
    widths = [(column.wide or column.width) if width >= WIDE else column.width for column in COLUMNS]
    growing = [number for number, column in enumerate(COLUMNS) if column.grows]
    spare = max(0, width - MARK - sum(widths)) // len(growing)
    for number in growing:
        widths[number] += spare
    return widths
