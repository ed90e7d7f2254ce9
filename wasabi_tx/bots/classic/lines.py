"""Lines of play for Step 1: tiles, an action card, and the claims that they allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wasabi_tx.engine.board import PACKED, find_match
from wasabi_tx.engine.editions.classic.position import ClassicPosition
from wasabi_tx.engine.errors import Illegal
from wasabi_tx.engine.step import Step

from ..board_windows import Reading
from ..prospects import Placements
from .judge import Held, Judge, Worth


class Line(NamedTuple):
    """Steps without the final `done`, and the value of the position after them."""

    value: float
    steps: tuple[Step, ...]


class ClaimOption(NamedTuple):
    gain: float
    after: int
    """The number of steps after which the claim is made."""
    held: Held


def follow(judge: Judge, steps: Sequence[Step]) -> Line | None:
    """Return the steps with every claim made when it brings most, or None if the rules forbid one of them."""
    positions = [judge.position]
    try:
        for step in steps:
            positions.append(judge.rules.apply(positions[-1], step))
    except Illegal:
        return None
    claims = best_claims(judge, positions)
    position, taken = judge.position, []
    for number in range(len(positions)):
        now = [Step("claim", claim.held) for claim in claims if claim.after == number]
        for step in (*steps[number - 1 : number], *now):
            taken.append(step)
            position = judge.rules.apply(position, step)
            if position.outcome is not None:
                return Line(judge.worth(position), tuple(taken))
    return Line(judge.worth(position), tuple(taken))


def best_claims(judge: Judge, positions: list[ClassicPosition]) -> list[ClaimOption]:
    """Choose which recipes to claim and when: each once, the most valuable first where tokens run short."""
    seat = judge.position.seats[judge.number]
    found = []
    for card, recipe in judge.held(seat):
        strip, prize = judge.rules.strips[recipe], judge.prizes[recipe]
        moments = []
        for number, position in enumerate(positions):
            match = position.changed and find_match(judge.rules.grid, position.board, position.changed, strip)
            if match:
                gain = prize.styled if match.styled else prize.plain
                moments.append(ClaimOption(gain, number, (card, recipe)))
        if moments:
            found.append(max(moments, key=lambda claim: (claim.gain, -claim.after)))
    tokens, claims = list(seat.tokens), []
    for claim in sorted(found, key=lambda claim: -claim.gain):
        length = judge.windows.lengths[claim.held[1]]
        if tokens[length]:
            tokens[length] -= 1
            claims.append(claim)
    return claims


def placements(judge: Judge) -> list[Line]:
    """Return every way to place one tile without playing a card, best first."""
    lines = [line for tile in dict.fromkeys(judge.position.seats[judge.number].tiles) for line in _placed(judge, tile)]
    return sorted(lines, key=lambda line: -line.value)


def _placed(judge: Judge, tile: int) -> Iterator[Line]:
    """Yield the squares for this tile; most values are derived from the board before, without the engine."""
    position, rules = judge.position, judge.rules
    board, seat = position.board, position.seats[judge.number]
    index = seat.tiles.index(tile)
    hand = seat.tiles[:index] + seat.tiles[index + 1 :]
    reading = Reading(judge.windows, board)
    codes, tops = reading.codes, reading.tops
    held = judge.held(seat)
    stacking = position.stacking
    free = board.free.count(1)
    prospects = judge.prospects(position, hand, max(free - 1, 0), fetching=any(position.pantry))
    outlooks = [Placements(judge.windows, prospects, recipe, reading) for _, recipe in held]
    lengths = [judge.windows.lengths[recipe] for _, recipe in held]
    base = None
    for square in range(rules.grid.size):
        if not board.free[square] and not (stacking and board.packed[square]):
            continue
        before = codes[square], tops[square]
        codes[square], tops[square] = PACKED[tile], tile
        values = [outlook.after(square, reading) for outlook in outlooks]
        codes[square], tops[square] = before
        step = rules.place_steps[tile][square]
        if None in values:
            line = follow(judge, (step,))
            assert line is not None
            yield line
            continue
        worths = [Worth(length, value or 0.0) for length, value in zip(lengths, values, strict=True)]
        if base is None:
            base = seat.evolve()
            base.tiles = hand
        yield Line(judge.total(position, base, worths, free - bool(board.free[square])), (step,))
