"""A compositor that writes only what changed: of each row the changed columns, of each cell the changed colours.

Textual writes from the left edge of a widget to the last change, and all colours again for every run of cells: on a
slow line one would see it. Its screens give no public way to their `_compositor`; its version is pinned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from rich.color import ColorSystem
from rich.console import Console, RenderableType
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from .canvas import Run
from .widgets.painting import Painting
from .widgets.panel import Panel


class ExactCompositor(Compositor):
    def render_update(
        self, full: bool = False, screen_stack: list[Screen[object]] | None = None, simplify: bool = False
    ) -> RenderableType | None:
        """Nothing before something is painted: a new screen is never a blank one first."""
        if not any(isinstance(one, Painting | Panel) and one.painted for one in self.visible_widgets):
            return None
        return super().render_update(full, screen_stack, simplify)

    def render_partial_update(self) -> ChopsUpdate | None:
        pieces = self._pieces()
        if pieces is not None:
            self._dirty_regions.clear()
            return ExactUpdate(pieces)
        return super().render_partial_update()

    def _pieces(self) -> list[Cells] | None:
        """What changed, if all of it lies on paintings that nothing covers; Textual then has nothing to arrange."""
        screen, found = self.size.region, []
        # In front comes first.
        shown = [(*at.corners, widget, clip) for widget, (at, clip) in self.visible_widgets.items()]
        for dirty in self._dirty_regions:
            region = dirty.intersection(screen)
            if not region:
                continue
            rows = _uncovered(region, shown)
            if rows is None:
                return None
            found += [Cells(y, region.x, runs) for y, runs in enumerate(rows, region.y)]
        return found or None


def _uncovered(region: Region, shown: Iterable[tuple[int, int, int, int, Widget, Region]]) -> list[list[Run]] | None:
    """The rows of a region that lies on one painting; None if it does not, or if something is in front of it."""
    left, top, right, bottom = region.corners
    for x, y, end, below, widget, clip in shown:
        if x < right and left < end and y < bottom and top < below:
            whole = x <= left and right <= end and y <= top and bottom <= below and clip.contains_region(region)
            if not whole or not isinstance(widget, Painting):
                return None
            return widget.pieces(range(top - y, bottom - y), left - x, right - x)
    return None


class Cells(NamedTuple):
    """Some cells of a row, and where they begin."""

    y: int
    x: int
    runs: Sequence[Run]


class ExactUpdate(ChopsUpdate):
    def __init__(self, pieces: list[Cells]) -> None:
        super().__init__((), [], [])
        self._pieces = pieces

    def render_segments(self, console: Console) -> str:
        system = console._color_system or ColorSystem.TRUECOLOR
        return "".join(
            f"\x1b[{y + 1};{x + 1}H{_written(runs, system)}"
            for y, x, runs in sorted(self._pieces, key=itemgetter(0, 1))
        )


class _Codes(NamedTuple):
    """Parts of an escape sequence."""

    attributes: str = ""
    ink: str = "39"
    ground: str = "49"


PLAIN = _Codes()


@lru_cache(maxsize=4096)
def _codes(style: Style, system: ColorSystem) -> _Codes:
    ink = style.color.downgrade(system).get_ansi_codes() if style.color else (PLAIN.ink,)
    ground = style.bgcolor.downgrade(system).get_ansi_codes(foreground=False) if style.bgcolor else (PLAIN.ground,)
    return _Codes(Strip.render_ansi(style.without_color, system), ";".join(ink), ";".join(ground))


@lru_cache(maxsize=4096)
def _change(now: _Codes, codes: _Codes) -> str:
    """The sequence that leads from one look to another, with nothing said twice."""
    if codes.attributes != now.attributes:
        # An attribute can only be taken back together with all others.
        said = ["0", codes.attributes, codes.ink, codes.ground]
    else:
        said = [new for old, new in zip(now, codes, strict=True) if old != new]
    return f"\x1b[{';'.join(filter(None, said))}m"


def _written(runs: Sequence[Run], system: ColorSystem) -> str:
    """The cells as a terminal reads them."""
    parts: list[str] = []
    now = PLAIN
    for text, style in runs:
        codes = PLAIN if style is None else _codes(style, system)
        # Where nothing is written, ink does not show.
        blank = not codes.attributes and codes.ground == now.ground and not now.attributes and text.isspace()
        if codes != now and not blank:
            parts.append(_change(now, codes))
            now = codes
        parts.append(text)
    if now != PLAIN:
        parts.append("\x1b[0m")
    return "".join(parts)
