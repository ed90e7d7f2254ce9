"""The progress of a recipe on the board, and the placements that would complete it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...engine.board import TILE_BITS, TILE_MASK, Strip, find_match, lying
from ...engine.observe import Observation
from ...engine.position import Position
from ...engine.rules import AnyRules
from ...engine.sealed_card import Card
from ...engine.step import Step
from .recipe import Completion, completion_of


@dataclass(frozen=True)
class RecipeProgress:
    """The window in which a recipe has come farthest."""

    have: int
    length: int
    squares: tuple[int, ...]
    """Empty if no window of the board can hold the recipe any more."""
    missing: tuple[int, ...]
    """The tiles that the window still lacks, in the strip's order."""
    in_order: bool
    """True if the window has, or can still get, the order of the strip."""
    cups: tuple[int, ...] = ()
    """Squares of the window where a cup stands, which has to be moved first."""

    @property
    def dead(self) -> bool:
        return not self.squares


@lru_cache(maxsize=32)
def _windows(rules: AnyRules, length: int) -> tuple[tuple[int, ...], ...]:
    every = range(rules.grid.size)
    return tuple(sorted({tuple(every[part]) for through in rules.grid.windows[length] for part in through}))


@lru_cache(maxsize=64)
def find_progress(rules: AnyRules, position: Position, recipe: int, hand: tuple[int, ...] = ()) -> RecipeProgress:
    """Find a recipe's best window: most tiles there, then in order, without a cup, with the rest in hand."""
    strip = rules.strips[recipe].tiles
    held = Counter(hand)
    there = _obtainable(position)
    best: tuple[tuple[int, bool, bool, int], RecipeProgress] | None = None
    blocked = position.board.blocked
    # A cup can be moved away at any time; what a card covers stays covered.
    movable = frozenset(blocked) if "cup" in rules.verbs else frozenset()
    wanted = frozenset((0, *strip))
    seen: set[tuple[tuple[int, ...], bool]] = set()
    for squares in _windows(rules, len(strip)):
        if any(square in blocked and square not in movable for square in squares):
            continue
        clear = not movable.intersection(squares)
        tops = tuple([position.board.stacks[square] & TILE_MASK for square in squares])
        # Windows that look alike rank alike, and the first of them is taken.
        if (tops, clear) in seen or not wanted.issuperset(tops):
            continue
        seen.add((tops, clear))
        lacking = Counter(strip)
        lacking.subtract(top for top in tops if top)
        if min(lacking.values()) < 0 or any(count > there[tile] for tile, count in lacking.items()):
            continue
        missing = _in_strip_order(strip, lacking)
        in_order = _fits(tops, strip) or _fits(tops, strip[::-1])
        rank = (len(strip) - len(missing), in_order, clear, (lacking & held).total())
        if best is None or rank > best[0]:
            cups = () if clear else tuple(square for square in squares if square in movable)
            best = rank, RecipeProgress(rank[0], len(strip), squares, missing, in_order, cups)
    return best[1] if best else RecipeProgress(0, len(strip), (), strip, False)


@lru_cache(maxsize=64)
def under_cover(rules: AnyRules, position: Position, recipe: int) -> RecipeProgress | None:
    """Return the progress of a recipe on a covered line, if it has no free line or has begun no other."""
    progress = find_progress(rules, position, recipe)
    if not position.board.blocked or "cup" in rules.verbs or progress.have:
        return None
    bare = position.evolve()
    bare.board = position.board.with_blocked(())
    found = find_progress(rules, bare, recipe)
    return found if found.have or (progress.dead and not found.dead) else None


def free_lines(rules: AnyRules, position: Position, length: int) -> int:
    """Count the lines with room for a recipe of this length: uncovered, and with at most one tile."""
    free, blocked = position.board.free, frozenset(position.board.blocked)
    return sum(
        sum([free[square] for square in squares]) >= length - 1 and blocked.isdisjoint(squares)
        for squares in _windows(rules, length)
    )


def _obtainable(position: Position) -> Counter[int]:
    """Count the tiles that can still come onto the board."""
    tiles: Counter[int] = Counter({tile: count for tile, count in enumerate(position.pantry) if count})
    for seat in position.seats:
        tiles.update(seat.tiles)
    return tiles


def _in_strip_order(strip: tuple[int, ...], lacking: Counter[int]) -> tuple[int, ...]:
    left = Counter(lacking)
    found = []
    for tile in strip:
        if left[tile] > 0:
            left[tile] -= 1
            found.append(tile)
    return tuple(found)


def _fits(tops: tuple[int, ...], strip: tuple[int, ...]) -> bool:
    return all(top in (0, tile) for top, tile in zip(tops, strip, strict=True))


def _may_complete(rules: AnyRules, position: Position, step: Step, strips: Sequence[Strip]) -> bool:
    """Return True if some strip lies on the board after a placement; a cheap test before the expensive one."""
    tile, square = step.args
    board = position.board.with_stack(square, position.board.stacks[square] << TILE_BITS | tile)
    changed = position.changed | 1 << square
    there = lying(board, changed)
    return any(strip.members & there and find_match(rules.grid, board, changed, strip) for strip in strips)


def complete_line(rules: AnyRules, position: Position, recipe: int) -> tuple[int, ...]:
    """Return the squares where a recipe lies complete through a square changed in this turn, or ()."""
    match = find_match(rules.grid, position.board, position.changed, rules.strips[recipe])
    return tuple(range(rules.grid.size))[match.window] if match else ()


def openings(observation: Observation) -> tuple[tuple[Step, Completion], ...]:
    """Return the seat's legal placements that complete something, each with what it completes; the best first."""
    if not observation.my_turn:
        return ()
    return _openings(observation.rules, observation.position, tuple(observation.faces.items()))


@lru_cache(maxsize=8)
def _openings(
    rules: AnyRules, position: Position, known: tuple[tuple[Card, int], ...]
) -> tuple[tuple[Step, Completion], ...]:
    faces = dict(known)
    # What a card has completed before is completed by no tile.
    lacking = {face for face in faces.values() if not complete_line(rules, position, face)}
    strips = [rules.strips[face] for face in lacking]
    found = []
    for step in rules.legal(position, faces):
        if step.verb != "place" or not _may_complete(rules, position, step, strips):
            continue
        after = rules.apply(position, step)
        if after.mover != position.mover or after.outcome is not None:
            continue
        claims = [one for one in rules.legal(after, faces) if one.verb in rules.claiming]
        won = [completion_of(rules, after, claim) for claim in claims]
        found += [(step, one) for one in won if one.recipe in lacking]
    return tuple(sorted(found, key=lambda pair: (-pair[1].points - pair[1].cubes, pair[0])))


def completions(observation: Observation) -> list[Completion]:
    """Return the recipes that the seat may complete now; the best first."""
    rules = observation.rules
    claims = [step for step in observation.legal() if step.verb in rules.claiming]
    found = [completion_of(rules, observation.position, claim) for claim in claims]
    return sorted(found, key=lambda one: (-one.points - one.cubes, one.step))
