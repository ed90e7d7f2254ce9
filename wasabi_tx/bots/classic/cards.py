"""Action cards that could complete a recipe, found from what is wrong with each window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from wasabi_tx.engine.board import TILE_BITS, TILE_MASK
from wasabi_tx.engine.step import Step

from .judge import Judge

Steps = tuple[Step, ...]


class LineFault(NamedTuple):
    """A window with one or two squares that differ from a recipe; with none, it only needs a square changed."""

    squares: tuple[int, ...]
    empty: tuple[int, ...]
    wrong: tuple[int, ...]
    missing: tuple[int, ...]
    """The tiles needed, one for each empty or wrong square."""


def faults(judge: Judge, tops: list[int]) -> list[LineFault]:
    """Return windows with at most two faults for some recipe in hand, at most one of them a wrong tile."""
    position = judge.position
    blocked, found = set(position.board.blocked), []
    for _, recipe in judge.held(position.seats[judge.number]):
        strip = judge.windows.strips[recipe]
        for window in judge.windows.by_length[len(strip)]:
            missing, empty, wrong = list(strip), [], []
            for square in window.squares:
                if tops[square] in missing:
                    missing.remove(tops[square])
                elif tops[square]:
                    wrong.append(square)
                else:
                    empty.append(square)
                if len(wrong) > 1 or len(wrong) + len(empty) > 2:
                    break
            else:
                if blocked.isdisjoint(window.squares):
                    found.append(LineFault(window.squares, tuple(empty), tuple(wrong), tuple(missing)))
    return found


def completions(judge: Judge) -> list[Steps]:
    """Return lines of play that use a card now and may complete something; those without a tile can precede any
    placement.

    Each is a proposal: the rules and the judge decide.
    """
    position = judge.position
    seat, rules = position.seats[judge.number], judge.rules
    tops = judge.reading.tops
    ways: list[tuple[int, Way]] = [
        (rules.chop, _chop),
        (rules.spicy, _spicy),
        (rules.stack, _stack),
        (rules.switch, _switch),
    ]
    usable = [way for card, way in ways if card in seat.cards]
    if not usable:
        return []
    found = (steps for fault in faults(judge, tops) for way in usable for steps in way(judge, fault, tops))
    return list(dict.fromkeys(found))


Way = Callable[[Judge, LineFault, list[int]], Iterator[Steps]]


def _chop(judge: Judge, fault: LineFault, tops: list[int]) -> Iterator[Steps]:
    """Lift a tile into the gap, lift a wrong one away, or lift one and put it back to change its square."""
    stacks, hand = judge.position.board.stacks, judge.position.seats[judge.number].tiles
    if not fault.missing:
        for square in fault.squares:
            if stacks[square] == tops[square]:
                yield (Step("chop", (square, square)),)
    if len(fault.missing) != 1:
        return
    tile = fault.missing[0]
    for gap in fault.empty:
        for source, top in enumerate(tops):
            if top == tile and source not in fault.squares:
                yield (Step("chop", (source, gap)),)
    for square in fault.wrong:
        below = stacks[square] >> TILE_BITS
        if below & TILE_MASK == tile:
            yield (Step("chop", (square,)),)
        elif not below and tile in hand:
            yield Step("chop", (square,)), Step("place", (tile, square))


def _spicy(judge: Judge, fault: LineFault, _tops: list[int]) -> Iterator[Steps]:
    """Place two tiles in two gaps, either way round."""
    hand = list(judge.position.seats[judge.number].tiles)
    if len(fault.empty) != 2:
        return
    one, other = fault.missing
    if one not in hand:
        return
    hand.remove(one)
    if other in hand:
        first, second = fault.empty
        yield Step("spicy"), Step("place", (one, first)), Step("place", (other, second))
        yield Step("spicy"), Step("place", (other, first)), Step("place", (one, second))


def _stack(judge: Judge, fault: LineFault, tops: list[int]) -> Iterator[Steps]:
    """Put the right tile on the wrong one, or an equal tile on a right one to change its square."""
    hand = judge.position.seats[judge.number].tiles
    wanted = [(square, tops[square]) for square in fault.squares] if not fault.missing else []
    if len(fault.missing) == 1:
        wanted = [(square, fault.missing[0]) for square in fault.wrong]
    for square, tile in wanted:
        if tile in hand:
            yield Step("stack"), Step("place", (tile, square))


def _switch(judge: Judge, fault: LineFault, tops: list[int]) -> Iterator[Steps]:
    """Bring a tile in from beside the window, or exchange two inside to change them; a tile fills a second gap."""
    position, neighbours = judge.position, judge.rules.grid.neighbours
    hand = position.seats[judge.number].tiles
    if not fault.missing:
        for one, other in pairwise(fault.squares):
            if tops[one] != tops[other]:
                yield (Step("switch", (one, other)),)
    gaps = (*fault.empty, *fault.wrong)
    for gap in gaps:
        for beside in neighbours[gap]:
            if beside in fault.squares:
                continue
            switch = Step("switch", (min(gap, beside), max(gap, beside)))
            if len(gaps) == 1 and position.board.free[beside] and fault.missing[0] in hand:
                yield Step("place", (fault.missing[0], beside)), switch
            elif tops[beside] in fault.missing:
                if len(gaps) == 1:
                    yield (switch,)
                    continue
                rest = list(fault.missing)
                rest.remove(tops[beside])
                last = gaps[1 - gaps.index(gap)]
                if rest[0] in hand and last in fault.empty:
                    yield switch, Step("place", (rest[0], last))
