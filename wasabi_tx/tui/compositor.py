"""A compositor that writes only what changed: of each row the changed columns, of each cell the changed colours.

Textual writes from the left edge of a widget to the last change, and all colours again for every run of cells: on a
slow line one would see it. Its screens give no public way to their `_compositor`; its version is pinned.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rich.color import ColorSystem
from rich.console import Console, RenderableType
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor
from textual.screen import Screen
from textual.strip import Strip

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

    def _pieces(self) -> list[CellRun] | None:
        """What changed, if all of it lies on paintings that nothing covers; Textual then has nothing to arrange."""
        screen, found = self.size.region, []
        for dirty in self._dirty_regions:
            region = dirty.intersection(screen)
            if not region:
                continue
            # In front comes first.
            above = ((one, at, clip) for one, (at, clip) in self.visible_widgets.items() if at.overlaps(region))
            widget, at, clip = next(above, (None, screen, screen))
            if not isinstance(widget, Painting) or not at.contains_region(region) or not clip.contains_region(region):
                return None
            strips = widget.pieces(region.translate(-at.offset))
            if strips is None:
                return None
            found += [CellRun(y, region.x, strip) for y, strip in zip(region.line_range, strips, strict=True)]
        return found or None


class CellRun(NamedTuple):
    """Some cells of a row, and where they begin."""

    y: int
    x: int
    strip: Strip


class ExactUpdate(ChopsUpdate):
    def __init__(self, pieces: list[CellRun]) -> None:
        super().__init__((), [], [])
        self._pieces = pieces

    def render_segments(self, console: Console) -> str:
        system = console._color_system or ColorSystem.TRUECOLOR
        return "".join(
            f"\x1b[{y + 1};{x + 1}H{_written(strip, system)}" for y, x, strip in sorted(self._pieces, key=_place)
        )


def _place(piece: CellRun) -> tuple[int, int]:
    return piece.y, piece.x


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


def _written(strip: Strip, system: ColorSystem) -> str:
    """The strip as a terminal reads it, with nothing said twice."""
    parts: list[str] = []
    now = PLAIN
    for text, style, _ in strip:
        if style is not None and style.link:
            parts.append("\x1b[0m" + Strip.render_style(style, text, system))
            now = PLAIN
            continue
        codes = PLAIN if style is None else _codes(style, system)
        # Where nothing is written, ink does not show.
        blank = not codes.attributes and codes.ground == now.ground and not now.attributes and text.isspace()
        if codes != now and not blank:
            if codes.attributes != now.attributes:
                # An attribute can only be taken back together with all others.
                said = ["0", codes.attributes, codes.ink, codes.ground]
            else:
                said = [new for old, new in zip(now, codes, strict=True) if old != new]
            parts.append(f"\x1b[{';'.join(filter(None, said))}m")
            now = codes
        parts.append(text)
    if now != PLAIN:
        parts.append("\x1b[0m")
    return "".join(parts)
