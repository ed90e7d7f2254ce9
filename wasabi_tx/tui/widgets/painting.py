"""A painting: a widget that shows a canvas, draws only rows that change, and tells what is clicked."""

from __future__ import annotations

from textual import events
from textual.geometry import Region
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from ..canvas import Canvas
from .panel import Pressed


class Painting(Widget):
    canvas: reactive[Canvas | None] = reactive(None, repaint=False, always_update=True)

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self._strips: dict[int, Strip] = {}

    def watch_canvas(self, old: Canvas | None, new: Canvas | None) -> None:
        if old is None or new is None or (old.width, old.height) != (new.width, new.height):
            self._strips = {}
            self.refresh()
            return
        changed = [y for y in range(new.height) if old.row(y) != new.row(y)]
        for y in changed:
            self._strips.pop(y, None)
        if changed:
            self.refresh(*(Region(0, y, new.width, 1) for y in changed))

    def render_line(self, y: int) -> Strip:
        canvas = self.canvas
        if canvas is None or y >= canvas.height:
            return Strip.blank(self.size.width, self.rich_style)
        found = self._strips.get(y)
        if found is None:
            found = self._strips[y] = canvas.strip(y).adjust_cell_length(self.size.width, self.rich_style)
        return found

    def on_click(self, event: events.Click) -> None:
        press = self.canvas.pressed_at(event.x, event.y) if self.canvas is not None else None
        if press is not None:
            event.stop()
            self.post_message(Pressed(press))

    @property
    def words(self) -> str:
        """Only the text, for whoever reads instead of looking."""
        if self.canvas is None:
            return ""
        return "\n".join(self.canvas.words(y) for y in range(self.canvas.height))
