"""Portraits of those who sit at a table: one alone, or all of them beside each other with their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from ...text.cells import cut
from ..canvas import BOLD, Canvas
from ..draw.portrait import HIGH, WIDE, has_portrait, paint_portrait
from ..draw.sheet import Sheet
from .painted import Painted


class Sitter(NamedTuple):
    """Somebody at a table; seat 0 if nobody knows yet which seat it will be."""

    character: str
    seat: int
    name: str = ""
    chosen: bool = False


class Portrait(Painted[Sitter]):
    DEFAULT_CSS = f"Portrait {{ width: 100%; height: {HIGH}; }}"

    def paint(self, view: Sitter, width: int, height: int) -> Canvas:
        sheet = Sheet(self.means, width, height)
        if has_portrait(sheet, view.character) and height >= HIGH and width >= WIDE:
            paint_portrait(sheet, (width - WIDE) // 2, 0, view.character, view.seat)
        return sheet.canvas


class Gallery(Painted[Sequence[Sitter]]):
    """Paints everybody at the table, as far apart as there is room."""

    DEFAULT_CSS = f"Gallery {{ width: 100%; height: {HIGH + 1}; }}"

    def paint(self, view: Sequence[Sitter], width: int, height: int) -> Canvas:
        sheet = Sheet(self.means, width, height)
        seats = [one for one in view if has_portrait(sheet, one.character)]
        pitch = min((width - WIDE) // max(1, len(seats) - 1), WIDE + 6)
        if height <= HIGH or pitch < WIDE:
            return sheet.canvas
        x = (width - pitch * (len(seats) - 1) - WIDE) // 2
        for one in seats:
            paint_portrait(sheet, x, 0, one.character, one.seat, one.chosen)
            name = cut(one.name, WIDE)
            sheet.write(x + (WIDE - cell_len(name)) // 2, HIGH, name, "text", BOLD if one.chosen else 0)
            x += pitch
        return sheet.canvas
