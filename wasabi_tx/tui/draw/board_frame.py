"""Frames around squares of the board, and where its squares begin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..tiles import Size


class BoardFrame(NamedTuple):
    """A frame around a straight line or a block of squares."""

    squares: tuple[int, ...]
    colour: int
    digit: str = ""
    """The recipe whose line it is, where frames cannot be drawn."""


def frames_around(squares: Sequence[int], columns: int, colour: int, digit: str) -> list[BoardFrame]:
    """One frame if the squares are a line or a block, else one around each."""
    if not squares:
        return []
    rows, across = zip(*(divmod(square, columns) for square in squares), strict=True)
    whole = (max(rows) - min(rows) + 1) * (max(across) - min(across) + 1) == len(squares)
    return [BoardFrame(part, colour, digit) for part in ([tuple(squares)] if whole else zip(squares))]


def label_width(size: Size) -> int:
    """Columns for the numbers of the rows."""
    return 3 if size.width >= 10 else 2
