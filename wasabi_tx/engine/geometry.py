"""The geometry of one play area: squares, their names, their neighbours, and every straight window through them."""

from __future__ import annotations

import re
from functools import cache
from operator import itemgetter

from .errors import Malformed

_SQUARE = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII)


class Geometry:
    """A play area with squares numbered row by row from the top left; `a1` is square 0."""

    def __init__(self, rows: int, columns: int, lengths: tuple[int, ...]) -> None:
        self.rows = rows
        self.columns = columns
        self.size = rows * columns
        self.names = tuple(f"{chr(97 + c)}{r + 1}" for r in range(rows) for c in range(columns))
        self.pairs = tuple(
            sorted(
                [(s, s + 1) for s in range(self.size) if s % columns < columns - 1]
                + [(s, s + columns) for s in range(self.size - columns)]
            )
        )
        """Orthogonally adjacent squares, lower number first."""
        self.neighbours = tuple(tuple(sum(pair) - s for pair in self.pairs if s in pair) for s in range(self.size))
        self.beside = tuple(itemgetter(*near) for near in self.neighbours)
        """Functions that select the neighbours of a square from a list indexed by square."""
        self.blocks = {
            s: (s, s + 1, s + columns, s + columns + 1) for s in range(self.size - columns) if s % columns < columns - 1
        }
        """The four squares of each 2 x 2 block, by its top left square."""
        self.windows = {n: tuple(self._through(s, n) for s in range(self.size)) for n in lengths}
        """Slices of all windows that contain a square, by window length and square."""

    def _through(self, square: int, length: int) -> tuple[slice, ...]:
        row, column = divmod(square, self.columns)
        across = [
            slice(row * self.columns + left, row * self.columns + left + length)
            for left in range(max(0, column - length + 1), min(column, self.columns - length) + 1)
        ]
        down = [
            slice(top * self.columns + column, (top + length - 1) * self.columns + column + 1, self.columns)
            for top in range(max(0, row - length + 1), min(row, self.rows - length) + 1)
        ]
        return (*across, *down)

    def parse_square(self, text: str) -> int:
        found = _SQUARE.fullmatch(text)
        if found is None:
            raise Malformed("square", text=text)
        column, row = ord(found[1]) - 97, int(found[2]) - 1
        if column >= self.columns or row >= self.rows:
            raise Malformed("square-outside", text=text)
        return row * self.columns + column


@cache
def geometry(rows: int, columns: int, lengths: tuple[int, ...]) -> Geometry:
    return Geometry(rows, columns, lengths)
