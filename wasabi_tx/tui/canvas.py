"""A canvas: cells of two pixels each, with text above them; painters fill it, widgets show it.

A pixel is half a cell. Colours are numbers: 0xRRGGBB, or below zero a colour of the terminal itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ..view.press import Press

TERMINAL = -1
"""The terminal's own ink or ground. Below it, -2 - n is the terminal's colour n."""

BOLD, REVERSE, STRIKE, DIM = 1, 2, 4, 8
REST = "\0"
"""Stands in the second column of a sign that takes two."""


Row = tuple[list[int], list[int], list[str], list[int], list[int]]
"""A row of cells: the pixels above and below, the text, its ink and its attributes."""


Run = tuple[str, Style | None]
"""Cells beside each other that look alike."""


class Click(NamedTuple):
    """A part of a canvas that can be clicked, and what the click presses."""

    x: int
    y: int
    width: int
    height: int
    press: Press


class Canvas:
    def __init__(self, width: int, height: int, ground: int = TERMINAL) -> None:
        self.width, self.height = width, height
        self.pixels = [[ground] * width for _ in range(2 * height)]
        """Rows of pixels; each cell has one above the other."""
        self.rows: list[Row] = [
            (above, below, [""] * width, [0] * width, [0] * width)
            for above, below in zip(self.pixels[::2], self.pixels[1::2], strict=True)
        ]
        """All that each row shows, the same pixels among it; rows that are equal look the same."""
        self.clicks: list[Click] = []

    # Pixels

    def fill(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        """Fill a rectangle of pixels, clipped to the canvas."""
        left, right = max(0, x), min(self.width, x + width)
        if right <= left:
            return
        row = [colour] * (right - left)
        for line in self.pixels[max(0, y) : max(0, y + height)]:
            line[left:right] = row

    def ground(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        """Fill a rectangle of whole cells."""
        self.fill(x, 2 * y, width, 2 * height, colour)

    def stamp(self, x: int, y: int, rows: Sequence[Sequence[int | None]]) -> None:
        """Draw a picture of pixels, clipped at the sides; None is transparent."""
        for number, row in enumerate(rows, y):
            line = self.pixels[number]
            for at, colour in enumerate(row, x):
                if colour is not None and 0 <= at < self.width:
                    line[at] = colour

    # Text

    def text(self, x: int, y: int, words: str, ink: int, attributes: int = 0, ground: int | None = None) -> int:
        """Write words in a row, clipped to the canvas; return the column after them."""
        if not 0 <= y < self.height:
            return x + cell_len(words)
        if ground is not None:
            self.ground(x, y, cell_len(words), 1, ground)
        _, _, line, inks, marks = self.rows[y]
        if words.isascii():
            end = x + len(words)
            left, right = max(0, x), min(self.width, end)
            if left < right:
                line[left:right] = words[left - x : right - x]
                inks[left:right] = [ink] * (right - left)
                marks[left:right] = [attributes] * (right - left)
            return end
        for char in words:
            size = 1 if char.isascii() else cell_len(char)
            if x < 0 or x + size > self.width or not size:
                x += size
                continue
            line[x], inks[x], marks[x] = char, ink, attributes
            if size == 2:
                line[x + 1] = REST
            x += size
        return x

    def blank(self, x: int, y: int, width: int, height: int) -> None:
        """Remove the text from these cells."""
        for _, _, line, _, _ in self.rows[max(0, y) : max(0, y + height)]:
            line[x : x + width] = [""] * len(line[x : x + width])

    def click(self, x: int, y: int, width: int, height: int, press: Press) -> None:
        """Make a click on these cells press something; the last call for a cell wins."""
        self.clicks.append(Click(x, y, width, height, press))

    def pressed_at(self, x: int, y: int) -> Press | None:
        for one in reversed(self.clicks):
            if one.x <= x < one.x + one.width and one.y <= y < one.y + one.height:
                return one.press
        return None

    def paste(self, other: Canvas, x: int, y: int) -> None:
        """Copy another canvas to a cell of this one, clipped."""
        left, right = max(0, x), min(self.width, x + other.width)
        into, part = slice(left, right), slice(left - x, right - x)
        for ours, theirs in zip(self.rows[max(0, y) :], other.rows[max(0, -y) :], strict=False) if left < right else ():
            ours[0][into] = theirs[0][part]
            ours[1][into] = theirs[1][part]
            ours[2][into] = theirs[2][part]
            ours[3][into] = theirs[3][part]
            ours[4][into] = theirs[4][part]
        self.clicks += [one._replace(x=one.x + x, y=one.y + y) for one in other.clicks]

    def fade(self, towards: int, share: float) -> None:
        """Mix all colours, including text, with one colour."""
        for above, below, _, ink, _ in self.rows:
            for layer in (above, below, ink):
                layer[:] = [mix(colour, towards, share) for colour in layer]

    def recede(self, towards: int, share: float) -> None:
        """Fade everything; dim the text where colours are the terminal's own and cannot be mixed."""
        self.fade(towards, share)
        if towards < 0:
            for _, _, _, _, attributes in self.rows:
                attributes[:] = [one | DIM for one in attributes]

    # Reading

    def words(self, y: int) -> str:
        """Return only the text of a row."""
        return "".join("" if char == REST else char or " " for char in self.rows[y][2]).rstrip()

    def strip(self, y: int, left: int = 0, right: int | None = None) -> Strip:
        """Return a row, or some columns of it, as a Textual strip."""
        right = self.width if right is None else right
        return Strip([Segment(*run) for run in self.runs(y, left, right)], right - left)

    def runs(self, y: int, left: int, right: int) -> list[Run]:
        """Return some columns of a row in as few runs of cells as possible."""
        found: list[Run] = []
        run = ""
        now = (TERMINAL, TERMINAL, 0)
        for above, below, char, ink, attributes in zip(*(layer[left:right] for layer in self.rows[y]), strict=True):
            if char:
                # A letter has one ground: that of the pixel above, which is the tile, not its edge.
                look = (ink, above, attributes)
                char = "" if char == REST else char
            elif above != below:
                look, char = (above, below, 0), "▀"
            elif above == now[1] and now[2] in _HARMLESS:
                # Nothing has no ink: it goes on with what is before it.
                look, char = now, " "
            else:
                look, char = (TERMINAL, above, 0), " "
            if look == now:
                run += char
                continue
            if run:
                found.append((run, _style(*now)))
            run, now = char, look
        found.append((run, _style(*now)))
        return found


