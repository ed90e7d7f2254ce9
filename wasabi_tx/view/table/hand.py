"""The hand by numbers: each item keeps its number while it is held, and a new one gets a free number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...engine.observe import Observation
from ...engine.position import Seat, empty_seat
from ...engine.rules import AnyRules


@dataclass(frozen=True)
class HandKeys:
    """The first number of each kind: tiles from 1, then cards, then recipes."""

    cards: int
    recipes: int


def keys_of(rules: AnyRules) -> HandKeys:
    """Return the first number of cards and of recipes, which stay the same for the whole game."""
    room = rules.hand_cards + ("discard" in rules.phases)
    return HandKeys(1 + rules.edition.hand_tiles, 1 + rules.edition.hand_tiles + room)


@dataclass(frozen=True)
class Hand:
    """A seat's hand, by number."""

    tiles: dict[int, int]
    cards: dict[int, int]
    recipes: dict[int, int]

    def recipe_key(self, card: int) -> int | None:
        return next((key for key, held in self.recipes.items() if held == card), None)


EMPTY = Hand({}, {}, {})


def hand_of(observation: Observation, before: Hand = EMPTY) -> Hand:
    """Assign numbers to the player's hand; items that were in it keep their numbers, new ones get the lowest free."""
    now, keys = _seat(observation), keys_of(observation.rules)
    return Hand(
        _numbered(1, before.tiles, now.tiles),
        _numbered(keys.cards, before.cards, now.cards),
        _numbered(keys.recipes, before.recipes, now.recipes),
    )


def _seat(observation: Observation) -> Seat:
    return empty_seat() if observation.seat is None else observation.position.seats[observation.seat]


def _numbered(first: int, before: Mapping[int, int], now: Sequence[int]) -> dict[int, int]:
    left = Counter(now)
    found = {}
    for key, item in before.items():
        if left[item]:
            left[item] -= 1
            found[key] = item
    free = (key for key in range(first, first + len(before) + len(now)) if key not in found)
    found.update(zip(free, left.elements(), strict=False))
    return dict(sorted(found.items()))
