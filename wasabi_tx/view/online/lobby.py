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


def lobby_rows(offers: Iterable[Offering], name_of: Callable[[str], str], texts: Texts) -> list[LobbyRow]:
    """Each offer as a row; `name_of` knows what editions are called."""
    ordered = sorted(offers, key=lambda offer: (not offer.fresh, offer.begun, offer.taken >= offer.seats, offer.table))
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
