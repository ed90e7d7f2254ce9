"""A panel: lines of spans, drawn as they are, that can be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ...text.foreign import harmless
from ...view.press import Press
from ..spans import Line
from ..wasabi_app import wasabi_app

if TYPE_CHECKING:
    from ..textual_theme import Palette


class Pressed(Message):
    """Something was clicked that has a press."""

    def __init__(self, press: Press) -> None:
        super().__init__()
        self.press = press


class Panel(Widget):
    """Draws lines; only those that change are drawn again."""

    def __init__(self, name: str, role: str = "text") -> None:
        super().__init__(id=name)
        self._lines: tuple[Line, ...] = ()
        self._role = role

    @property
    def painted(self) -> bool:
        return bool(self._lines)

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._lines

    def show(self, lines: tuple[Line, ...]) -> None:
        """Draws these lines from now on."""
        old, self._lines = self._lines, lines
        width = self.size.width
        changed = [
            Region(0, y, width, 1)
            for y in range(max(len(old), len(lines)))
            if (old[y] if y < len(old) else None) != (lines[y] if y < len(lines) else None)
        ]
        if changed and width:
            self.refresh(*changed)

    @property
    def palette(self) -> Palette:
        return wasabi_app(self).palette

    def render_line(self, y: int) -> Strip:
        palette, width = self.palette, self.size.width
        ground = palette.style(self._role)
        if y >= len(self._lines):
            return Strip.blank(width, ground)
        segments, used = [], 0
        for text, role, _ in self._lines[y]:
            shown = harmless(text)
            segments.append(Segment(shown, palette.style(role)))
            used += cell_len(shown)
        return Strip(segments, used).adjust_cell_length(width, ground)

    def on_click(self, event: events.Click) -> None:
        if event.y >= len(self._lines):
            return
        x = 0
        for span in self._lines[event.y]:
            x += cell_len(span.text)
            if event.x < x:
                if span.press is not None:
                    event.stop()
                    self.post_message(Pressed(span.press))
                return
