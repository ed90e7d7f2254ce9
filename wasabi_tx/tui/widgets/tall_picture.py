"""A picture that is as tall as what it shows: what does not fit is scrolled by the container around it."""

from __future__ import annotations

from typing import TypeVar

from textual.geometry import Size

from ..canvas import Canvas
from .painted import Painted

V = TypeVar("V")


class TallPicture(Painted[V]):
    """Paints its view for a width; a subclass implements `paint_tall`."""

    DEFAULT_CSS = "TallPicture { width: 100%; height: auto; }"
    _tall: tuple[object, Canvas] | None = None

    def repaint(self) -> None:
        """Paint again, at the present height."""
        super().repaint()
        self.refresh(layout=True)

    def paint_tall(self, view: V, width: int) -> Canvas:
        """Return a picture that is `width` cells wide, in as many rows as it takes."""
        raise NotImplementedError

    def _painted_tall(self, view: V, width: int) -> Canvas:
        """Paint once for a view and a width, however often Textual asks how tall it is."""
        for_what = (view, width, self.app.paints, self.app.texts)
        if self._tall is None or self._tall[0] != for_what:
            self._tall = (for_what, self.paint_tall(view, width))
        return self._tall[1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - as Textual asks
        return self._painted_tall(self.view, width).height if self.view is not None and width else 0

    def paint(self, view: V, width: int, height: int) -> Canvas:
        del height
        return self._painted_tall(view, width)
