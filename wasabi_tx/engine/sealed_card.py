"""Sealed cards: a card is named by its deck and its place in it; its face may be known or not.

A card is an int of three parts, epoch, deck and place, so that it is small, sorts and hashes well. Its text is
`deck.place`, or `deck.place@epoch` once decks have been rebuilt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import Malformed

Card = int
Faces = Mapping[Card, int]
"""The known faces: for each card the number of its recipe in the edition."""

LAST_CARD = 9999 << 16 | 255 << 8 | 255

_TEXT = re.compile(r"([0-9]{1,3})\.([0-9]{1,3})(?:@([0-9]{1,4}))?", re.ASCII)


def make_card(deck: int, place: int, epoch: int = 0) -> Card:
    return epoch << 16 | deck << 8 | place


def deck_of(card: Card) -> int:
    return card >> 8 & 255


def format_card(card: Card) -> str:
    epoch = card >> 16
    return f"{card >> 8 & 255}.{card & 255}" + (f"@{epoch}" if epoch else "")


def parse_card(text: str) -> Card:
    found = _TEXT.fullmatch(text)
    if found is None:
        raise Malformed("card", text=text)
    deck, place, epoch = int(found[1]), int(found[2]), int(found[3] or 0)
    card = make_card(deck, place, epoch)
    if deck > 255 or place > 255 or format_card(card) != text:
        raise Malformed("card", text=text)
    return card
