"""Everybody's completed recipes: instead of own recipes for a watcher, and wherever there is room."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from ....text.cells import cut
from ....text.foreign import clean
from ....view.table.table import DeckView
from ...canvas import BOLD, Canvas
from ...draw.sheet import Means, Sheet
from ...views.panel_views import CompletedSeat, CompletedView, ServedRecipe
from .decks import decks_width, write_decks
from .panel import TablePanel

NAME = 12
CHIP = 4
"""` Ri `: a tile by its code."""


class Completed(TablePanel[CompletedView]):
    """Shows the recipes that everybody has completed."""

    LEAST = (20, 2)

    def paint(self, view: CompletedView, width: int, height: int) -> Canvas:
        return paint_completed(view, self.means, width, height)


def paint_completed(
    completed: CompletedView, means: Means, width: int, height: int, decks: Sequence[DeckView] = ()
) -> Canvas:
    """Paint each player and their recipes, the last one first, with their tiles where there is a row for each.

    What has no room is left out.
    """
    sheet = Sheet(means, width, height)
    seats = completed.seats
    if not seats:
        return sheet.canvas
    recipes_title(sheet, "panel.completed", decks)
    y = 1
    for seat, rows in zip(seats, _shares(seats, height - 1), strict=True):
        sheet.seat(0, y, seat.number)
        name = sheet.say("tui.you") if seat.you else clean(seat.name, 24)
        sheet.write(2, y, cut(name, NAME - 3), "text", BOLD if seat.to_move else 0)
        if not seat.recipes:
            sheet.write(NAME, y, sheet.say("card.empty"), "faint")
            y += 1
        elif rows < len(seat.recipes):
            lines = _lines([one.name for one in seat.recipes], width - NAME)
            for line in lines[:rows]:
                sheet.write(NAME, y, line)
                y += 1
        else:
            for one in seat.recipes:
                _recipe(sheet, y, one)
                y += 1
    return sheet.canvas


def recipes_title(sheet: Sheet, title: str, decks: Sequence[DeckView]) -> None:
    """Write `YOUR RECIPES ─── left to draw 2×5 3×4 4×10 5×7`, with the decks if they are shown nowhere else."""
    begin = sheet.width - decks_width(decks) if decks else sheet.width
    words = sheet.say("panel.decks-long")
    if cell_len(words) + cell_len(sheet.say(title)) + 2 > begin:
        words = sheet.say("panel.decks").lower()
    sheet.title(0, sheet.say(title), words if decks else "", end=begin - 1 if decks else begin)
    write_decks(sheet, begin, 0, decks)


def _shares(seats: Sequence[CompletedSeat], rows: int) -> list[int]:
    """Share the rows among the players: at least one each, and no more than they have recipes."""
    shares = [1 for _ in seats]
    while sum(shares) < rows:
        wanting = [at for at, seat in enumerate(seats) if len(seat.recipes) > shares[at]]
        if not wanting:
            break
        shares[min(wanting, key=lambda at: shares[at])] += 1
    return shares


def _recipe(sheet: Sheet, y: int, recipe: ServedRecipe) -> None:
    """Write a completed recipe: `Catch of the Day   Sa  Ma`."""
    name, codes = recipe
    sheet.write(NAME, y, cut(name, sheet.width - NAME))
    x = sheet.width - CHIP * len(codes)
    if NAME + cell_len(name) < x:
        for code in codes:
            x = sheet.chip(x, y, code, code)


def _lines(names: Sequence[str], width: int) -> list[str]:
    """Join names with dots and wrap them between names."""
    lines: list[str] = []
    for name in names:
        longer = f"{lines[-1]} · {name}" if lines else ""
        if lines and cell_len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(cut(name, width))
    return lines
