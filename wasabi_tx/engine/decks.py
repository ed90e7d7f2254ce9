"""Decks of sealed cards: drawn from the top, returned to the bottom, rebuilt when reshuffled."""

from __future__ import annotations

from collections.abc import Iterable

from .sealed_card import Card, deck_of, make_card

Decks = list[tuple[Card, ...]]
"""The decks by number, top card first; numbers that an edition lacks are empty. A recipe deck's number is its length.
"""


def returned(decks: Decks, cards: Iterable[Card]) -> Decks:
    """Return the decks with these cards at the bottom, in the order given."""
    decks = decks.copy()
    for card in cards:
        decks[deck_of(card)] += (card,)
    return decks


def named(deck: int, count: int, epoch: int) -> tuple[Card, ...]:
    """Return a freshly shuffled deck of `count` cards."""
    return tuple(make_card(deck, place, epoch) for place in range(count))


def rebuilt(decks: Decks, cards: Iterable[Card], epoch: int) -> Decks:
    """Return decks of their own cards plus these, reshuffled: every card gets a new name."""
    return [named(deck, len(left), epoch) for deck, left in enumerate(returned(decks, cards))]
