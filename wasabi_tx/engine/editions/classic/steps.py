"""The effect of each step. Every function checks its step first and changes nothing if it is illegal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ... import changes, leaving
from ...claiming import held_recipe, match_of
from ...decks import returned
from ...errors import Illegal
from ...hand import with_card, without_card
from ...position import NO_CARD, Claimed, Seat, replace_seat, take_top, wrong_phase
from ...scores import with_claimed
from ...step import Step
from . import flow
from .legal import may_cover, may_spice, may_stack, passing, reward_offers
from .position import ClassicPosition

if TYPE_CHECKING:
    from .rules import ClassicRules

Applied = Callable[["ClassicRules", ClassicPosition, Step], ClassicPosition]


def give(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    tile = step.args[0]
    if position.phase != "give":
        raise wrong_phase(position)
    receiver = rules.receiver(position)
    seat = position.seats[receiver]
    if tile not in rules.give_steps:
        raise Illegal("not-for-starting-hands", tile=rules.code(tile))
    if rules.category[tile] in {rules.category[held] for held in seat.tiles}:
        raise Illegal("category-twice", tile=rules.code(tile))
    after = position.evolve()
    _take_from_pantry(rules, after, receiver, tile)
    return flow.next_gift(rules, after)


def place(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    tile, square = step.args
    if position.phase != "play":
        raise wrong_phase(position)
    if not (position.owed or position.extra):
        raise Illegal("no-tile-owed")
    mover = position.mover
    seat = position.seats[mover]
    board = position.board
    if tile not in seat.tiles:
        raise Illegal("tile-not-held", tile=rules.code(tile))
    if not (board.free[square] or (position.stacking and board.packed[square])):
        raise _not_placeable(rules, position, square)
    after = position.evolve()
    changes.lay(after, square, tile)
    if position.owed:
        after.owed = after.stacking = False
    else:
        after.extra = False
    seat = seat.evolve()
    index = seat.tiles.index(tile)
    seat.tiles = seat.tiles[:index] + seat.tiles[index + 1 :]
    after.seats = replace_seat(position.seats, mover, seat)
    return after


def chop(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    source = step.args[0]
    _may_play(rules, position, rules.chop)
    if not position.board.packed[source]:
        raise _nothing_there(rules, position, source)
    after = position.evolve()
    tile = changes.lift(after, source)
    if len(step.args) == 2:
        target = step.args[1]
        if not position.owed:
            raise Illegal("no-tile-owed")
        if not after.board.free[target]:
            raise _not_placeable(rules, after, target)
        changes.lay(after, target, tile)
        after.owed = False
    else:
        _needs_tile(position)
        after.pantry = position.pantry.copy()
        after.pantry[tile] += 1
    return _played(after, rules.chop)


def spicy(rules: ClassicRules, position: ClassicPosition, _step: Step) -> ClassicPosition:
    seat = _may_play(rules, position, rules.spicy)
    if not may_spice(position, seat):
        raise Illegal("no-second-tile")
    after = position.evolve()
    after.extra = True
    return _played(after, rules.spicy)


def stack(rules: ClassicRules, position: ClassicPosition, _step: Step) -> ClassicPosition:
    seat = _may_play(rules, position, rules.stack)
    if not may_stack(position, seat):
        raise Illegal("nothing-to-stack")
    after = position.evolve()
    after.stacking = True
    return _played(after, rules.stack)


def switch(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    one, other = step.args
    _may_play(rules, position, rules.switch)
    _needs_tile(position)
    if (one, other) not in rules.switch_steps:
        raise Illegal("not-adjacent", square=rules.grid.names[one], other=rules.grid.names[other])
    board = position.board
    for square in (one, other):
        if square in board.blocked:
            raise Illegal("square-covered", square=rules.grid.names[square])
    if not (board.packed[one] or board.packed[other]):
        raise Illegal("nothing-to-switch", square=rules.grid.names[one], other=rules.grid.names[other])
    after = position.evolve()
    changes.exchange(after, one, other)
    return _played(after, rules.switch)


def wasabi(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    square = step.args[0]
    seat = _may_play(rules, position, rules.wasabi)
    _needs_tile(position)
    if square not in rules.grid.blocks or not may_cover(rules, position, square):
        raise Illegal("wasabi-does-not-fit", square=rules.grid.names[square])
    after = position.evolve()
    flow.cover(rules, after, tuple(sorted((*position.covers, square))))
    seat = without_card(seat, rules.wasabi)
    seat.cubes += 1
    after.seats = replace_seat(position.seats, position.mover, seat)
    after.played = rules.wasabi
    return after


def claim(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    card, face = step.args
    if position.phase != "play":
        raise wrong_phase(position)
    recipe = held_recipe(rules, position, card, face)
    seat = position.seats[position.mover]
    tokens = bytearray(seat.tokens)
    if not tokens[recipe.length]:
        raise Illegal("no-token", length=recipe.length)
    tokens[recipe.length] -= 1
    cubes = recipe.style if match_of(rules, position, recipe).styled else 0
    seat = with_claimed(seat, card, Claimed(face, cubes), recipe.points)
    seat.tokens = bytes(tokens)
    after = position.evolve()
    after.seats = replace_seat(position.seats, position.mover, seat)
    after.rewards += 1
    if not any(tokens):
        return flow.end(after, "tokens", (position.mover,))
    return after


def skip(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    """Pass: place no tile, play no card, return some recipes."""
    if position.phase != "play":
        raise wrong_phase(position)
    if not position.untouched:
        raise Illegal("pass-too-late")
    passed = passing.without(position.seats[position.mover], step.args)
    if passed is None:
        raise Illegal("recipe-not-held" if step.args else "pass-returns-nothing")
    seat, cards = passed
    after = position.evolve()
    after.seats = replace_seat(position.seats, position.mover, seat)
    after.decks = returned(position.decks, cards)
    after.passes += 1
    return flow.restock(rules, after)


def done(rules: ClassicRules, position: ClassicPosition, _step: Step) -> ClassicPosition:
    if position.phase != "play":
        raise wrong_phase(position)
    if position.owed:
        raise Illegal("tile-owed")
    after = position.evolve()
    after.passes = 0
    return flow.restock(rules, after)


def take(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    """Take a reward: a card of the kitchen, or a Wasabi! card off the board."""
    card, *square = step.args
    if position.phase != "restock":
        raise wrong_phase(position)
    if not position.rewards:
        raise Illegal("no-reward")
    seat = position.seats[position.mover]
    if len(seat.cards) >= rules.hand_cards:
        raise Illegal("hand-full")
    if step.args not in reward_offers(rules, position):
        code = rules.card_code(card)
        raise Illegal("type-played-this-turn" if card == position.played else "card-not-there", card=code)
    after = position.evolve()
    after.seats = replace_seat(position.seats, position.mover, with_card(seat, card))
    if square:
        flow.cover(rules, after, tuple(cover for cover in position.covers if cover != square[0]))
    else:
        kitchen = position.kitchen
        after.kitchen = kitchen[:card] + bytes((kitchen[card] - 1,)) + kitchen[card + 1 :]
    after.rewards -= 1
    return flow.settle(rules, after)


def discard(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    """Return an action card to the kitchen, at any time during its owner's turn."""
    card, mover = step.args[0], position.mover
    if position.phase != "play" and position.phase != "restock":
        raise wrong_phase(position)
    if card not in position.seats[mover].cards:
        raise Illegal("card-not-held", card=rules.card_code(card))
    return _to_kitchen(position.evolve(), card)


