"""Lines of play for a turn: cups, cards, tiles, and then Serve or Prep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from wasabi_tx.engine.board import PACKED, find_match
from wasabi_tx.engine.editions.master.position import MasterPosition
from wasabi_tx.engine.editions.master.steps import ACTION_LENGTH
from wasabi_tx.engine.errors import Illegal
from wasabi_tx.engine.position import Claimed, Seat
from wasabi_tx.engine.step import Step

from ..board_windows import Reading
from ..prospects import Placements
from .judge import Held, Judge

Steps = tuple[Step, ...]


class Line(NamedTuple):
    """Steps up to and including the choice of Serve or Prep, and their value."""

    value: float
    steps: Steps


class Prep(NamedTuple):
    """A prep step, and what it adds to the value of everything else."""

    gain: float
    step: Step


def preps(judge: Judge, position: MasterPosition, seat: Seat, worths: dict[int, float]) -> list[Prep]:
    """Return the preps worth considering: each card of the display, the pool, the best exchange."""
    exchange = best_exchange(judge, seat, worths)
    return [*_takings(judge, position, seat), *([exchange] if exchange else [])]


def best_prep(judge: Judge, position: MasterPosition, seat: Seat, worths: dict[int, float]) -> Prep:
    return max(preps(judge, position, seat, worths), key=lambda prep: prep.gain)


def _takings(judge: Judge, position: MasterPosition, seat: Seat) -> list[Prep]:
    """Return the preps whose gain does not depend on the recipes in hand."""
    gains = [Prep(judge.card_gain(seat, card), Step("gain", (card,))) for card in dict.fromkeys(position.display)]
    return [*gains, Prep(float(position.pool), judge.rules.pool_step)]


def best_exchange(judge: Judge, seat: Seat, worths: dict[int, float]) -> Prep | None:
    """Return the exchange of all recipes worth less than an average new one, or None if there is no reason for one."""
    drawn, missing = judge.exchanged, judge.rules.hand_recipes - len(seat.recipes)
    returned = tuple([card for card in seat.recipes if worths.get(card, 0.0) < drawn])
    if not returned and not missing:
        return None
    better = sum([drawn - worths.get(card, 0.0) for card in returned])
    return Prep(better + missing * drawn, Step("exchange", returned))


def served(judge: Judge, position: MasterPosition) -> tuple[list[Held], Seat]:
    """Return the recipes that can be served from this board, in serving order, and the seat afterwards.

    Those that give an action card come last, because taking it ends a bundle.
    """
    seat = position.seats[judge.number].evolve()
    found: list[Held] = []
    if not position.changed or position.due:
        return found, seat
    for card, recipe in judge.held(seat):
        match = find_match(judge.rules.grid, position.board, position.changed, judge.rules.strips[recipe])
        if match is not None:
            face = judge.recipes[recipe]
            found.append((card, recipe))
            cubes = face.style if match.styled and face.length != ACTION_LENGTH else 0
            seat.points += face.points
            seat.cubes += cubes
            seat.claimed = (*seat.claimed, Claimed(recipe, cubes))
    done = [card for card, _ in found]
    seat.recipes = tuple(card for card in seat.recipes if card not in done)
    return sorted(found, key=lambda held: -judge.windows.lengths[held[1]]), seat


def follow(judge: Judge, steps: Sequence[Step]) -> Line | None:
    """Return the steps followed by the best of Serve and Prep, or None if one is illegal or a tile is still due."""
    position = judge.position
    try:
        for step in steps:
            position = judge.rules.apply(position, step)
    except Illegal:
        return None
    if position.due:
        return None
    free = position.board.free.count(1)
    seat = position.seats[judge.number]
    worths = judge.worths(position, seat)
    prep = best_prep(judge, position, seat, worths)
    line = Line(judge.total(seat, worths.values(), free) + prep.gain, (*steps, prep.step))
    found, after = served(judge, position)
    if not found:
        return line
    short = [held for held in found if judge.windows.lengths[held[1]] == ACTION_LENGTH]
    value = judge.total(after, [worths.get(card, 0.0) for card in after.recipes], free)
    value += judge.drawn * (judge.rules.hand_recipes - len(after.recipes)) + judge.reward * bool(short)
    kept = found[: len(found) - len(short) + 1] if short and position.display else found
    end = () if short and position.display else (judge.rules.done_step,)
    serving = Line(value, (*steps, *(Step("serve", held) for held in kept), *end))
    return max(serving, line, key=lambda one: one.value)


def put(judge: Judge, verb: str, tile: int, square: int, wanted: Iterable[int] = ()) -> Steps:
    """Return the steps that place a tile; a cup in the way moves to a space that is not wanted, if there is one."""
    board = judge.position.board
    step = Step(verb, (tile, square))
    if square not in board.blocked:
        return (step,)
    spaces = [space for space, free in enumerate(board.free) if free]
    other = [space for space in spaces if space not in tuple(wanted)]
    return (Step("cup", (square, (other or spaces or [square])[-1])), step)


def placements(judge: Judge) -> list[Line]:
    """Return the placements, without a card, of every useful tile and one useless one on every space, best first."""
    pantry = judge.position.pantry
    needed = {tile for _, recipe in judge.held(judge.seat) for tile in judge.windows.strips[recipe]}
    useful = [tile for tile in sorted(needed) if pantry[tile]]
    useless = max((tile for tile in range(1, len(pantry)) if tile not in needed), key=lambda t: pantry[t], default=0)
    tiles = [*useful, useless] if useless and pantry[useless] else useful
    return sorted((line for tile in tiles for line in _placed(judge, tile)), key=lambda line: -line.value)


def _placed(judge: Judge, tile: int) -> Iterator[Line]:
    """Yield the spaces for this tile; most values are derived from the board before, without the engine."""
    position, board, seat = judge.position, judge.position.board, judge.seat
    free = board.free.count(1) - 1
    value_after = _valuer(judge, tile, free)
    taking = max(_takings(judge, position, seat), key=lambda prep: prep.gain)
    for square in range(judge.rules.grid.size):
        if not board.free[square] and square not in board.blocked:
            continue
        steps = put(judge, "place", tile, square)
        worths = value_after(square)
        if worths is None:
            line = follow(judge, steps)
            if line is not None:
                yield line
            continue
        exchange = best_exchange(judge, seat, worths)
        prep = exchange if exchange and exchange.gain > taking.gain else taking
        yield Line(judge.total(seat, worths.values(), free) + prep.gain, (*steps, prep.step))


def _valuer(judge: Judge, tile: int, free: int) -> Callable[[int], dict[int, float] | None]:
    """Return a function that values the recipes in hand after the tile is placed, or None if that completes one."""
    after = judge.position.evolve()
    after.pantry = judge.position.pantry.copy()
    after.pantry[tile] -= 1
    reading = Reading(judge.windows, judge.position.board, movable=True)
    prospects = judge.prospects(after, free)
    held = judge.held(judge.seat)
    outlooks = [(card, Placements(judge.windows, prospects, recipe, reading)) for card, recipe in held]
    codes, tops = reading.codes, reading.tops

    def value_after(square: int) -> dict[int, float] | None:
        before = codes[square], tops[square]
        codes[square], tops[square] = PACKED[tile], tile
        values = {card: outlook.after(square, reading) for card, outlook in outlooks}
        codes[square], tops[square] = before
        known = {card: 0.0 if judge.last_turn else value for card, value in values.items() if value is not None}
        return known if len(known) == len(values) else None

    return value_after
