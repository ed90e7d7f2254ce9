"""A preview: what the step under the cursor would complete or bring nearer."""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.board import TILE_MASK
from ..engine.errors import RulesError
from ..engine.step import Step
from ..games.draft import Draft
from ..view.table.defaults import own_seat
from ..view.table.recipe import Completion
from ..view.table.recipe_progress import complete_line, completions, find_progress
from .plan import Plan


@dataclass(frozen=True)
class Nearer:
    """A recipe that a step brings nearer: how far, and on which squares."""

    recipe: int
    have: int
    length: int
    squares: tuple[int, ...]


@dataclass(frozen=True)
class Preview:
    step: Step
    ghost: tuple[tuple[int, int], ...] = ()
    """Tiles that would lie on squares."""
    completes: tuple[Completion, ...] = ()
    nearer: tuple[Nearer, ...] = ()
    waits: tuple[Completion, ...] = ()
    """Recipes that already lie complete and can be completed after it."""
    cubes: int = 0
    """Cubes that it gains at once."""


def preview_of(plan: Plan) -> Preview | None:
    """Return the effect of Enter with the held thing if it would finish a step; otherwise None."""
    if not plan.begun or plan.cursor not in plan.squares:
        return None
    begun = plan.begun.with_arg(plan.cursor)
    found = [step for step in plan.moment.fitting(begun) if len(step.args) == len(begun.args)]
    if not found:
        return None
    step, before = found[0], plan.draft.observation
    trial = Draft(before)
    try:
        trial.add(step)
    except RulesError:
        return None
    old, new = before.position.board, trial.position.board
    ghost = tuple(
        (square, new.stacks[square] & TILE_MASK)
        for square in range(len(new.stacks))
        if old.stacks[square] != new.stacks[square]
    )
    known = {one.recipe for one in completions(before)}
    then = [] if trial.complete else [one for one in completions(trial.observation) if one.recipe not in known]
    waits = tuple(one for one in then if complete_line(plan.rules, before.position, one.recipe))
    now = tuple(one for one in then if one not in waits)
    nearer = _nearer(plan, trial, {one.recipe for one in then}, {tile for _, tile in ghost})
    seat = before.position.mover
    cubes = trial.position.seats[seat].cubes - before.position.seats[seat].cubes
    return Preview(step, ghost, now, nearer, waits, cubes)


def _nearer(plan: Plan, trial: Draft, completed: set[int], laid: set[int]) -> tuple[Nearer, ...]:
    """Return recipes in hand that the step brings nearer, through the cursor's square."""
    rules, before = plan.rules, plan.draft.observation
    seat = own_seat(before)
    found = []
    for card in seat.recipes:
        face = before.faces.get(card)
        if face is None or face in completed or laid.isdisjoint(rules.strips[face].tiles):
            continue
        old = find_progress(rules, before.position, face, seat.tiles)
        new = find_progress(rules, trial.position, face, seat.tiles)
        if new.have > old.have and plan.cursor in new.squares:
            found.append(Nearer(face, new.have, new.length, new.squares))
    return tuple(found)
