"""The board: one widget, whatever the number of squares; only squares that change are drawn anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from ...view.press import PickSquare
from ..spans import ASCII
from ..tiles import SIZES, Look, Size, face
from ..wasabi_app import wasabi_app
from .panel import Pressed

if TYPE_CHECKING:
    from ..theme import Palette

LABEL = 2
"""Columns for the number of a row."""


class BoardWidget(Widget):
    """Shows looks, and says which square was clicked."""

    def __init__(self) -> None:
        super().__init__(id="board")
        self.tile_size: Size = SIZES[-1]
        self._looks: tuple[Look, ...] = ()
        self._columns = 1

    @property
    def palette(self) -> Palette:
        return wasabi_app(self).palette

    @property
    def looks(self) -> tuple[Look, ...]:
        return self._looks

    def show(self, looks: tuple[Look, ...], columns: int, size: Size) -> None:
        """Draws these squares from now on."""
        old, self._looks = self._looks, looks
        if size != self.tile_size or columns != self._columns or len(old) != len(looks):
            self.tile_size, self._columns = size, columns
            self.refresh()
            return
        changed = [self.region_of(n) for n, (one, other) in enumerate(zip(old, looks, strict=True)) if one != other]
        if changed:
            self.refresh(*changed)

    def region_of(self, square: int) -> Region:
        """Where a square is drawn, the cursor's right bracket included."""
        size = self.tile_size
        row, column = divmod(square, self._columns)
        extra = 1 if size.width == 3 else 0
        return Region(LABEL + column * size.width, 1 + row * size.height, size.width + extra, size.height)

    def square_at(self, x: int, y: int) -> int | None:
        size = self.tile_size
        column, row = (x - LABEL) // size.width, (y - 1) // size.height
        if x < LABEL or y < 1 or column >= self._columns or row * self._columns + column >= len(self._looks):
            return None
        return row * self._columns + column

    def on_click(self, event: events.Click) -> None:
        square = self.square_at(event.x, event.y)
        if square is not None:
            event.stop()
            self.post_message(Pressed(PickSquare(square)))

    def render_line(self, y: int) -> Strip:
        palette, width, size = self.palette, self.size.width, self.tile_size
        ground = palette.style("text")
        if y == 0:
            return Strip([Segment(self._letters(), palette.style("muted"))]).adjust_cell_length(width, ground)
        row, part = divmod(y - 1, size.height)
        looks = self._looks[row * self._columns : (row + 1) * self._columns]
        if not looks:
            return Strip.blank(width, ground)
        segments = [Segment(f"{row + 1:<2}" if part == 0 else "  ", palette.style("muted"))]
        for look in looks:
            segments += self._segments(look, face(look, size, palette.glyphs == "emoji")[part], part)
        if size.width == 3:
            segments = _bracket(segments, looks, palette.style("cursor"))
        return Strip(segments).adjust_cell_length(width, ground)

    def _letters(self) -> str:
        width = self.tile_size.width
        # The letter stands over the second letter of the code, as the dot of an empty square does.
        cells = [f"  {chr(97 + column)}".ljust(width)[:width] for column in range(self._columns)]
        return " " * LABEL + "".join(cells)

    def _segments(self, look: Look, text: str, part: int) -> list[Segment]:
        """The gap, then the rest on the tile's colour."""
        palette = self.palette
        shown = text.translate(ASCII) if palette.ascii else text
        if look.cover == "wasabi":
            return [Segment(shown, palette.style("cursor" if look.cursor and part == 0 else "cover"))]
        gap = palette.style("cursor") if look.cursor else palette.style("text")
        if look.cover:
            return [Segment(shown[0], gap), Segment(shown[1:], palette.style("cup"))]
        if look.code:
            style = palette.tile(look.code, look.category)
            if part:
                style += Style(bold=False)
            return [Segment(shown[0], gap), Segment(shown[1:], style)]
        role = "cursor" if look.cursor else "legal" if look.legal else "empty"
        return [Segment(shown[0], gap), Segment(shown[1:], palette.style(role))]


def _bracket(segments: list[Segment], looks: tuple[Look, ...], style: Style) -> list[Segment]:
    """The cursor's right bracket in the gap of the square to its right."""
    at = next((n for n, look in enumerate(looks) if look.cursor), None)
    if at is None:
        return segments
    cells, wanted = 0, LABEL + 3 * (at + 1)
    for n, segment in enumerate(segments):
        if cells == wanted:
            rest = [Segment(segment.text[1:], segment.style)] if len(segment.text) > 1 else []
            return [*segments[:n], Segment("]", style), *rest, *segments[n + 1 :]]
        cells += len(segment.text)
    return [*segments, Segment("]", style)]
