"""The legal steps of the mover, or of chance, all of them, in sorted order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from ...claiming import complete_recipes
from ...sealed_card import Card, Faces
from ...step import Step
from ...step_list import Block, Choices, whole
from .position import ACTIONS, RECIPES, MasterPosition

if TYPE_CHECKING:
    from .rules import MasterRules


def _play(rules: MasterRules, position: MasterPosition, faces: Faces) -> Choices:
    board, owed, moved = position.board, position.owed, position.moved
    seat = position.seats[position.mover]
    cards, empty, cup_rows = seat.cards, board._empty or board.empty, rules.cup_rows
    if moved:
        cup_moves = [cup_rows[square] for square in board.blocked if not moved >> square & 1], empty
    else:
        cup_moves = [cup_rows[square] for square in board.blocked], empty
    # The verbs are in alphabetical order, so the list needs no sorting.
    blocks: list[Block]
    if owed and empty and (places := list(compress(rules.place_steps, position.pantry))):
        blocks = [cup_moves, (places, empty)]
    else:
        blocks = [cup_moves, rules.exchanging.row(seat.recipes), rules.other_preps(position.display)]
        if position.changed and (complete := complete_recipes(rules, position, seat, faces)):
            blocks.append(whole(_serves(complete)))
    if cards:
        if rules.chop in cards:
            blocks.insert(0, (rules.chop_rows, list(compress(rules.squares, board.packed))))
        if rules.spicy in cards:
            blocks.append((list(compress(rules.spicy_rows, position.pantry)), empty))
        if rules.stack in cards:
            tiles = list(compress(rules.squares, board.packed))
            blocks.append((list(compress(rules.stack_rows, position.pantry)), tiles))
        if rules.switch in cards:
            blocks.append(whole(rules.switches(board)))
    return Choices(blocks)


def _serves(complete: list[tuple[Card, int]]) -> list[Step]:
    return [Step("serve", known) for known in complete]


def _refill(rules: MasterRules, position: MasterPosition, faces: Faces) -> list[Step]:
    """Return the possible faces of the top card as steps, or only the actual one if it is known."""
    card = position.decks[ACTIONS][0]
    turns, face = rules.turns(card), faces.get(card)
    if face is not None and rules.hidden_count(position, face):
        return [turns[face]]
    return [step for step in turns if rules.hidden_count(position, step.args[1])]


def _serve(rules: MasterRules, position: MasterPosition, faces: Faces) -> list[Step]:
    complete = complete_recipes(rules, position, position.seats[position.mover], faces)
    return [rules.done_step, *_serves(complete)]


def _gain(rules: MasterRules, position: MasterPosition, _faces: Faces) -> list[Step]:
    return [*rules.gains(position.display)]


def _discard(rules: MasterRules, position: MasterPosition, _faces: Faces) -> list[Step]:
    return [rules.discard_steps[card] for card in sorted(set(position.seats[position.mover].cards))]


def _draw(rules: MasterRules, position: MasterPosition, _faces: Faces) -> Sequence[Step]:
    decks = position.decks[RECIPES:]
    return rules.recipe_draws if all(decks) else list(compress(rules.recipe_draws, decks))


LEGAL: dict[str, Callable[[MasterRules, MasterPosition, Faces], Sequence[Step]]] = {
    "refill": _refill,
    "play": _play,
    "serve": _serve,
    "gain": _gain,
    "discard": _discard,
    "restock": _draw,
    "exchange": _draw,
    "over": lambda _rules, _position, _faces: [],
}
