"""A list to choose from: a mark before the chosen line, so that nobody needs colours to see it."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widgets import OptionList


class MarkedList(OptionList):
    def _get_left_gutter_width(self) -> int:
        return 2

    def render_line(self, y: int) -> Strip:
        line = super().render_line(y)
        first = next(iter(line), None)
        style = first.style if first is not None else None
        chosen = style is not None and self.highlighted is not None and style.meta.get("option") == self.highlighted
        return Strip([Segment("► " if chosen else "  ", style), *line])
