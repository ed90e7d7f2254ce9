"""Chance for local games, from a seed: the same seed always gives the same game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..engine.deal import Shuffle


def seeded_shuffle(seed: str) -> Shuffle:
    """Orders piles by the seed and their label.

    Sorting by `random()` rather than `shuffle()`: only the former is promised to stay the same between Pythons.
    """

    def shuffle(label: str, pile: Sequence[int]) -> list[int]:
        source = Random(f"{seed} {label}")
        return [item for _, item in sorted((source.random(), item) for item in pile)]

    return shuffle


def seeded_first(seed: str, players: int) -> int:
    """The starting player."""
    return int(Random(f"{seed} first").random() * players)
