"""The pantry: every ingredient with how many are left; those that our recipes need stand out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from rich.cells import cell_len
from textual.message import Message

from ....text.cells import cut, fit
from ....view.press import PickCode, Press
from ....view.table.table import PantryItem
from ...canvas import BOLD, Canvas
from ...draw.sheet import Means, Sheet
from ...views.panel_views import PantryView
from .panel import TablePanel

CHIP = 5
"""` Ri 2`: a mark, a code, a blank, a count."""
HEADED = 6
"""Rows above which each column has the name of its category above it."""
LEAST_NAMED, NAMED = 14, 17
"""Fewest columns for names beside the ingredients, and the most that they take."""


class Pantry(TablePanel[PantryView]):
    """Shows every ingredient with how many are left; those that are left can be picked."""

    LEAST = (20, 2)

    class Picked(Message):
        """Posted when an ingredient is clicked."""

        def __init__(self, tile: int) -> None:
            super().__init__()
            self.tile = tile

    def paint(self, view: PantryView, width: int, height: int) -> Canvas:
        return paint_pantry(view, self.means, width, height)

    def press(self, press: Press) -> None:
        if isinstance(press, PickCode):
            self.post_message(self.Picked(press.number))


def paint_pantry(pantry: PantryView, means: Means, width: int, height: int) -> Canvas:
    """Paint ingredients by category below each other, or in two rows where there are no more."""
    sheet = Sheet(means, width, height)
    if height <= 2:
        _rows(sheet, pantry.items, pantry.offered)
    else:
        _columns(sheet, pantry.items, pantry.offered)
    return sheet.canvas


def _rows(sheet: Sheet, items: Sequence[PantryItem], offered: Collection[str]) -> None:
    sheet.write(0, 0, sheet.say("panel.pantry").upper(), "muted", BOLD)
    if any(item.missing for item in items):
        x = sheet.write(0, 1, "▸", "accent")
        sheet.write(x, 1, sheet.say("pantry.need-short"), "muted")
    left = max(cell_len(sheet.say("panel.pantry")) + 1, 7)
    columns = -(-len(items) // 2)
    pitch = CHIP + 1 if left + columns * (CHIP + 1) - 1 <= sheet.width else CHIP
    for number, item in enumerate(items):
        row, column = divmod(number, columns)
        _chip(sheet, left + column * pitch, row, number + 1, item, offered)


def _columns(sheet: Sheet, items: Sequence[PantryItem], offered: Collection[str]) -> None:
    need = f"▸ {sheet.say('pantry.need')}" if any(item.missing for item in items) else ""
    title = sheet.say("panel.pantry")
    sheet.title(0, title, need if cell_len(need) + cell_len(title) + 4 < sheet.width else "")
    groups = _groups(items, sheet.height - 1)
    headed = _groups(items, sheet.height - 2)
    first = 1
    if sheet.height > HEADED and (sheet.width + 1) // len(headed) > LEAST_NAMED:
        groups, first = headed, 2
    room = (sheet.width + 1) // max(1, len(groups))
    pitch = min(room, NAMED) if room > LEAST_NAMED else max(CHIP, min(CHIP + 3, room))
    wide = pitch - 1 if room > LEAST_NAMED else CHIP
    category = ""
    for column, group in enumerate(groups):
        if first > 1 and group[0][1].category != category:
            category = group[0][1].category
            sheet.write(column * pitch, 1, cut(category, pitch - 1), "muted")
        for row, (number, item) in enumerate(group, first):
            _chip(sheet, column * pitch, row, number, item, offered, wide)


def _groups(items: Sequence[PantryItem], deep: int) -> list[list[tuple[int, PantryItem]]]:
    """Arrange the numbered ingredients in columns of one category each, equally deep within a category."""
    groups: list[list[tuple[int, PantryItem]]] = []
    for _, found in groupby(enumerate(items, 1), lambda numbered: numbered[1].category):
        kind = list(found)
        rows = -(-len(kind) // -(-len(kind) // deep))
        groups += [kind[at : at + rows] for at in range(0, len(kind), rows)]
    return groups


def _named(sheet: Sheet, code: str, room: int) -> str:
    """Return the longest name that fits into this room, or ""."""
    names = (f" {name}" for name in (sheet.means.name(code), *sheet.means.short(code)))
    return fit(next((name for name in names if cell_len(name) <= room), ""), room)


def _chip(
    sheet: Sheet, x: int, y: int, number: int, item: PantryItem, offered: Collection[str], wide: int = CHIP
) -> None:
    name = _named(sheet, item.code, wide - CHIP)
    paint = sheet.tile(item.code)
    if item.count:
        sheet.canvas.click(x, y, wide, 1, PickCode(number))
    if not item.count:
        mark = "▸" if item.missing else " "
        at = sheet.write(x, y, mark, "error")
        sheet.write(at, y, f"{item.code} –{name}", "faint")
        return
    strong = item.missing or item.code in offered
    mark = "▸" if item.missing else " "
    words = f"{mark}{item.code} {min(item.count, 9)}{name}"
    if strong or not sheet.paints.pixels:
        attributes = BOLD | (paint.attributes if strong else 0)
        ground = paint.ground if strong else sheet.ground
        sheet.canvas.text(x, y, words, paint.ink if strong else sheet.paints["text"], attributes, ground)
    else:
        quiet = sheet.quiet(item.code)
        sheet.canvas.text(x, y, words, quiet.ink, 0, quiet.ground)
