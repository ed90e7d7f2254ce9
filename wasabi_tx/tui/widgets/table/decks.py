"""The decks of recipes: how many are left to draw of each length, and where there is room what drawing one gives."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from ....view.table.table import DeckView
from ...canvas import BOLD, Canvas
from ...draw.sheet import Means, Sheet
from ...views.panel_views import DecksView
from .panel import TablePanel


class Decks(TablePanel[DecksView]):
    """Shows how many recipes of each length are left to draw."""

    def paint(self, view: DecksView, width: int, height: int) -> Canvas:
        return paint_decks(view.decks, self.means, width, height)


def paint_decks(decks: Sequence[DeckView], means: Means, width: int, height: int = 1) -> Canvas:
    """Paint the decks in one row, with what drawing from each gives where there is room."""
    sheet = Sheet(means, width, height)
    x = sheet.write(0, 0, sheet.say("panel.decks").upper(), "muted", BOLD) + 1
    given = [_given(sheet, deck) for deck in decks]
    if x + decks_width(decks) + sum(cell_len(words) + 2 for words in given if words) > width:
        write_decks(sheet, x, 0, decks)
        return sheet.canvas
    for deck, words in zip(decks, given, strict=True):
        x = _deck(sheet, x, 0, deck) + 1
        x = sheet.write(x, 0, words, "muted") + 2 if words else x
    return sheet.canvas


def write_decks(sheet: Sheet, x: int, y: int, decks: Sequence[DeckView]) -> None:
    """Write each length on paper with the number of cards left: `2×5 3×4 4×10 5×7`."""
    for deck in decks:
        x = _deck(sheet, x, y, deck) + 1


def _deck(sheet: Sheet, x: int, y: int, deck: DeckView) -> int:
    x = sheet.paper(x, y, str(deck.length))
    return sheet.write(x, y, f"×{deck.count}", "text" if deck.count else "faint")


def _given(sheet: Sheet, deck: DeckView) -> str:
    """Format the cubes that drawing from a deck gives: `you +1■, pool +2■`."""
    you = [sheet.say("deck.you", count=deck.gain)] if deck.gain else []
    return ", ".join([*you, sheet.say("deck.pool", count=deck.pool)] if deck.pool else you)


def decks_width(decks: Sequence[DeckView]) -> int:
    return sum(len(f"{deck.length}×{deck.count}") + 1 for deck in decks) - 1
