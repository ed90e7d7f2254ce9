"""Every step that the mover may take, or that chance may, in sorted order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from ...card import Faces
from ...claiming import complete_recipes
from ...position import Seat
from ...step import Step
from .position import ACTIONS, RECIPES, MasterPosition

if TYPE_CHECKING:
    from .rules import MasterRules

Columns = Sequence[tuple[Step, ...]]
"""The steps that put a tile on a square: by square, then by tile."""


def _play(rules: MasterRules, position: MasterPosition, faces: Faces) -> list[Step]:
    board, pantry, owed = position.board, position.pantry, position.owed
    seat = position.seats[position.mover]
    cards, free = seat.cards, board.free
    steps: list[Step] = []
    # Verbs in alphabetical order: the list is sorted without being sorted.
    if cards and rules.chop in cards:
        steps += compress(rules.chop_steps, board.packed)
    moved = position.moved
    for square in sorted(board.blocked):
        if not moved >> square & 1:
            steps += compress(rules.cup_steps[square], free)
    if owed and position.due:
        steps = from_pantry(rules.place_columns, free, pantry, steps)
    else:
        steps += rules.exchanging.steps(seat.recipes)
        steps += rules.gains(position.display)
        steps.append(rules.pool_step)
        if position.changed:
            steps += serves(rules, position, seat, faces)
    if cards:
        if rules.spicy in cards:
            steps = from_pantry(rules.spicy_columns, free, pantry, steps)
        if owed and rules.stack in cards:
            steps = from_pantry(rules.stack_columns, board.packed, pantry, steps)
        if rules.switch in cards:
            steps += rules.switches(board)
    return steps


def from_pantry(columns: Columns, squares: Sequence[int], pantry: list[int], before: list[Step]) -> list[Step]:
    """The steps before, then every tile of the pantry on each of these squares, by tile and then by square.

    There are hundreds of them. A column fills every n-th place of the list at once, and what the pantry lacks is cut
    out afterwards: half the time of looking at each step.
    """
    chosen = list(compress(columns, squares))
    width = len(chosen)
    steps: list[Step] = [_NO_STEP] * (width * (len(pantry) - 1))
    for offset, column in enumerate(chosen):
        steps[offset::width] = column
    if pantry.count(0) > 1:
        for tile in range(len(pantry) - 1, 0, -1):
            if not pantry[tile]:
                del steps[(tile - 1) * width : tile * width]
    # The long list takes up the short one: the other way round, each of its steps would be touched once more.
    steps[:0] = before
    return steps


_NO_STEP = Step("")


def serves(rules: MasterRules, position: MasterPosition, seat: Seat, faces: Faces) -> list[Step]:
    found = complete_recipes(rules, position, seat, faces)
    return [Step("serve", known) for known in found] if found else []


def _refill(rules: MasterRules, position: MasterPosition, faces: Faces) -> list[Step]:
    """What the top card may show; only what it does show, for whoever knows."""
    card = position.decks[ACTIONS][0]
    turns, face = rules.turns(card), faces.get(card)
    if face is not None and rules.hidden_count(position, face):
        return [turns[face]]
    return [step for step in turns if rules.hidden_count(position, step.args[1])]


def _serve(rules: MasterRules, position: MasterPosition, faces: Faces) -> list[Step]:
    return [rules.done_step, *serves(rules, position, position.seats[position.mover], faces)]


def _gain(rules: MasterRules, position: MasterPosition, _faces: Faces) -> list[Step]:
    return [*rules.gains(position.display)]


def _discard(rules: MasterRules, position: MasterPosition, _faces: Faces) -> list[Step]:
    return [rules.discard_steps[card] for card in sorted(set(position.seats[position.mover].cards))]


def _draw(rules: MasterRules, position: MasterPosition, _faces: Faces) -> list[Step]:
    return list(compress(rules.recipe_draws, position.decks[RECIPES:]))


LEGAL: dict[str, Callable[[MasterRules, MasterPosition, Faces], list[Step]]] = {
    "refill": _refill,
    "play": _play,
    "serve": _serve,
    "gain": _gain,
    "discard": _discard,
    "restock": _draw,
    "exchange": _draw,
    "over": lambda _rules, _position, _faces: [],
}
