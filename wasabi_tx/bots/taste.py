"""The taste of a bot: its preferences besides points, so that one plays for long recipes and another for style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from wasabi_tx.engine.edition import Recipe
from wasabi_tx.engine.position import Claimed
from wasabi_tx.engine.rules import AnyRules

USUAL = 3
"""The length of a recipe that is neither long nor short."""


class Prize(NamedTuple):
    """The value of completing a recipe, without style and with it."""

    plain: float
    styled: float


@dataclass(frozen=True)
class Taste:
    style: float = 0.0
    """The value of a cube won by style, in addition to its point."""
    length: float = 0.0
    """The value of each tile of a completed recipe above the third, in addition to its points, and the cost of each
    below.
    """

    def prize(self, recipe: Recipe) -> Prize:
        plain, styled = recipe.points, recipe.points + recipe.style
        return Prize(plain + self._liking(recipe, 0), styled + self._liking(recipe, recipe.style))

    def enjoyed(self, claimed: Iterable[Claimed], recipes: Sequence[Recipe]) -> float:
        """Return what completed recipes are worth in addition to their points."""
        if not self.style and not self.length:
            return 0.0
        return sum([self._liking(recipes[done.recipe], done.cubes) for done in claimed])

    def _liking(self, recipe: Recipe, cubes: int) -> float:
        return self.length * (recipe.length - USUAL) + self.style * cubes


POINTS_ALONE = Taste()


@lru_cache(maxsize=64)
def prizes(rules: AnyRules, taste: Taste) -> tuple[Prize, ...]:
    """Return the prize of each recipe; cached, because every judge asks for them."""
    return tuple(map(taste.prize, rules.edition.recipes))
