"""Decks of sealed cards: taken from the top, returned to the bottom, rebuilt when somebody vanished."""

from __future__ import annotations

from collections.abc import Iterable

from .card import Card, deck_of, make_card

Decks = list[tuple[Card, ...]]
"""By the length of their recipes, the top card first; lengths that an edition lacks are empty."""


def returned(decks: Decks, cards: Iterable[Card]) -> Decks:
    """The decks with these cards at the bottom, in the order given."""
    decks = decks.copy()
    for card in cards:
        deck = deck_of(card)
        decks[deck] = (*decks[deck], card)
    return decks


def rebuilt(decks: Decks, cards: Iterable[Card], epoch: int) -> Decks:
    """Decks of the same cards and these ones, shuffled anew: every card has a new name."""
    return [
        tuple(make_card(deck, place, epoch) for place in range(len(left)))
        for deck, left in enumerate(returned(decks, cards))
    ]
