"""A screen as SVG: every half cell a rectangle of its colour, every dot of a curve, every word where its cells are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME
from textual.strip import Strip

WIDTH, HEIGHT = 8, 16
"""Size of a cell in SVG units; a pixel of the app is a square of eight."""
SIZE = 13.29
"""The font size at which a letter of the first font is eight units wide."""
FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
HALVES = {"▀": (True, False), "▄": (False, True), "█": (True, True)}
"""True where a block character fills its cell: the upper and the lower half."""

BRAILLE = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
"""Column and row of each dot, in the order of its bit."""


class DrawnCell(NamedTuple):
    char: str
    ink: str
    ground: str
    bold: bool
    struck: bool = False


def svg_of(strips: Sequence[Strip], width: int) -> str:
    rows = [list(_cells(strip)) for strip in strips]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * WIDTH} {len(rows) * HEIGHT}" '
        f'font-family="{FONT}" font-size="{SIZE}" shape-rendering="crispEdges" xml:space="preserve">'
    ]
    paths: dict[str, list[str]] = defaultdict(list)
    for y, row in enumerate(rows):
        for half in (0, 1):
            _pixels(paths, row, 2 * y + half, half)
    parts += [f'<path fill="{colour}" d="{"".join(path)}"/>' for colour, path in paths.items()]
    parts += [_bar(x, y, cell.ink) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell.char == "▌"]
    for y, row in enumerate(rows):
        parts += _words(row, y)
        parts += _dots(row, y)
    return "\n".join([*parts, "</svg>", ""])


def _cells(strip: Strip) -> Iterator[DrawnCell]:
    for segment in Segment.simplify(strip):
        style = segment.style or Style()
        ink, ground = _hex(style.color, True), _hex(style.bgcolor, False)
        if style.reverse:
            ink, ground = ground, ink
        for char in segment.text:
            yield DrawnCell(char, ink, ground, bool(style.bold), bool(style.strike))
            if cell_len(char) == 2:
                yield DrawnCell("", ink, ground, False)


def _hex(colour: Color | None, ink: bool) -> str:
    return (colour or Color.default()).get_truecolor(SVG_EXPORT_THEME, foreground=ink).hex


def _pixels(paths: dict[str, list[str]], row: Sequence[DrawnCell], y: int, half: int) -> None:
    """Draw one row of half cells, merging equal neighbours into one rectangle."""
    x = 0
    for colour, cells in groupby(cell.ink if HALVES.get(cell.char, (0, 0))[half] else cell.ground for cell in row):
        size = len(list(cells))
        paths[colour].append(f"M{x * WIDTH} {y * 8}h{size * WIDTH}v8h-{size * WIDTH}z")
        x += size


def _bar(x: int, y: int, colour: str) -> str:
    """Draw the left half of a cell above its background."""
    return f'<path fill="{colour}" d="M{x * WIDTH} {y * HEIGHT}h4v{HEIGHT}h-4z"/>'


def _words(row: Sequence[DrawnCell], y: int) -> Iterator[str]:
    x = 0
    for (ink, bold, struck, drawn), cells in groupby(row, _look):
        run = list(cells)
        if drawn:
            weight = ' font-weight="bold"' if bold else ""
            weight += ' text-decoration="line-through"' if struck else ""
            words = escape("".join(cell.char for cell in run))
            yield (
                f'<text x="{x * WIDTH}" y="{y * HEIGHT + 12}" fill="{ink}"{weight} '
                f'textLength="{len(run) * WIDTH}" lengthAdjust="spacingAndGlyphs">{words}</text>'
            )
        x += len(run)


def _look(cell: DrawnCell) -> tuple[str, bool, bool, bool]:
    """Return the style by which neighbouring cells are joined into words."""
    return cell.ink, cell.bold, cell.struck, _drawn(cell)


def _drawn(cell: DrawnCell) -> bool:
    return (cell.struck or cell.char != " ") and cell.char not in ("▌", *HALVES) and not _is_braille(cell)


def _is_braille(cell: DrawnCell) -> bool:
    return len(cell.char) == 1 and 0x2800 <= ord(cell.char) < 0x2900


def _dots(row: Sequence[DrawnCell], y: int) -> Iterator[str]:
    """Draw Braille as squares: few fonts have it, and none in the width of the others."""
    paths: dict[str, list[str]] = defaultdict(list)
    for x, cell in enumerate(row):
        if _is_braille(cell):
            for bit, (column, line) in enumerate(BRAILLE):
                if ord(cell.char) >> bit & 1:
                    paths[cell.ink].append(f"M{x * WIDTH + 4 * column + 1} {y * HEIGHT + 4 * line + 1}h2v2h-2z")
    return (f'<path fill="{ink}" d="{"".join(path)}"/>' for ink, path in paths.items())
