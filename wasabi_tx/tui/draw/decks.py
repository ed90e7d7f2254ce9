"""The decks of recipes: how many are left of each length."""

from __future__ import annotations

from collections.abc import Sequence

from ...text import Texts
from ..canvas import BOLD, Canvas
from .sheet import Means, Sheet


def decks_words(decks: Sequence[tuple[int, int]], texts: Texts) -> str:
    """`decks 2·5  3·4  4·10  5·7`"""
    counts = "  ".join(f"{length}·{count}" for length, count in decks)
    return f"{texts.say('panel.decks').lower()} {counts}"


def paint_decks(decks: Sequence[tuple[int, int]], means: Means, width: int) -> Canvas:
    sheet = Sheet(means, width, 1)
    x = sheet.write(0, 0, sheet.say("panel.decks").upper(), "muted", BOLD) + 1
    for length, count in decks:
        x = sheet.write(x, 0, str(length), "text", BOLD)
        x = sheet.write(x, 0, f"·{count}", "text" if count else "faint") + 2
    return sheet.canvas
