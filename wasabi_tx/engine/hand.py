"""What a player holds, one card more or less; and every way to give recipes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import permutations

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
        least = 0 if len(cards) < none_below else 1
        ways = _ways(cards, least)
        return [_new_step(Step, (verb, ways[index])) for index in _sorting(len(cards), least)]

    return returns


_new_step = tuple.__new__


def _ways(cards: Sequence[int], least: int) -> list[tuple[int, ...]]:
    """Every order of every choice of so many or more."""
    ways: list[tuple[int, ...]] = []
    for count in range(least, len(cards) + 1):
        ways += permutations(cards, count)
    return ways


@cache
def _sorting(count: int, least: int) -> list[int]:
    """In which order the ways of a sorted hand are sorted: the same for every hand of that size."""
    ways = _ways(range(count), least)
    return sorted(range(len(ways)), key=ways.__getitem__)
