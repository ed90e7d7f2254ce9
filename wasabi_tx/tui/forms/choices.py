"""Choices on several forms: the rival at a seat, and the edition, with a sentence about each."""

from __future__ import annotations

from collections.abc import Collection

from ...text import Texts
from ...view.names import BY_LOT, PERSON, RIVALS
from .form import Field, following

PLAIN = "plain"
"""The name, for pictures and sentences, of the character who plays for points alone."""


def rival_name(other: str, texts: Texts) -> str:
    """Return the name of a rival, of a second person at the keyboard, or of a random choice."""
    return other if other in RIVALS else texts.say("new-game.person" if other == PERSON else "new-game.by-lot")


def rival_field(field: str, label: str, other: str, texts: Texts, seat: int = 0) -> Field:
    """Make the field of a seat: its player and a sentence about them."""
    say, name = texts.say, rival_name(other, texts)
    character = (RIVALS[other] or PLAIN) if other in RIVALS else "person" if other == PERSON else "lot"
    about = say(f"seat.about.{character}") if other in RIVALS else say(f"new-game.about-{character}")
    value = f"{name} · {say(f'seat.{RIVALS[other]}')}" if RIVALS.get(other) else name
    return Field(field, label, value, about, name, seat, character)


def next_rival(other: str, by: int, taken: Collection[str], also: Collection[str] = ()) -> str:
    """Return the next or previous choice, skipping `taken` rivals because each plays only once."""
    return following([one for one in (BY_LOT, *RIVALS, *also) if one not in RIVALS or one not in taken], other, by)


def edition_about(edition: str, texts: Texts) -> str:
    """Return a sentence about an edition."""
    key = f"new-game.about-edition.{edition}"
    return texts.say(key if texts.knows(key) else "new-game.about-edition.own")