_HARMLESS = (0, BOLD)
"""Attributes that cannot be seen where nothing is written."""


@lru_cache(maxsize=4096)
def _style(ink: int, ground: int, attributes: int) -> Style:
    return Style(
        color=_colour(ink),
        bgcolor=_colour(ground),
        bold=bool(attributes & BOLD) or None,
        reverse=bool(attributes & REVERSE) or None,
        strike=bool(attributes & STRIKE) or None,
        dim=bool(attributes & DIM) or None,
    )


def _colour(number: int) -> Color:
    if number >= 0:
        return Color.from_rgb(number >> 16, number >> 8 & 255, number & 255)
    return Color.default() if number == TERMINAL else Color.from_ansi(-2 - number)


def stacked(parts: Sequence[Canvas], width: int, ground: int) -> Canvas:
    """Join canvases, one below the other."""
    whole = Canvas(width, sum(part.height for part in parts), ground)
    y = 0
    for part in parts:
        whole.paste(part, 0, y)
        y += part.height
    return whole


def mix(colour: int, towards: int, share: float) -> int:
    """Mix a colour with another; the terminal's own colours, whose values are unknown, stay as they are."""
    if colour < 0 or towards < 0:
        return colour
    parts = [
        round((colour >> shift & 255) * (1 - share) + (towards >> shift & 255) * share) << shift for shift in (16, 8, 0)
    ]
    return parts[0] | parts[1] | parts[2]
