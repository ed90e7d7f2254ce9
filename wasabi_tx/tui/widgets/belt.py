"""The conveyor belt of plates, which runs below the title of the home screen and lies still on others."""

from __future__ import annotations

from ..canvas import Canvas
from ..draw.belt import belt_rows, paint_belt
from .painted import Painted


class Belt(Painted[int]):
    """Paints the belt, moved to the left by the number of columns in its view."""

    DEFAULT_CSS = """
    Belt { width: 100%; height: 4; }
    Belt.-large { height: 6; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(0, id=id, classes=classes)

    def paint(self, view: int, width: int, height: int) -> Canvas:
        return paint_belt(self.app.paints, width, height >= belt_rows(large=True), view)
