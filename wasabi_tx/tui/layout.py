"""The layout of the table: which parts fit, and how large, for the size of the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from .tiles import SIZES, Size

SIDE = 35
"""The least width of the panels beside the board."""
LEFT, LEAST_LEFT = 44, 38
"""Columns of the hand, below the board: as it should be, and as it can be."""
FOOT = 6
"""Rule, row of the turn, question, note, typed line, footer."""
HAND = 4
"""One line for tiles and cards, three for recipes."""
LEAST_WIDTH, LEAST_HEIGHT = 40, 15


@dataclass(frozen=True)
class Layout:
    tiles: Size
    left: int
    """Columns of the board and the hand."""
    side: int
    """Columns of the panels beside them; in the small layout there is only room for names and totals."""
    hand: int
    """Rows of the hand."""
    body: int
    """Rows between the header and the turn."""
    question: int
    """Rows of the question."""
    small: bool

    @property
    def roomy(self) -> bool:
        """Whether each recipe has three rows."""
        return self.hand >= 1 + 3 * 3 - 1


def choose_layout(width: int, height: int, columns: int, rows: int) -> Layout | None:
    """The largest layout that fits; None if not even the smallest does."""
    for size in SIZES:
        left = max(LEFT, 2 + columns * size.width)
        if size is SIZES[-1]:
            # The smallest tiles leave the hand as much room as there is.
            left = max(LEAST_LEFT, 2 + columns * size.width, min(LEFT, width - 1 - SIDE))
        question = 2 if height >= 28 else 1
        body = height - 1 - FOOT - (question - 1)
        hand = body - 1 - rows * size.height
        if width >= left + 1 + SIDE and hand >= HAND:
            return Layout(size, left, width - left - 1, hand, body, question, small=False)
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return None
    body = height - 1 - 6 - 1
    board = 3 + columns * 3
    return Layout(SIZES[-1], board, width - board - 1, 1, body, 2, small=True)
