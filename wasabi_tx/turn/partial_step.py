"""A step that somebody has begun to choose: what it can still become, and what may come next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..engine.notation import Kind
from ..engine.rules import AnyRules
from ..engine.step import Step

SQUARES = frozenset({Kind.SQUARE, Kind.OPTIONAL_SQUARE})
CODES = (Kind.TILE, Kind.ACTION)
"""Kinds that are chosen by two letters."""


@dataclass(frozen=True)
class PartialStep:
    """A step that is half chosen: the verbs that it can become, and the arguments so far."""

    verbs: tuple[str, ...] = ()
    args: tuple[int, ...] = ()
    aside: PartialStep | None = None
    """The step that was held before this one, and is held again after it."""

    def __bool__(self) -> bool:
        return bool(self.verbs)

    def with_arg(self, number: int) -> PartialStep:
        return PartialStep(self.verbs, (*self.args, number), self.aside)

    def without_last(self) -> PartialStep:
        """Return the step with one argument less; empty if only the verb was chosen."""
        if self.aside is not None and len(self.args) <= 1:
            return self.aside
        return PartialStep(self.verbs, self.args[:-1]) if self.args else PartialStep()


def returns_recipes(rules: AnyRules, begun: PartialStep) -> bool:
    """Return whether recipes are being picked to go back."""
    return bool(begun) and Kind.CARDS in rules.verbs[begun.verbs[0]]


def fitting(rules: AnyRules, steps: Sequence[Step], begun: PartialStep) -> list[Step]:
    """Return the steps that it can still become; the two squares of an action card may come in either order."""
    count = len(begun.args)
    found = []
    for step in steps:
        if step.verb not in begun.verbs:
            continue
        turned = step.args[::-1] if _turns(rules, step) else step.args
        if begun.args in (step.args[:count], turned[:count]):
            found.append(step)
    return found


def _turns(rules: AnyRules, step: Step) -> bool:
    return rules.verbs[step.verb] == (Kind.SQUARE, Kind.SQUARE) and rules.slots[step.verb] == "action"


def nexts(rules: AnyRules, fits: Sequence[Step], begun: PartialStep) -> dict[Kind, list[int]]:
    """Return what may come next to become one of these steps, by kind, sorted.

    Recipes that go back are not included, because any number of them may be picked.
    """
    if returns_recipes(rules, begun):
        return {}
    count = len(begun.args)
    found: dict[Kind, set[int]] = {}
    for step in fits:
        if len(step.args) <= count:
            continue
        args = step.args
        if _turns(rules, step) and args[:count] != begun.args:
            args = args[::-1]
        found.setdefault(rules.verbs[step.verb][count], set()).add(args[count])
        if _turns(rules, step) and not count:
            found[Kind.SQUARE].add(args[1])
    return {kind: sorted(numbers) for kind, numbers in found.items()}
