"""Tiles at six sizes, and where the squares of a board begin."""

from __future__ import annotations

from typing import NamedTuple


class Size(NamedTuple):
    """Columns and rows from one square to the next; the last column is the gap, and half of the last row."""

    width: int
    height: int


HUGE, LARGE, MIDDLE = Size(14, 6), Size(10, 5), Size(8, 3)
SMALL_WIDE, SMALL, TINY = Size(8, 2), Size(6, 2), Size(3, 1)
SIZES = (HUGE, LARGE, MIDDLE, SMALL_WIDE, SMALL, TINY)


def label_width(size: Size) -> int:
    """Return the columns that the numbers of the rows take."""
    return 3 if size.width >= 10 else 2
