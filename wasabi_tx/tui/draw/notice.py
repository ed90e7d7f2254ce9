"""A notice in the middle of an empty screen."""

from __future__ import annotations

from ...text.cells import wrap
from ..canvas import BOLD, Canvas
from .sheet import Means, Sheet


def paint_notice(words: str, means: Means, width: int, height: int) -> Canvas:
    sheet = Sheet(means, width, height)
    for row, line in enumerate(wrap(words, max(1, width))[:height]):
        sheet.write(0, row, line, "points", BOLD)
    return sheet.canvas
