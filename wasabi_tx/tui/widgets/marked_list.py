"""A list to choose from: a mark before the chosen line, so that nobody needs colours to see it."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widgets import OptionList

MARK = "► "


class MarkedList(OptionList):
    """Writes the mark into the padding of the option that is highlighted."""

    DEFAULT_CSS = "MarkedList > .option-list--option { padding: 0 0 0 2; }"

    def render_line(self, y: int) -> Strip:
        line = super().render_line(y)
        first = next(iter(line), None)
        style = first.style if first is not None else None
        if style is None or self.highlighted is None or style.meta.get("option") != self.highlighted:
            return line
        return Strip([Segment(MARK, style), *line.crop(len(MARK))])
