"""What a player holds, one card more or less; and every way to give recipes back."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import chain, permutations
from operator import itemgetter

from .card import Card
from .position import Seat
from .step import Step

Returns = Callable[[tuple[Card, ...]], list[Step]]


def with_card(seat: Seat, card: int) -> Seat:
    """A fresh copy of the seat that holds one action card more."""
    seat = seat.evolve()
    seat.cards = tuple(sorted((*seat.cards, card)))
    return seat


def without_card(seat: Seat, card: int) -> Seat:
    """A fresh copy of the seat that holds one of these action cards less."""
    seat = seat.evolve()
    index = seat.cards.index(card)
    seat.cards = seat.cards[:index] + seat.cards[index + 1 :]
    return seat


def returning(verb: str, none_below: int) -> Returns:
    """What lists the ways to return some or all recipes of a hand, in any order; none only with fewer than so many."""

    @lru_cache(maxsize=4096)
    def returns(recipes: tuple[Card, ...]) -> list[Step]:
        cards = sorted(recipes)
        return [_new_step(Step, (verb, pick(cards))) for pick in _orders(len(cards), len(cards) < none_below)]

    return returns


_new_step = tuple.__new__


@cache
def _orders(count: int, none: bool) -> list[Callable[[list[Card]], tuple[Card, ...]]]:
    """Functions that pick every order of every choice from a sorted hand, in sorted order."""
    orders = chain.from_iterable(permutations(range(count), n) for n in range(0 if none else 1, count + 1))
    return [_picker(order) for order in sorted(orders)]


def _picker(order: tuple[int, ...]) -> Callable[[list[Card]], tuple[Card, ...]]:
    if len(order) < 2:
        return lambda cards: tuple(cards[n] for n in order)
    return itemgetter(*order)
