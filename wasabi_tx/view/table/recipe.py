"""Recipes: what they are called, where they lie, and what completing one is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...engine.board import find_match
from ...engine.position import Position
from ...engine.rules import AnyRules
from ...engine.step import Step
from ...text import Texts


@dataclass(frozen=True)
class Completion:
    """A recipe that a step completes: what it is worth, and where it lies."""

    step: Step
    recipe: int
    points: int
    cubes: int
    squares: tuple[int, ...]


def completion_of(rules: AnyRules, before: Position, step: Step) -> Completion:
    """Return the worth of a claim, which has to be legal."""
    recipe = step.args[1]
    after = rules.apply(before, step)
    seat, earlier = after.seats[before.mover], before.seats[before.mover]
    match = find_match(rules.grid, before.board, before.changed, rules.strips[recipe])
    squares = tuple(range(rules.grid.size))[match.window] if match else ()
    return Completion(step, recipe, seat.points - earlier.points, seat.cubes - earlier.cubes, squares)


def long_worth(points: int, extra: str, texts: Texts) -> str:
    """Format the worth of a recipe: `4 pt ★1`."""
    return f"{points} {texts.say('recipe.points')} {extra}".rstrip()


def short_worth(points: int, extra: str, texts: Texts) -> str:
    """Format the worth of a recipe where there is little room: `4★1`."""
    return f"{points}{extra}" if extra else long_worth(points, extra, texts)


def window_name(rules: AnyRules, squares: Sequence[int]) -> str:
    """Name a straight row of squares by its ends: `b3–d3`."""
    return f"{rules.grid.names[squares[0]]}–{rules.grid.names[squares[-1]]}" if squares else ""


def recipe_name(rules: AnyRules, texts: Texts, recipe: int) -> str:
    return rules.edition.recipes[recipe].names[texts.language]


def strip_codes(rules: AnyRules, recipe: int) -> str:
    return " ".join(rules.code(tile) for tile in rules.strips[recipe].tiles)
