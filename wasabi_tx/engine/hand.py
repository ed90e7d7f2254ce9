"""What a player holds, one card more or less; and every way to give recipes back."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import chain, permutations

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

    # Looked at several times in its turn and hardly ever again: keeping more costs the garbage collector more.
    @lru_cache(maxsize=64)
    def returns(recipes: tuple[Card, ...]) -> list[Step]:
        ways = _ways(len(recipes), 0 if len(recipes) < none_below else 1)
        return [_new_step(Step, (verb, way)) for way in ways(*sorted(recipes))]

    return returns


_new_step = tuple.__new__


@cache
def _ways(count: int, least: int) -> Callable[..., tuple[tuple[Card, ...], ...]]:
    """What makes of a sorted hand every order of every choice of so many or more, in sorted order.

    Written out and compiled, since nearly every turn has a new hand and `permutations` would have to be sorted.
    """
    names = [f"card{n}" for n in range(count)]
    orders = chain.from_iterable(permutations(range(count), n) for n in range(least, count + 1))
    ways = "".join(f"({''.join(names[n] + ',' for n in order)})," for order in sorted(orders))
    made: Callable[..., tuple[tuple[Card, ...], ...]] = eval(f"lambda {', '.join(names)}: ({ways})")
    return made
