"""The decks of recipes: how many are left to draw of each length."""

from __future__ import annotations

from collections.abc import Sequence

from ..canvas import BOLD, Canvas
from .sheet import Means, Sheet

Decks = Sequence[tuple[int, int]]
"""A length, and how many recipes of it are left."""


def paint_decks(decks: Decks, means: Means, width: int) -> Canvas:
    sheet = Sheet(means, width, 1)
    x = sheet.write(0, 0, sheet.say("panel.decks").upper(), "muted", BOLD) + 1
    write_decks(sheet, x, 0, decks)
    return sheet.canvas


def write_decks(sheet: Sheet, x: int, y: int, decks: Decks) -> None:
    """Each length on paper, as among the players' recipes, and how many there are: `2×5 3×4 4×10 5×7`."""
    for length, count in decks:
        x = sheet.paper(x, y, str(length))
        x = sheet.write(x, y, f"×{count}", "text" if count else "faint") + 1


def decks_width(decks: Decks) -> int:
    return sum(len(f"{length}×{count}") + 1 for length, count in decks) - 1
