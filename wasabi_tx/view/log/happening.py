"""A happening: the visible effects of a move on a table: squares, completed recipes, points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...engine.position import Position
from ...engine.rules import AnyRules
from ...engine.step import Step
from ..table.recipe import Completion, completion_of
from .chronicle import changed_squares


@dataclass(frozen=True)
class Happening:
    seat: int
    changed: tuple[int, ...]
    """Squares that look different now."""
    completed: tuple[Completion, ...]
    gained: int
    """Points and cubes, from recipes or a card."""


def happening_of(rules: AnyRules, seat: int, before: Position, steps: Sequence[Step]) -> Happening:
    """Return the effects of these steps, which must be legal."""
    completed, position = [], before
    for step in steps:
        if step.verb in rules.claiming:
            completed.append(completion_of(rules, position, step))
        position = rules.without_chance(rules.apply(position, step))
    gained = position.seats[seat].score - before.seats[seat].score
    return Happening(seat, tuple(changed_squares(before, position)), tuple(completed), gained)
