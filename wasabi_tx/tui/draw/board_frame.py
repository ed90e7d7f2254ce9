"""Frames around squares of the board, and where its squares begin."""

from __future__ import annotations

from typing import NamedTuple

from ..tiles import Size


class BoardFrame(NamedTuple):
    """A frame around a straight line or a block of squares."""

    squares: tuple[int, ...]
    colour: int
    digit: str = ""
    """The recipe whose line it is, where frames cannot be drawn."""


def label_width(size: Size) -> int:
    """Columns for the numbers of the rows."""
    return 3 if size.width >= 10 else 2
