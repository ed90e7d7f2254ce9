"""A notice over the whole table: there is no room for it."""

from __future__ import annotations

from ....text.cells import wrap
from ...canvas import BOLD, Canvas
from ...draw.sheet import Means, Sheet
from .panel import TablePanel


def paint_notice(words: str, means: Means, width: int, height: int) -> Canvas:
    """Paint a sentence at the top of an empty panel."""
    sheet = Sheet(means, width, height)
    for row, line in enumerate(wrap(words, max(1, width))[:height]):
        sheet.write(0, row, line, "points", BOLD)
    return sheet.canvas


class Notice(TablePanel[str]):
    """Shows a sentence instead of the table."""

    def paint(self, view: str, width: int, height: int) -> Canvas:
        return paint_notice(view, self.means, width, height)
