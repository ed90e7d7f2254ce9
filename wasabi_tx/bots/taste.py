"""The taste of a bot: what it likes beside points, so that one plays for long recipes and another for style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wasabi_tx.engine.edition import Recipe
from wasabi_tx.engine.position import Claimed

USUAL = 3
"""Tiles of a recipe that nobody calls long or short."""


class Prize(NamedTuple):
    """What completing a recipe is worth, without style and with it."""

    plain: float
    styled: float


@dataclass(frozen=True)
class Taste:
    style: float = 0.0
    """What a cube won by style is worth beside the point that it is."""
    length: float = 0.0
    """What each tile of a completed recipe above the third is worth beside its points; a missing one costs as much."""

    def prizes(self, recipes: Iterable[Recipe]) -> list[Prize]:
        return [
            Prize(one.points + self._liking(one, 0), one.points + one.style + self._liking(one, one.style))
            for one in recipes
        ]

    def enjoyed(self, claimed: Iterable[Claimed], recipes: Sequence[Recipe]) -> float:
        """What completed recipes are worth beside their points."""
        if not self.style and not self.length:
            return 0.0
        return sum([self._liking(recipes[done.recipe], done.cubes) for done in claimed])

    def _liking(self, recipe: Recipe, cubes: int) -> float:
        return self.length * (recipe.length - USUAL) + self.style * cubes


POINTS_ALONE = Taste()
