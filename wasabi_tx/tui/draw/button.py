"""The one green button of a screen."""

from __future__ import annotations

from ...view.press import Press
from ..canvas import BOLD, REVERSE, mix
from .sheet import Sheet


def paint_button(sheet: Sheet, x: int, y: int, key: str, label: str, press: Press) -> int:
    """Paint the screen's one green button, a key and its label; return the column after it."""
    paints, left = sheet.paints, x
    if paints.pixels:
        x = sheet.badge(x, y, key, paints["accent-shape"])
        x = sheet.canvas.text(x, y, label, paints["text"], BOLD, mix(paints["background"], paints["accent-shape"], 0.3))
    else:
        x = sheet.canvas.text(x, y, key, paints["accent"], REVERSE | BOLD)
        x = sheet.write(x, y, label, "text", BOLD)
    sheet.canvas.click(left, y, x - left, 1, press)
    return x
