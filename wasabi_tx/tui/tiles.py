"""Tiles at six sizes, and all that shows on one square of the board."""

from __future__ import annotations

from typing import NamedTuple


class Size(NamedTuple):
    """Columns and rows from one square to the next; the last column is the gap, and half of the last row."""

    width: int
    height: int


HUGE, LARGE, MIDDLE = Size(14, 6), Size(10, 5), Size(8, 3)
SMALL_WIDE, SMALL, TINY = Size(8, 2), Size(6, 2), Size(3, 1)
SIZES = (HUGE, LARGE, MIDDLE, SMALL_WIDE, SMALL, TINY)


class Look(NamedTuple):
    """All that shows on one square."""

    code: str = ""
    """The tile on top; nothing on an empty square."""
    category: str = ""
    name: str = ""
    emoji: str = ""
    below: tuple[str, ...] = ()
    cover: str = ""
    legal: bool = False
    """What is held may go here."""
    quiet: bool = False
    """Something is held and may not go here."""
    pending: bool = False
    last: bool = False
    author: int = 0
    """The seat, from 1, that changed it since the viewer's turn."""
    cursor: bool = False
    ghost: bool = False
    """Whether the tile is only held over the square."""
    missing: str = ""
    """The code that the selected recipe lacks on an empty square."""
    short: tuple[str, ...] = ()
    """Shorter names, the longest first."""
    settled: float = 1.0
    """How much of its edge a tile has that is being laid."""
