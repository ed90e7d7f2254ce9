"""An option of a list that is painted: only those that can be seen are, however long the list is."""

from __future__ import annotations

from collections.abc import Callable

from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

from ..canvas import Canvas


class PaintedOption(Visual):
    """Paints a number of rows when an `OptionList` looks at it."""

    def __init__(self, rows: int, paint: Callable[[int], Canvas]) -> None:
        """Make the option; `paint` returns this number of `rows` for a width."""
        self._rows = rows
        self._paint = paint

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        del height, style, options
        canvas = self._paint(width)
        return [canvas.strip(y) for y in range(canvas.height)]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        del rules
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        del rules, width
        return self._rows
