"""Decks of sealed cards: taken from the top, returned to the bottom, rebuilt when they are shuffled again."""

from __future__ import annotations

from collections.abc import Iterable

from .card import Card, deck_of, make_card

Decks = list[tuple[Card, ...]]
"""By number, the top card first; numbers that an edition lacks are empty. A deck of recipes has their length."""


def returned(decks: Decks, cards: Iterable[Card]) -> Decks:
    """The decks with these cards at the bottom, in the order given."""
    decks = decks.copy()
    for card in cards:
        decks[deck_of(card)] += (card,)
    return decks


def named(deck: int, count: int, epoch: int) -> tuple[Card, ...]:
    """A freshly shuffled deck of that many cards."""
    return tuple(make_card(deck, place, epoch) for place in range(count))


def rebuilt(decks: Decks, cards: Iterable[Card], epoch: int) -> Decks:
    """Decks of the same cards and these ones, shuffled again: every card has a new name."""
    return [named(deck, len(left), epoch) for deck, left in enumerate(returned(decks, cards))]
