"""The lobby as a screen lists it: tables to join first, then those to watch, then the doubtful."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...table.online.lobby import Offering
from ...text import Texts


@dataclass(frozen=True)
class LobbyRow:
    """A table in the list; every word of it is harmless."""

    offer: Offering
    edition: str
    seats: str
    state: str
    age: str

    @property
    def open(self) -> bool:
        return not self.offer.begun and self.offer.taken < self.offer.seats


@dataclass(frozen=True)
class LobbyColumn:
    """A column of the list: what it shows of a table, and what it is sorted by."""

    name: str
    """`lobby.column.NAME` is its title."""
    text: Callable[[LobbyRow], str]
    order: Callable[[Offering], tuple[object, ...]]


def _best_first(offer: Offering) -> tuple[bool, bool, bool]:
    return not offer.fresh, offer.begun, offer.taken >= offer.seats


COLUMNS = (
    LobbyColumn("table", lambda row: row.offer.table[:6], lambda offer: (offer.table,)),
    LobbyColumn("edition", lambda row: row.edition, lambda offer: (offer.edition,)),
    LobbyColumn("seats", lambda row: row.seats, lambda offer: (offer.taken - offer.seats, offer.seats)),
    LobbyColumn("state", lambda row: row.state, _best_first),
    LobbyColumn("age", lambda row: row.age, lambda offer: (offer.age,)),
    LobbyColumn("host", lambda row: row.offer.host, lambda offer: (offer.host.casefold(),)),
    LobbyColumn("key", lambda row: row.offer.fingerprint, lambda offer: (offer.fingerprint,)),
)
BY_STATE = "state"
"""What the list is sorted by until somebody wants something else."""


def lobby_rows(
    offers: Iterable[Offering], name_of: Callable[[str], str], texts: Texts, by: str = BY_STATE, reverse: bool = False
) -> list[LobbyRow]:
    """Each offer as a row, sorted by a column; `name_of` knows what editions are called."""
    order = next(column.order for column in COLUMNS if column.name == by)
    ordered = sorted(sorted(offers, key=lambda offer: offer.table), key=order, reverse=reverse)
    return [
        LobbyRow(
            offer,
            name_of(offer.edition),
            texts.say("lobby.seats", taken=offer.taken, seats=offer.seats),
            texts.say(f"lobby.{state_of(offer)}"),
            age_words(offer.age, texts),
        )
        for offer in ordered
    ]


def state_of(offer: Offering) -> str:
    if not offer.fresh:
        return "unsure"
    return "begun" if offer.begun else "full" if offer.taken >= offer.seats else "open"


def age_words(seconds: int, texts: Texts) -> str:
    """How long it has been seen."""
    if seconds < 60:
        return texts.say("lobby.seconds", count=seconds)
    return texts.say("lobby.minutes", count=seconds // 60)
