"""Repairs with action cards that could complete recipes this turn, found from what is wrong with each window."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from wasabi_tx.engine.board import TILE_BITS, TILE_MASK
from wasabi_tx.engine.step import Step

from .judge import Judge
from .lines import Steps, put

Gap = tuple[int, int]
"""A square and the tile that has to lie there."""

TRIED, TRIED_IN_HASTE = 40, 10
"""The number of proposals tried, those with the fewest gaps first."""


def repairs(judge: Judge) -> list[Steps]:
    """Return lines that play a card and may complete something; the rules and the judge decide."""
    position = judge.position
    cards = judge.seat.cards
    reach = len(cards) + position.owed
    found: list[tuple[int, Steps]] = []
    for squares, gaps in _faults(judge, reach):
        ways = _fixes(judge, squares, gaps, position.owed, cards) if gaps else _changes(judge, squares)
        found += ((len(gaps), steps) for steps in ways)
    found.sort(key=lambda one: one[0])
    distinct = dict.fromkeys(steps for _, steps in found if any(step.verb != "place" for step in steps))
    return list(islice(distinct, TRIED if judge.guessed is None else TRIED_IN_HASTE))


def _faults(judge: Judge, reach: int) -> Iterator[tuple[tuple[int, ...], tuple[Gap, ...]]]:
    """Yield windows with at most `reach` gaps for a recipe in hand, with every filling that could count."""
    tops = judge.reading.tops
    for _, recipe in judge.held(judge.seat):
        strip = judge.windows.strips[recipe]
        for window in judge.windows.by_length[len(strip)]:
            lying = tuple(tops[window.part])
            fillings = dict.fromkeys((_gaps(lying, strip), _gaps(lying, strip[::-1]), _any_order(lying, strip)))
            fewest = min(map(len, fillings))
            if fewest > reach:
                continue
            for filling in fillings:
                if len(filling) <= reach:
                    yield window.squares, tuple((window.squares[n], tile) for n, tile in filling)


def _gaps(lying: tuple[int, ...], strip: tuple[int, ...]) -> tuple[Gap, ...]:
    """Return the places that differ from the strip's order."""
    return tuple((n, tile) for n, tile in enumerate(strip) if lying[n] != tile)


def _any_order(lying: tuple[int, ...], strip: tuple[int, ...]) -> tuple[Gap, ...]:
    """Return the places that differ if the order does not matter."""
    missing, places = list(strip), []
    for n, top in enumerate(lying):
        if top in missing:
            missing.remove(top)
        else:
            places.append(n)
    return tuple(zip(places, missing, strict=True))


def _changes(judge: Judge, squares: tuple[int, ...]) -> Iterator[Steps]:
    """Yield ways to make a square of a complete window count as changed while the window still matches."""
    rules, cards, tops = judge.rules, judge.seat.cards, judge.reading.tops
    if rules.stack in cards:
        for square in squares:
            yield (Step("stack", (tops[square], square)),)
    if rules.switch in cards:
        for one, other in pairwise(squares):
            if tops[one] != tops[other]:
                yield (Step("switch", (one, other)),)
    if rules.chop in cards:
        for square in squares:
            yield Step("chop", (square,)), Step("place", (tops[square], square))


def _fixes(
    judge: Judge, squares: tuple[int, ...], gaps: tuple[Gap, ...], owed: bool, cards: tuple[int, ...]
) -> Iterator[Steps]:
    """Yield every way to fill all gaps with these cards and, if it is still owed, this turn's tile."""
    if not gaps:
        yield ()
        return
    (square, tile), *others = gaps
    for first, still_owed, left in _fix(judge, squares, square, tile, owed, cards):
        for rest in _fixes(judge, squares, tuple(others), still_owed, left):
            yield (*first, *rest)


def _fix(
    judge: Judge, squares: tuple[int, ...], square: int, tile: int, owed: bool, cards: tuple[int, ...]
) -> Iterator[tuple[Steps, bool, tuple[int, ...]]]:
    """Yield every way to bring the tile to the square, with the owed tile and the cards that remain."""
    rules, board, tops = judge.rules, judge.position.board, judge.reading.tops
    if not tops[square]:
        if owed:
            yield put(judge, "place", tile, square, squares), False, cards
        if rules.spicy in cards:
            yield put(judge, "spicy", tile, square, squares), owed, _less(cards, rules.spicy)
    else:
        if rules.stack in cards:
            yield (Step("stack", (tile, square)),), owed, _less(cards, rules.stack)
        if rules.chop in cards:
            chop, left = Step("chop", (square,)), _less(cards, rules.chop)
            below = board.stacks[square] >> TILE_BITS
            if below & TILE_MASK == tile:
                yield (chop,), owed, left
            elif not below and owed:
                yield (chop, Step("place", (tile, square))), False, left
            elif not below and rules.spicy in left:
                yield (chop, Step("spicy", (tile, square))), owed, _less(left, rules.spicy)
    if rules.switch in cards:
        for beside in rules.grid.neighbours[square]:
            if tops[beside] == tile and beside not in squares:
                switch = Step("switch", (min(square, beside), max(square, beside)))
                yield (switch,), owed, _less(cards, rules.switch)


def _less(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the cards without one copy of this card."""
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]
