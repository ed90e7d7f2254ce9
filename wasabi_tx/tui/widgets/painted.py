"""A painted widget: a reactive view, painted on a canvas when it is looked at, refreshed only where it differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, count
from operator import ne
from typing import ClassVar, Generic, TypeVar

from textual import events, getters
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from ...view.press import Press
from ..canvas import REST, Canvas, Row
from ..draw.sheet import Means
from ..painted_app import PaintedApp

V = TypeVar("V")


class Painted(Widget, Generic[V]):
    """Paints its view at any size, from one cell up.

    Assign `view` to show something else. A subclass implements `paint`; it must not change anything.
    """

    ALLOW_SELECT = False
    LEAST: ClassVar[tuple[int, int]] = (1, 1)
    """Columns and rows that `paint` can rely on; where there are fewer, its picture is cut."""
    app = getters.app(PaintedApp)

    view: reactive[V | None] = reactive(None, repaint=False, init=False)
    """The frozen value to show; nothing is painted without one."""

    class Pressed(Message):
        """Posted when a painted part that means something is clicked."""

        def __init__(self, press: Press) -> None:
            super().__init__()
            self.press = press

    def __init__(self, view: V | None = None, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.set_reactive(Painted.view, view)  # type: ignore[misc]
        self._canvas: Canvas | None = None
        self._strips: dict[int, Strip] = {}

    def paint(self, view: V, width: int, height: int) -> Canvas:
        """Return a picture of the view that is `width` by `height` cells."""
        raise NotImplementedError

    @property
    def means(self) -> Means:
        """The paints and texts that the app has now."""
        return Means(self.app.paints, self.app.texts)

    def on_mount(self) -> None:
        self.watch(self.app, "paints", self._paint_anew, init=False)
        self.watch(self.app, "texts", self.repaint, init=False)

    def watch_view(self) -> None:
        self.repaint()

    def repaint(self) -> None:
        """Paint again, and refresh the columns of each row that look different."""
        old = self._canvas
        if old is None or not self.display or (old.width, old.height) != self.size:
            # It will be painted when it is looked at.
            self._paint_anew()
            return
        new = self._canvas = self._painted()
        changed = []
        for y, (before, after) in enumerate(zip(old.rows, new.rows, strict=True)):
            if before != after:
                self._strips.pop(y, None)
                left, right = _changed_columns(before, after, new.width)
                changed.append(Region(left, y, right - left, 1))
        if changed:
            self.refresh(*(region.translate(self.gutter.top_left) for region in changed))

    def _paint_anew(self) -> None:
        """Drop the picture, and paint the whole of it when it is next rendered."""
        self._canvas = None
        self._strips.clear()
        self.refresh()

    def _painted(self) -> Canvas:
        """Return the picture at the present size, blank if there is nothing to show."""
        width, height = self.size
        if self.view is not None and width and height:
            canvas = self.paint(self.view, max(width, self.LEAST[0]), max(height, self.LEAST[1]))
            if (canvas.width, canvas.height) == (width, height):
                return canvas
        else:
            canvas = Canvas(0, 0)
        fitted = Canvas(width, height, self.app.paints["background"])
        fitted.paste(canvas, 0, 0)
        return fitted

    @property
    def canvas(self) -> Canvas:
        """The picture as it is shown now."""
        canvas = self._canvas
        if canvas is None or (canvas.width, canvas.height) != self.size:
            canvas = self._canvas = self._painted()
            self._strips.clear()
        return canvas

    def render_line(self, y: int) -> Strip:
        return self._strip(self.canvas, y)

    def _strip(self, canvas: Canvas, y: int) -> Strip:
        found = self._strips.get(y)
        if found is None:
            found = self._strips[y] = canvas.strip(y) if y < canvas.height else Strip.blank(canvas.width)
        return found

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the rows as they are painted: without border or padding there is no style to add to them."""
        if self.gutter or self.styles.text_opacity < 1 or self.styles.opacity < 1:
            return super().render_lines(crop)
        canvas = self.canvas
        strips = [self._strip(canvas, y) for y in crop.line_range]
        if crop.column_span != (0, canvas.width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        paints = self.app.paints
        if not paints.pixels or paints.ascii or self.app.no_color:
            ground = self.background_colors[1]
            for one in self.get_line_filters():
                strips = [strip.apply_filter(one, ground) for strip in strips]
        return strips

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        press = self.canvas.pressed_at(*offset) if offset is not None else None
        if press is not None:
            event.stop()
            self.press(press)

    def press(self, press: Press) -> None:
        """Post what a click on a painted part means."""
        self.post_message(self.Pressed(press))

    @property
    def words(self) -> str:
        """The text of the picture without colours, a line a row."""
        return "\n".join(self.canvas.words(y) for y in range(self.canvas.height))


def _changed_columns(before: Row, after: Row, width: int) -> tuple[int, int]:
    """Return the first column that differs and the one after the last."""
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
