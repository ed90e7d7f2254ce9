"""The head of a page: the name of the game, what the page is, what it is about, and how things are."""

from __future__ import annotations

from rich.cells import cell_len

from ...text.cells import cut
from ..canvas import BOLD, Canvas
from .sheet import Means, Sheet


def paint_page_head(name: str, about: str, means: Means, width: int, state: str = "") -> Canvas:
    """` WASABI!  Review  Ana · First edition      5 of 13 turns`, as much of it as fits."""
    sheet = Sheet(means, width, 1, "panel")
    brand = f" {sheet.say('tui.brand')} "
    x = 0
    if width >= 60:
        x = (
            sheet.badge(0, 0, brand, sheet.paints["accent-shape"])
            if sheet.paints.pixels
            else sheet.write(0, 0, brand, "text", BOLD)
        )
    x = sheet.write(x + 1, 0, name, "text", BOLD) + 2
    end = sheet.write_right(0, f"{state} ", "accent") - 1 if state else width
    if end - x > 8:
        sheet.write(x, 0, cut(about, end - x - 1), "muted")
    elif cell_len(name) + 2 > end:
        sheet.canvas.blank(0, 0, end, 1)
    return sheet.canvas
