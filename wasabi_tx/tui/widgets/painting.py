"""A painting: a widget that shows a canvas, draws only rows that change, and tells what is clicked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, count
from operator import ne

from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from ..canvas import REST, Canvas, Row, Run
from ..wasabi_app import wasabi_app
from .panel import Pressed


def _differs(before: Row, after: Row, width: int) -> tuple[int, int]:
    """The first column that differs and the one after the last: a slow line carries no more than that."""
    left, right = width, 0
    layers: Iterable[tuple[Sequence[object], Sequence[object]]] = zip(before, after, strict=True)
    for old, new in layers:
        if old != new:
            left = min(left, _first_difference(old, new))
            right = max(right, width - _first_difference(reversed(old), reversed(new)))
    # A sign of two columns is not cut.
    while left and REST in (before[2][left], after[2][left]):
        left -= 1
    while right < width and REST in (before[2][right], after[2][right]):
        right += 1
    return left, right


def _first_difference(old: Iterable[object], new: Iterable[object]) -> int:
    return next(compress(count(), map(ne, old, new)))


class Painting(Widget):
    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self._canvas: Canvas | None = None
        self._strips: dict[int, Strip] = {}

    @property
    def painted(self) -> bool:
        return self._canvas is not None

    @property
    def canvas(self) -> Canvas | None:
        """What is shown; with a new one, only what differs is drawn again."""
        return self._canvas

    @canvas.setter
    def canvas(self, new: Canvas | None) -> None:
        old, self._canvas = self._canvas, new
        if old is None or new is None or (old.width, old.height) != (new.width, new.height):
            self.draw_anew()
            return
        changed = []
        for y, (before, after) in enumerate(zip(old.rows, new.rows, strict=True)):
            if before != after:
                self._strips.pop(y, None)
                left, right = _differs(before, after, new.width)
                changed.append(Region(left, y, right - left, 1))
        if changed:
            self.refresh(*changed)

    def draw_anew(self) -> None:
        """All of it: the signs of the terminal are others now."""
        self._strips = {}
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows as they are: a painting has no border and no padding that Textual would have to add."""
        strips = [self.render_line(y) for y in crop.line_range]
        if crop.column_span == (0, self.size.width):
            return strips
        return [strip.crop(*crop.column_span) for strip in strips]

    def render_line(self, y: int) -> Strip:
        canvas = self.canvas
        if canvas is None or y >= canvas.height:
            return Strip.blank(self.size.width, self.rich_style)
        found = self._strips.get(y)
        if found is None:
            found = canvas.strip(y)
            if canvas.width != self.size.width:
                found = found.adjust_cell_length(self.size.width, self.rich_style)
            found = self._strips[y] = self._filtered(found)
        return found

    @property
    def _as_painted(self) -> bool:
        """Whether the terminal shows signs and colours as they are; colours of our own choice are."""
        app = wasabi_app(self)
        return app.paints.pixels and not app.no_color and not app.paints.ascii

    def _filtered(self, strip: Strip) -> Strip:
        """As the terminal's signs and colours are."""
        if self._as_painted:
            return strip
        ground = self.background_colors[1]
        for one in self.get_line_filters():
            strip = strip.apply_filter(one, ground)
        return strip

    def pieces(self, rows: range, left: int, right: int) -> list[list[Run]] | None:
        """Some columns of some rows, as the terminal shows them; None if the canvas does not have all of them."""
        canvas = self._canvas
        if canvas is None or right > canvas.width or rows.stop > canvas.height:
            return None
        if self._as_painted:
            return [canvas.runs(y, left, right) for y in rows]
        strips = [self._filtered(canvas.strip(y, left, right)) for y in rows]
        return [[(text, style) for text, style, _ in strip] for strip in strips]

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


class FocusedPainting(Painting):
    """A painting that takes the focus, so that keys reach its screen."""

    can_focus = True
