"""A player's hand: adding and removing action cards, and every way to return recipes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain, permutations
from operator import itemgetter
from typing import TypeAlias, overload

from .position import Seat
from .sealed_card import Card
from .step import Step
from .step_list import Block


def with_card(seat: Seat, card: int) -> Seat:
    """Return a fresh copy of the seat with this action card added."""
    seat = seat.evolve()
    seat.cards = tuple(sorted((*seat.cards, card)))
    return seat


def without_card(seat: Seat, card: int) -> Seat:
    """Return a fresh copy of the seat with one copy of this action card removed."""
    seat = seat.evolve()
    index = seat.cards.index(card)
    seat.cards = seat.cards[:index] + seat.cards[index + 1 :]
    return seat


Pick: TypeAlias = Callable[[tuple[Card, ...]], tuple[Card, ...]]
"""Selects some cards of a sorted hand, in a certain order."""


class Returning:
    """Ways to return recipes of a hand, in any order; returning none needs a hand of fewer than `none_below`."""

    def __init__(self, verb: str, none_below: int) -> None:
        self.verb = verb
        self.none_below = none_below
        self._picks: Callable[[int], tuple[list[Pick], range]] = cache(self._make_picks)

    def row(self, recipes: tuple[Card, ...]) -> Block:
        """Return every way for a hand, sorted."""
        picks, places = self._picks(len(recipes))
        return (_Ways(self.verb, recipes, picks),), places

    def _make_picks(self, count: int) -> tuple[list[Pick], range]:
        """Make a selector for each way to return recipes of a sorted hand of this size; also return the range of their
        places.
        """
        picks = [_picking(order) for order in _orders(count, int(count >= self.none_below))]
        return picks, range(len(picks))

    def without(self, seat: Seat, cards: tuple[Card, ...]) -> tuple[Seat, list[Card]] | None:
        """Return a fresh copy of the seat without these recipes, and the recipes; None if that is not possible."""
        kept, given = list(seat.recipes), []
        if not cards and len(kept) >= self.none_below:
            return None
        for card in cards:
            try:
                index = kept.index(card)
            except ValueError:
                return None
            # Keep the hand's own number: 513.0 equals 513, but only the int is a card.
            given.append(kept.pop(index))
        seat = seat.evolve()
        seat.recipes = tuple(kept)
        return seat, given


class _Ways(Sequence[Step]):
    """A sequence of steps, one for each selection of cards; each step is made when it is read."""

    __slots__ = ("_cards", "_picks", "_verb")

    def __init__(self, verb: str, cards: tuple[Card, ...], picks: list[Pick]) -> None:
        self._verb = verb
        self._cards = cards
        self._picks = picks

    def __len__(self) -> int:
        return len(self._picks)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        if isinstance(index, slice):
            return list(self)[index]
        return tuple.__new__(Step, (self._verb, self._picks[index](tuple(sorted(self._cards)))))

    def __iter__(self) -> Iterator[Step]:
        cards, verb, new = tuple(sorted(self._cards)), self._verb, tuple.__new__
        return iter([new(Step, (verb, pick(cards))) for pick in self._picks])


def _picking(order: tuple[int, ...]) -> Pick:
    """Return a function that makes a tuple of the cards at these places, even of one or none."""
    return itemgetter(*order) if len(order) > 1 else itemgetter(slice(order[0], order[0] + 1) if order else slice(0))


def _orders(count: int, least: int) -> list[tuple[int, ...]]:
    """Return every ordering of every choice of at least `least` of the first `count` numbers, sorted."""
    return sorted(chain.from_iterable(permutations(range(count), n) for n in range(least, count + 1)))
