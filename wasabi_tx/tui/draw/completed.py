"""What everybody has completed: for a watcher in the place of own recipes, and wherever there is room for it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from ...engine.rules import AnyRules
from ...text.cells import cut
from ...text.foreign import clean
from ...view.table.recipe import recipe_name
from ...view.table.table import DeckView, SeatView
from ..canvas import BOLD, Canvas
from .recipes import recipes_title
from .sheet import Means, Sheet

NAME = 12
CHIP = 4
"""` Ri `: a tile by its code."""


def paint_completed(
    seats: Sequence[SeatView],
    rules: AnyRules,
    means: Means,
    width: int,
    height: int,
    decks: Sequence[DeckView] = (),
) -> Canvas:
    """Each player and their recipes, the last one first, with their tiles where there is room for a row each.

    What has no room is left out.
    """
    sheet = Sheet(means, width, height)
    if not seats:
        return sheet.canvas
    recipes_title(sheet, "panel.completed", decks)
    y = 1
    for seat, rows in zip(seats, _shares(seats, height - 1), strict=True):
        sheet.seat(0, y, seat.number)
        name = sheet.say("tui.you") if seat.you else clean(seat.name, 24)
        sheet.write(2, y, cut(name, NAME - 3), "text", BOLD if seat.to_move else 0)
        if not seat.claimed:
            sheet.write(NAME, y, sheet.say("card.empty"), "faint")
            y += 1
        elif rows < len(seat.claimed):
            lines = _lines([recipe_name(rules, means.texts, one) for one in reversed(seat.claimed)], width - NAME)
            for line in lines[:rows]:
                sheet.write(NAME, y, line)
                y += 1
        else:
            for one in reversed(seat.claimed):
                _recipe(sheet, y, rules, one)
                y += 1
    return sheet.canvas


def _shares(seats: Sequence[SeatView], rows: int) -> list[int]:
    """How many rows each player gets: one at least, and no more than they have recipes."""
    shares = [1 for _ in seats]
    while sum(shares) < rows:
        wanting = [at for at, seat in enumerate(seats) if len(seat.claimed) > shares[at]]
        if not wanting:
            break
        shares[min(wanting, key=lambda at: shares[at])] += 1
    return shares


def _recipe(sheet: Sheet, y: int, rules: AnyRules, number: int) -> None:
    """`Catch of the Day   Sa  Ma`"""
    name = recipe_name(rules, sheet.texts, number)
    codes = [rules.code(tile) for tile in rules.edition.recipes[number].strip.tiles]
    sheet.write(NAME, y, cut(name, sheet.width - NAME))
    x = sheet.width - CHIP * len(codes)
    if NAME + cell_len(name) < x:
        for code in codes:
            x = sheet.chip(x, y, code, code)


def _lines(names: Sequence[str], width: int) -> list[str]:
    """Names with dots between them, none of them broken."""
    lines: list[str] = []
    for name in names:
        longer = f"{lines[-1]} · {name}" if lines else ""
        if lines and cell_len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(cut(name, width))
    return lines
