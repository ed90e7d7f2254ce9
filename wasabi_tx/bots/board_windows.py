"""Windows of the board: what every straight window still lacks for a recipe, found with one sum and one lookup.

A board is read as one code per square: the packed top tile, `FREE` if a tile may be placed there, 0 if it is covered.
The sum over a window encodes which tiles lie in it and how many squares are free, and so what it lacks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from wasabi_tx.engine.board import PACKED, TILE_MASK, Board
from wasabi_tx.engine.geometry import Geometry
from wasabi_tx.engine.rules import AnyRules

FREE = 1 << 3 * (TILE_MASK + 1)
"""The code of a free square, above every packed tile."""

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
        """The numbers of the windows that contain a square, by length and square."""
        self.untouched = {length: FREE * length for length in self.by_length}
        """The sum of codes of an empty window, by length."""
        self.members = rules.members
        """Bit masks by recipe: each shares a bit with every tile that the recipe can use."""
        every = sum(7 * packed for packed in PACKED)
        self.foreign = tuple(every ^ 7 * strip.members for strip in rules.strips)
        """Bit masks by recipe: each shares a bit with the sum of every window that contains a tile useless to the
        recipe.
        """
        self._lacking: tuple[dict[int, Missing | None], ...] = tuple({} for _ in self.strips)

    def missing(self, recipe: int, total: int) -> Missing | None:
        """Return the tiles that a window with this sum lacks, or None if it cannot hold the recipe as it is.

        Valid only for windows without a foreign tile.
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
        # With fewer free squares than missing tiles, something covers the others.
        return tuple(lacking) if len(lacking) == total // FREE else None

    def in_order(self, recipe: int, tops: list[int]) -> bool:
        """Return whether these squares can still become the printed strip, in either direction; 0 is empty."""
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
    """A board as `Windows` reads it; its cached sums do not follow when squares are tried out."""

    def __init__(self, windows: Windows, board: Board, movable: bool = False) -> None:
        """Read a board; if `movable`, blocked squares count as free while any square is free: blocks can move."""
        self.codes = [packed or FREE * free for packed, free in zip(board.packed, board.free, strict=True)]
        if movable and not board.full:
            for square in board.blocked:
                self.codes[square] = FREE
        self.tops = [stack & TILE_MASK for stack in board.stacks]
        """The top tile of each square, 0 for none, covered or not."""
        self._windows = windows
        self._sums: dict[int, list[int]] = {}

    def sums(self, length: int) -> list[int]:
        """Return the sum of codes of every window of this length."""
        found = self._sums.get(length)
        if found is None:
            codes = self.codes
            found = self._sums[length] = [sum(codes[window.part]) for window in self._windows.by_length[length]]
        return found
