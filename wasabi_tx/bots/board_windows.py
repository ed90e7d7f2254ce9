"""What every straight window of the board still lacks for a recipe, found with one sum and one lookup.

A board is read as one code a square: the packed tile on top, `FREE` if a tile may be placed there, 0 if it is covered.
The sum over a window says which tiles lie in it and how many squares are free, and so what it lacks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from wasabi_tx.engine.board import PACKED, TILE_MASK, Board
from wasabi_tx.engine.geometry import Geometry
from wasabi_tx.engine.rules import AnyRules

FREE = 1 << 3 * (TILE_MASK + 1)
"""Above every packed tile."""

Missing = tuple[int, ...]
"""The tiles that a window lacks, sorted."""

_UNSEEN: Missing = (-1,)


class Window(NamedTuple):
    part: slice
    squares: tuple[int, ...]


class Windows:
    """The windows of one play area, and what they lack for each recipe of one edition."""

    def __init__(self, rules: AnyRules) -> None:
        grid: Geometry = rules.grid
        self.strips = tuple(strip.tiles for strip in rules.strips)
        self.packed = tuple(strip.packed for strip in rules.strips)
        self.lengths = tuple(len(strip) for strip in self.strips)
        self.by_length = {length: _windows(grid, length) for length in grid.windows}
        self.through = {
            length: tuple(
                tuple(number for number, window in enumerate(windows) if square in window.squares)
                for square in range(grid.size)
            )
            for length, windows in self.by_length.items()
        }
        """By length and square: the numbers of the windows that hold the square."""
        self.untouched = {length: FREE * length for length in self.by_length}
        """By length: the sum of codes of a window in which nothing lies yet."""
        self.members = rules.members
        """By recipe: shares a bit with every tile that the recipe has a use for."""
        every = sum(7 * packed for packed in PACKED)
        self.foreign = tuple(every ^ 7 * strip.members for strip in rules.strips)
        """By recipe: shares a bit with the sum of every window that holds a tile which the recipe has no use for."""
        self._lacking: tuple[dict[int, Missing | None], ...] = tuple({} for _ in self.strips)

    def missing(self, recipe: int, total: int) -> Missing | None:
        """What a window with this sum of codes lacks; None if it cannot hold the recipe as it is.

        Only for windows without a foreign tile.
        """
        known = self._lacking[recipe]
        found = known.get(total, _UNSEEN)
        if found is _UNSEEN:
            found = known[total] = self._find_missing(recipe, total)
        return found

    def _find_missing(self, recipe: int, total: int) -> Missing | None:
        lacking: list[int] = []
        for tile in sorted(set(self.strips[recipe])):
            short = self.strips[recipe].count(tile) - (total // PACKED[tile] & 7)
            if short < 0:
                return None
            lacking += [tile] * short
        # Fewer free squares than missing tiles: something covers the rest.
        return tuple(lacking) if len(lacking) == total // FREE else None

    def in_order(self, recipe: int, tops: list[int]) -> bool:
        """Whether these squares can still become the strip as printed, in either direction; 0 is an empty square."""
        strip = self.strips[recipe]
        return all([not top or top == tile for top, tile in zip(tops, strip, strict=True)]) or all(
            [not top or top == tile for top, tile in zip(tops, reversed(strip), strict=True)]
        )


def _windows(grid: Geometry, length: int) -> tuple[Window, ...]:
    parts = {
        tuple(range(grid.size)[part]): part for square in range(grid.size) for part in grid.windows[length][square]
    }
    return tuple(Window(part, squares) for squares, part in sorted(parts.items()))


@lru_cache(maxsize=8)
def windows_of(rules: AnyRules) -> Windows:
    return Windows(rules)


class Reading:
    """A board as `Windows` reads it; its sums stay as they were when squares are tried out."""

    def __init__(self, windows: Windows, board: Board, movable: bool = False) -> None:
        """`movable`: what blocks squares can be moved away, so that they count as free while a free one is left."""
        self.codes = [packed or FREE * free for packed, free in zip(board.packed, board.free, strict=True)]
        if movable and not board.full:
            for square in board.blocked:
                self.codes[square] = FREE
        self.tops = [stack & TILE_MASK for stack in board.stacks]
        """The tile on top of each square, 0 for none, whether the square is covered or not."""
        self._windows = windows
        self._sums: dict[int, list[int]] = {}

    def sums(self, length: int) -> list[int]:
        """The sum of codes of every window of this length."""
        found = self._sums.get(length)
        if found is None:
            codes = self.codes
            found = self._sums[length] = [sum(codes[window.part]) for window in self._windows.by_length[length]]
        return found