def forgo(rules: ClassicRules, position: ClassicPosition, _step: Step) -> ClassicPosition:
    if position.phase != "restock":
        raise wrong_phase(position)
    if not position.rewards:
        raise Illegal("no-reward")
    if len(position.seats[position.mover].cards) < rules.hand_cards:
        raise Illegal("must-take-card")
    after = position.evolve()
    after.rewards -= 1
    return flow.settle(rules, after)


def tile(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    if position.phase != "restock":
        raise wrong_phase(position)
    if position.rewards:
        raise Illegal("reward-first")
    if len(position.seats[position.mover].tiles) >= rules.hand_tiles:
        raise Illegal("no-tile-wanted")
    after = position.evolve()
    _take_from_pantry(rules, after, position.mover, step.args[0])
    return flow.settle(rules, after)


def draw(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    if position.phase != "restock" and position.phase != "draw":
        raise wrong_phase(position)
    deck = step.args[0]
    if position.rewards:
        raise Illegal("reward-first")
    seat = position.seats[position.mover]
    if len(seat.tiles) < rules.hand_tiles and any(position.pantry):
        raise Illegal("tile-first")
    if not position.decks[deck]:
        raise Illegal("deck-empty", deck=deck)
    return flow.settle(rules, take_top(position.evolve(), deck))


def leave(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    leaver = step.args[0]
    after, seat = leaving.remove_player(position, leaver)
    return flow.without(rules, after, leaver, seat.cards)


def exclude(rules: ClassicRules, position: ClassicPosition, step: Step) -> ClassicPosition:
    leaver = step.args[0]
    after, seat = leaving.exclude(position, leaver)
    return flow.without(rules, after, leaver, seat.cards)


STEPS: dict[str, Applied] = {
    "chop": chop,
    "claim": claim,
    "discard": discard,
    "done": done,
    "draw": draw,
    "exclude": exclude,
    "forgo": forgo,
    "give": give,
    "leave": leave,
    "pass": skip,
    "place": place,
    "spicy": spicy,
    "stack": stack,
    "switch": switch,
    "take": take,
    "tile": tile,
    "wasabi": wasabi,
}


def _may_play(rules: ClassicRules, position: ClassicPosition, card: int) -> Seat:
    """Return the mover's seat; raise `Illegal` unless it may play this action card now."""
    if position.phase != "play":
        raise wrong_phase(position)
    seat = position.seats[position.mover]
    if card not in seat.cards:
        raise Illegal("card-not-held", card=rules.card_code(card))
    if position.played != NO_CARD:
        raise Illegal("one-card-a-turn")
    return seat


def _needs_tile(position: ClassicPosition) -> None:
    """Raise `Illegal` if the turn still owes a tile and the hand has none to finish it with."""
    if position.owed and not position.seats[position.mover].tiles:
        raise Illegal("turn-cannot-end")


def _played(after: ClassicPosition, card: int) -> ClassicPosition:
    after.played = card
    return _to_kitchen(after, card)


def _to_kitchen(after: ClassicPosition, card: int) -> ClassicPosition:
    after.seats = replace_seat(after.seats, after.mover, without_card(after.seats[after.mover], card))
    kitchen = bytearray(after.kitchen)
    kitchen[card] += 1
    after.kitchen = bytes(kitchen)
    return after


def _take_from_pantry(rules: ClassicRules, after: ClassicPosition, receiver: int, tile: int) -> None:
    after.pantry = pantry = after.pantry.copy()
    if not pantry[tile]:
        raise Illegal("pantry-empty", tile=rules.code(tile))
    pantry[tile] -= 1
    seat = after.seats[receiver].evolve()
    seat.tiles = tuple(sorted((*seat.tiles, tile)))
    after.seats = replace_seat(after.seats, receiver, seat)


def _not_placeable(rules: ClassicRules, position: ClassicPosition, square: int) -> Illegal:
    covered = square in position.board.blocked
    return Illegal("square-covered" if covered else "square-taken", square=rules.grid.names[square])


def _nothing_there(rules: ClassicRules, position: ClassicPosition, square: int) -> Illegal:
    covered = square in position.board.blocked
    return Illegal("square-covered" if covered else "square-empty", square=rules.grid.names[square])
