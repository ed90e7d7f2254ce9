"""The effect of each step. Every function checks its step first and changes nothing if it is illegal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ... import changes, leaving
from ...board import Board
from ...claiming import held_recipe, match_of
from ...decks import returned
from ...errors import Illegal
from ...hand import with_card, without_card
from ...position import Claimed, replace_seat, take_top, wrong_phase
from ...scores import with_claimed
from ...step import Step
from . import flow
from .position import ACTIONS, MasterPosition

if TYPE_CHECKING:
    from .rules import MasterRules

Applied = Callable[["MasterRules", MasterPosition, Step], MasterPosition]

ACTION_LENGTH = 2
"""Recipes of this length give an action card instead of wasabi."""

KEPT_IN_POOL = 1
"""Cubes in the pool after it was taken."""


def turn(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    """Turn the top action card up into the display; a step of chance."""
    if position.phase != "refill":
        raise wrong_phase(position)
    deck = position.decks[ACTIONS]
    try:
        face = rules.turns(deck[0]).index(step)
    except ValueError:
        raise Illegal("not-the-top-card") from None
    if rules.hidden_count(position, face) < 1:
        raise Illegal("card-not-in-deck", card=rules.card_code(face))
    after = position.evolve()
    after.decks = decks = position.decks.copy()
    decks[ACTIONS] = deck[1:]
    after.display = tuple(sorted((*position.display, face)))
    return flow.refill(rules, after)


def place(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    tile, square = step.args
    if position.phase != "play":
        raise wrong_phase(position)
    if not position.owed:
        raise Illegal("no-tile-owed")
    after = position.evolve()
    _put(rules, after, tile, square)
    after.owed = False
    return after


def cup(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    source, target = step.args
    if position.phase != "play":
        raise wrong_phase(position)
    board = position.board
    if source not in board.blocked:
        raise Illegal("no-cup", square=rules.grid.names[source])
    if position.moved >> source & 1:
        raise Illegal("cup-moved-before", square=rules.grid.names[source])
    if not board.free[target]:
        raise _taken(rules, board, target)
    after = position.evolve()
    after.board = board.with_block_moved(source, target)
    after.moved = position.moved | 1 << target
    return after


def chop(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    square = step.args[0]
    after = _played(rules, position, rules.chop)
    _tile_at(rules, position.board, square)
    after.pantry = position.pantry.copy()
    after.pantry[changes.lift(after, square)] += 1
    return after


def spicy(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    tile, square = step.args
    after = _played(rules, position, rules.spicy)
    _put(rules, after, tile, square)
    return after


def stack(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    tile, square = step.args
    after = _played(rules, position, rules.stack)
    _tile_at(rules, position.board, square)
    _take_tile(rules, after, tile)
    changes.lay(after, square, tile)
    return after


def switch(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    one, other = step.args
    after = _played(rules, position, rules.switch)
    names = rules.grid.names
    if (one, other) not in rules.switch_steps:
        raise Illegal("not-adjacent", square=names[one], other=names[other])
    board = position.board
    if not (board.packed[one] or board.packed[other]):
        raise Illegal("nothing-to-switch", square=names[one], other=names[other])
    changes.exchange(after, one, other)
    return after


def serve(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    """Serve a recipe; the first one chooses Serve, and all recipes of the turn are matched on the same board."""
    card, face = step.args
    if position.phase != "serve":
        _may_choose(position)
    recipe = held_recipe(rules, position, card, face)
    match = match_of(rules, position, recipe)
    gives_card = recipe.length == ACTION_LENGTH
    cubes = recipe.style if match.styled and not gives_card else 0
    seat = with_claimed(position.seats[position.mover], card, Claimed(face, cubes), recipe.points)
    after = flow.choose(position.evolve(), "serve")
    after.seats = replace_seat(position.seats, position.mover, seat)
    if gives_card and position.display:
        after.phase = "gain"
    return after


def done(rules: MasterRules, position: MasterPosition, _step: Step) -> MasterPosition:
    if position.phase != "serve":
        raise wrong_phase(position)
    return flow.settle(rules, flow.choose(position.evolve(), "restock"))


def gain(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    """Take a card from the display, as a prep or for a served recipe."""
    card = step.args[0]
    if position.phase != "gain":
        _may_choose(position)
    if card not in position.display:
        raise Illegal("card-not-there", card=rules.card_code(card))
    after = position.evolve()
    if position.phase == "play":
        flow.choose(after, "gain")
    index = position.display.index(card)
    after.display = position.display[:index] + position.display[index + 1 :]
    mover = position.mover
    after.seats = replace_seat(position.seats, mover, with_card(position.seats[mover], card))
    return flow.refill(rules, after)


def discard(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    card, mover = step.args[0], position.mover
    if position.phase != "discard":
        raise wrong_phase(position)
    if card not in position.seats[mover].cards:
        raise Illegal("card-not-held", card=rules.card_code(card))
    after = position.evolve()
    after.seats = replace_seat(position.seats, mover, without_card(position.seats[mover], card))
    flow.discard(after, (card,))
    return flow.gained(rules, after)


def pool(rules: MasterRules, position: MasterPosition, _step: Step) -> MasterPosition:
    _may_choose(position)
    seat = position.seats[position.mover].evolve()
    seat.cubes += position.pool
    after = position.evolve()
    after.pool = KEPT_IN_POOL
    after.seats = replace_seat(position.seats, position.mover, seat)
    return flow.end_turn(rules, after)


def exchange(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    _may_choose(position)
    exchanged = rules.exchanging.without(position.seats[position.mover], step.args)
    if exchanged is None:
        raise Illegal("recipe-not-held" if step.args else "exchange-returns-nothing")
    seat, cards = exchanged
    after = flow.choose(position.evolve(), "exchange")
    after.seats = replace_seat(position.seats, position.mover, seat)
    after.decks = returned(position.decks, cards)
    return flow.settle(rules, after)


def draw(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    """Draw a recipe; after serving, also apply the gains on the back of the card."""
    obeyed = position.phase == "restock"
    if not obeyed and position.phase != "exchange":
        raise wrong_phase(position)
    deck = step.args[0]
    if not position.decks[deck]:
        raise Illegal("deck-empty", deck=deck)
    after = take_top(position.evolve(), deck)
    if obeyed:
        back = rules.backs[deck]
        after.seats[after.mover].cubes += back.gain
        after.pool += back.pool
    return flow.settle(rules, after)


def leave(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    leaver = step.args[0]
    after, seat = leaving.remove_player(position, leaver)
    return flow.without(rules, after, leaver, seat.cards)


def exclude(rules: MasterRules, position: MasterPosition, step: Step) -> MasterPosition:
    leaver = step.args[0]
    after, seat = leaving.exclude(position, leaver)
    return flow.without(rules, after, leaver, seat.cards)


STEPS: dict[str, Applied] = {
    "chop": chop,
    "cup": cup,
    "discard": discard,
    "done": done,
    "draw": draw,
    "exchange": exchange,
    "exclude": exclude,
    "gain": gain,
    "leave": leave,
    "place": place,
    "pool": pool,
    "serve": serve,
    "spicy": spicy,
    "stack": stack,
    "switch": switch,
    "turn": turn,
}


def _may_choose(position: MasterPosition) -> None:
    """Raise `Illegal` unless Serve or Prep may be chosen: in Step 1, once no tile has to be placed."""
    if position.phase != "play":
        raise wrong_phase(position)
    if position.due:
        raise Illegal("tile-owed")


def _played(rules: MasterRules, position: MasterPosition, card: int) -> MasterPosition:
    """Return a copy in which the mover has played this action card; the caller fills in its effect."""
    if position.phase != "play":
        raise wrong_phase(position)
    seat = position.seats[position.mover]
    if card not in seat.cards:
        raise Illegal("card-not-held", card=rules.card_code(card))
    after = position.evolve()
    after.seats = replace_seat(position.seats, position.mover, without_card(seat, card))
    flow.discard(after, (card,))
    after.moved = 0
    return after


def _put(rules: MasterRules, after: MasterPosition, tile: int, square: int) -> None:
    """Move a tile from the pantry to an empty space."""
    board = after.board
    if not board.free[square]:
        raise _taken(rules, board, square)
    _take_tile(rules, after, tile)
    changes.lay(after, square, tile)
    after.moved = 0


def _take_tile(rules: MasterRules, after: MasterPosition, tile: int) -> None:
    after.pantry = pantry = after.pantry.copy()
    if not pantry[tile]:
        raise Illegal("pantry-empty", tile=rules.code(tile))
    pantry[tile] -= 1


def _tile_at(rules: MasterRules, board: Board, square: int) -> None:
    """Raise `Illegal` if the square has no tile."""
    if not board.packed[square]:
        cup_there = square in board.blocked
        raise Illegal("square-has-cup" if cup_there else "square-empty", square=rules.grid.names[square])


def _taken(rules: MasterRules, board: Board, square: int) -> Illegal:
    cup_there = square in board.blocked
    return Illegal("square-has-cup" if cup_there else "square-taken", square=rules.grid.names[square])
