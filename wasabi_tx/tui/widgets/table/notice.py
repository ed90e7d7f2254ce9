"""A notice over the whole table: there is no room for it."""

from __future__ import annotations

from ...canvas import Canvas
from ...draw.notice import paint_notice
from .panel import TablePanel


class Notice(TablePanel[str]):
    """Shows a sentence instead of the table."""

    def paint(self, view: str, width: int, height: int) -> Canvas:
        return paint_notice(view, self.means, width, height)
