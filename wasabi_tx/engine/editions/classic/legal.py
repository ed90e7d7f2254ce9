"""The legal steps of the mover, all of them, in sorted order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from ...board import Board
from ...claiming import complete_recipes
from ...hand import Returning
from ...position import NO_CARD, Seat
from ...sealed_card import Faces, deck_of
from ...step import Step
from ...step_list import Block, Choices, whole
from .position import ClassicPosition

if TYPE_CHECKING:
    from .rules import ClassicRules


def _play(rules: ClassicRules, position: ClassicPosition, faces: Faces) -> Choices:
    seat, board = position.seats[position.mover], position.board
    tiles, held, owed, unplayed = seat.tiles, seat.cards, position.owed, position.played == NO_CARD
    cards = held if unplayed else ()
    # The verbs are in alphabetical order, so the list needs no sorting.
    blocks: list[Block] = []
    if cards and rules.chop in cards:
        blocks.append(whole(chops(rules, position)))
    changed = position.changed
    if changed and (found := claims(rules, position, seat, faces)):
        blocks.append(whole(found))
    if held:
        blocks.append(rules.discard_block(held))
    if not owed:
        blocks.append(rules.done_block)
    elif unplayed and not changed:
        blocks.append(passing.row(seat.recipes))
    if tiles and (owed or position.extra):
        squares = _placeable(position) if position.stacking else board._empty or board.empty
        places, rows, last = rules.place_steps, [], 0
        for tile in tiles:
            if tile != last:
                rows.append(places[tile])
                last = tile
        blocks.append((rows, squares))
    if cards:
        blocks.append(whole(_actions(rules, position, seat, cards)))
    return Choices(blocks)


def _actions(rules: ClassicRules, position: ClassicPosition, seat: Seat, cards: tuple[int, ...]) -> list[Step]:
    """Return the steps that play the cards whose verbs sort last."""
    steps = []
    if rules.spicy in cards and may_spice(position, seat):
        steps.append(rules.spicy_step)
    if rules.stack in cards and may_stack(position, seat):
        steps.append(rules.stack_step)
    if seat.tiles or not position.owed:
        if rules.switch in cards:
            steps += switches(rules, position.board)
        if rules.wasabi in cards:
            steps += (step for square, step in rules.wasabi_steps.items() if may_cover(rules, position, square))
    return steps


def _placeable(position: ClassicPosition) -> list[int]:
    """Return the squares where this turn's tile may go under Stack!: all that are not covered."""
    blocked = position.board.blocked
    return [square for square in range(len(position.board.stacks)) if square not in blocked]


def chops(rules: ClassicRules, position: ClassicPosition) -> list[Step]:
    """Return the ways to remove an uncovered top tile or, if a tile is owed, to move it to an empty square at once."""
    board, owed = position.board, position.owed
    away = not owed or bool(position.seats[position.mover].tiles)
    steps: list[Step] = []
    for square in compress(range(rules.grid.size), board.packed):
        row = rules.chop_steps[square]
        if away:
            steps.append(row[0])
        if owed:
            free = board.with_stack(square, board.stacks[square] >> 5).free
            steps += compress(row[1:], free)
    return steps


def claims(rules: ClassicRules, position: ClassicPosition, seat: Seat, faces: Faces) -> list[Step]:
    """Return the claims of recipes that are on the board and still have a token."""
    found = complete_recipes(rules, position, seat, faces)
    return [Step("claim", (card, face)) for card, face in found if seat.tokens[deck_of(card)]] if found else []


passing = Returning("pass", none_below=1)


def may_spice(position: ClassicPosition, seat: Seat) -> bool:
    """Return whether there is a second tile and a square for it."""
    needed = 2 if position.owed else 1
    return len(seat.tiles) >= needed and position.board.free.count(1) >= needed


def may_stack(position: ClassicPosition, seat: Seat) -> bool:
    """Return whether a tile is owed and held, and the board has an uncovered tile to put it on."""
    return position.owed and bool(seat.tiles) and any(position.board.packed)


def switches(rules: ClassicRules, board: Board) -> list[Step]:
    """Return the exchanges in which neither square is covered."""
    covered = set(board.blocked)
    return [step for step in rules.switches(board) if covered.isdisjoint(step.args)]


def may_cover(rules: ClassicRules, position: ClassicPosition, square: int) -> bool:
    """Return whether a Wasabi! card fits here and leaves a square for a tile that is still owed."""
    block = rules.grid.blocks[square]
    board = position.board
    if any(covered in board.blocked for covered in block):
        return False
    return not position.owed or board.free.count(1) > sum(board.free[covered] for covered in block)


def _give(rules: ClassicRules, position: ClassicPosition, _faces: Faces) -> list[Step]:
    pantry = position.pantry
    gifts = rules.gifts(position.seats[rules.receiver(position)].tiles)
    return [step for tile, step in gifts if pantry[tile]]


def _restock(rules: ClassicRules, position: ClassicPosition, _faces: Faces) -> list[Step]:
    seat = position.seats[position.mover]
    if position.rewards:
        steps = rewards(rules, position, seat)
    # A hand that is not full is refilled as far as the pantry allows.
    elif len(seat.tiles) >= rules.hand_tiles or not (steps := list(compress(rules.tile_steps, position.pantry))):
        steps = list(compress(rules.draw_steps, position.decks))
    return [*rules.discards(seat.cards), *steps] if seat.cards else steps


def rewards(rules: ClassicRules, position: ClassicPosition, seat: Seat) -> list[Step]:
    """Return the steps that take a card, or with a full hand the one that forgoes it; a discard makes room."""
    if len(seat.cards) >= rules.hand_cards:
        return [Step("forgo")]
    return [Step("take", offer) for offer in reward_offers(rules, position)]


def reward_offers(rules: ClassicRules, position: ClassicPosition) -> list[tuple[int, ...]]:
    """Return what may be taken as a reward: a card of the kitchen, or a Wasabi! card with its square.

    The card played this turn is included only if nothing else is available.
    """
    kitchen = position.kitchen
    offers: list[tuple[int, ...]] = [(card,) for card in range(len(kitchen)) if kitchen[card]]
    if rules.wasabi != NO_CARD:
        offers += ((rules.wasabi, square) for square in position.covers)
    others = [offer for offer in offers if offer[0] != position.played]
    return sorted(others or offers)


LEGAL: dict[str, Callable[[ClassicRules, ClassicPosition, Faces], Sequence[Step]]] = {
    "give": _give,
    "draw": _restock,
    "play": _play,
    "restock": _restock,
    "over": lambda _rules, _position, _faces: [],
}
