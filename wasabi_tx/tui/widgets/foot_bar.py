"""The foot bar of a dialog: the green button for Enter, and every other key that works now; each can be clicked."""

from __future__ import annotations

from collections.abc import Sequence

from ..draw.keys_line import KeyHint
from ..draw.page_foot import paint_foot_bar
from ..draw.sheet import Means
from ..wasabi_app import wasabi_app
from .painting import Painting


class FootBar(Painting):
    """One row; it is painted anew when its width changes."""

    def __init__(self) -> None:
        super().__init__("foot")
        self.add_class("foot")
        self._button: KeyHint | None = None
        self._hints: Sequence[KeyHint] = ()

    def show(self, button: KeyHint | None, hints: Sequence[KeyHint]) -> None:
        self._button, self._hints = button, tuple(hints)
        self._paint()

    def on_resize(self) -> None:
        self._paint()

    def _paint(self) -> None:
        if self.size.width and self._hints:
            app = wasabi_app(self)
            means = Means(app.paints, app.texts, {}, {}, {})
            self.canvas = paint_foot_bar(self._button, self._hints, means, self.size.width)
