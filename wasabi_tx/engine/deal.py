"""The dealer of local games: it supplies what chance decides, from orders that the caller makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .card import Card, make_card
from .errors import Malformed
from .position import Position
from .rules import Rules
from .step import Step

Shuffle = Callable[[str, Sequence[int]], Sequence[int]]
"""Puts a pile, known by its label, into an order: the same label and pile always give the same order."""


class Dealer:
    """Knows what every sealed card shows, and deals the steps that are chance's to take."""

    def __init__(self, rules: Rules[Any], shuffle: Shuffle) -> None:
        self.rules = rules
        self.faces: dict[Card, int] = {}
        for deck in rules.deck_sizes():
            pile = rules.edition.deck_faces(deck)
            order = tuple(shuffle(f"deck {deck}", pile))
            if sorted(order) != sorted(pile):
                raise Malformed("deck-order", deck=deck)
            self.faces.update({make_card(deck, place): face for place, face in enumerate(order)})

    def supply(self, position: Position) -> Step | None:
        """The step that the position waits for, or None while a player is to move."""
        return None
