"""The dealer of local games: it deals whatever chance decides, in orders supplied by the caller."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .errors import Malformed
from .position import Position
from .rules import AnyRules
from .sealed_card import Card, Faces, deck_of
from .step import Step

Shuffle = Callable[[str, Sequence[int]], Sequence[int]]
"""Puts a pile, identified by its label, into an order; the same label and pile always give the same order."""


class Dealer:
    """Knows the face of every sealed card and supplies the steps that belong to chance."""

    def __init__(self, rules: AnyRules, shuffle: Shuffle) -> None:
        self.rules = rules
        self.faces: dict[Card, int] = {}
        self._shuffle = shuffle
        self._epoch = 0
        decks = rules.fresh_decks()
        for deck in rules.deck_numbers:
            self._order(f"deck {deck}", decks[deck], rules.deck_faces(deck))

    @classmethod
    def imagined(cls, rules: AnyRules, position: Position, known: Faces, shuffle: Shuffle) -> Dealer:
        """Return a dealer for a world consistent with a position and with the faces that an observer knows."""
        dealer = cls(rules, shuffle)
        dealer.faces, dealer._epoch = dict(known), position.epoch
        for deck in rules.deck_numbers:
            held = [card for seat in position.seats for card in seat.recipes if deck_of(card) == deck]
            hidden = [card for card in held if card not in known]
            dealer._order(
                f"imagined deck {deck}", [*hidden, *position.decks[deck]], rules.unseen(position, deck, known)
            )
        return dealer

    def supply(self, position: Position) -> Step | None:
        """Return the chance step that the position waits for, or None while a player is to move.

        Call it after every step: it also learns the cards of a deck that has been reshuffled.
        """
        if position.epoch != self._epoch:
            self._learn(position)
        card = self.rules.awaited(position)
        return None if card is None else Step("turn", (card, self.faces[card]))

    def _learn(self, position: Position) -> None:
        self._epoch, decks = position.epoch, position.decks
        for deck in self.rules.deck_numbers:
            if any(card not in self.faces for card in decks[deck]):
                pile = self.rules.unseen(position, deck, self.faces)
                self._order(f"deck {deck}, epoch {position.epoch}", decks[deck], pile)

    def _order(self, label: str, cards: Sequence[Card], pile: Sequence[int]) -> None:
        order = tuple(self._shuffle(label, pile))
        if len(order) != len(cards) or sorted(order) != sorted(pile):
            raise Malformed("deck-order", deck=label)
        self.faces.update(zip(cards, order, strict=True))
