"""The paints of a theme: the variables of a Textual theme as numbers for painters, with what is mixed from them."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from textual.theme import Theme

from ..app.colour import contrast, luminance
from ..app.pictures import NONE, Pictures
from ..app.theme import BASE, NATIVE
from .canvas import BOLD, REVERSE, TERMINAL, mix

INK, PAPER = 0x17110C, 0xFFFAF0
CARD_GROUND, CARD_INK = 0xE9DCC3, 0x2A1E12
LEAST_EDGE = 1.6
"""The least contrast for a small shape to stand out from its background."""
_SOOT, _CREAM, _FLOUR, _CRUST = 0x120D09, 0xE8DCC4, 0xFFF6E4, 0x8A6A3C
_ANSI = {
    "black": 0, "red": 1, "green": 2, "yellow": 3, "blue": 4, "magenta": 5, "cyan": 6, "white": 7,
    "bright_black": 8, "bright_red": 9, "bright_green": 10, "bright_yellow": 11, "bright_blue": 12,
    "bright_magenta": 13, "bright_cyan": 14, "bright_white": 15,
}  # fmt: skip


class TilePaint(NamedTuple):
    """The look of a tile, wherever it lies."""

    ground: int
    ink: int
    edge: int
    plate: int
    attributes: int = 0
    """The style of a tile where there are no colours."""


class Paints:
    def __init__(self, theme: Theme, glyphs: str, pictures: Pictures = NONE, cup: str = "cup") -> None:
        """Read the paints from a theme that `textual_theme` made."""
        self.theme = theme
        self.pictures = pictures
        self.glyphs = "ascii" if theme.variables["signs"] == "ascii" else glyphs
        base = {name: theme.variables.get(name) or str(theme.foreground) for name in BASE}
        self.pixels = all(colour.startswith("#") for colour in base.values())
        """True if colours can be mixed and half cells drawn; otherwise brackets and letters carry everything."""
        self.colours = any(colour != NATIVE for colour in base.values())
        self.depth = self.pixels and self.glyphs not in ("ascii", "flat")
        """True if tiles have an edge and pictures; some terminals tear half cells apart."""
        self.cup = cup
        self._tokens = {name: _number(colour) for name, colour in base.items()}
        self._tiles: dict[tuple[str, str], TilePaint] = {}
        self._needed: dict[tuple[TilePaint, int], TilePaint] = {}
        self._inks: dict[int, int] = {}

    def __eq__(self, other: object) -> bool:
        """Return whether both paint everything alike."""
        return isinstance(other, Paints) and self._made_of == other._made_of

    def __hash__(self) -> int:
        return hash(self._made_of)

    @property
    def _made_of(self) -> tuple[str, str, str, int]:
        return self.theme.name, self.glyphs, self.cup, id(self.pictures)

    def __getitem__(self, token: str) -> int:
        return self._tokens[token]

    def seat(self, number: int) -> int:
        """Return the colour of a seat, counted from 1."""
        return self._tokens[f"seat-{number}"]

    @cached_property
    def ascii(self) -> bool:
        return self.glyphs == "ascii"

    def tile(self, code: str, category: str) -> TilePaint:
        found = self._tiles.get((code, category))
        if found is None:
            found = self._tiles[code, category] = self._make(code, category)
        return found

    def _make(self, code: str, category: str) -> TilePaint:
        variables = self.theme.variables
        name = next((one for one in (code, category) if f"tile-{one}" in variables), None)
        if name is None:
            return TilePaint(TERMINAL, TERMINAL, TERMINAL, TERMINAL, REVERSE | BOLD)
        ground, ink = _number(variables[f"tile-{name}"]), _number(variables[f"on-tile-{name}"])
        if ground < 0:
            return TilePaint(ground, ink, ground, ground)
        return TilePaint(ground, ink, mix(ground, 0, 0.42), self._plate(ground, category))

    def _plate(self, ground: int, category: str) -> int:
        """Return the ground of a picture: dark behind food, but light behind black seaweed."""
        light = luminance(_hex(ground))
        if self.theme.dark:
            return mix(ground, _CREAM, 0.45) if category == "base" and light < 0.2 else mix(ground, _SOOT, 0.58)
        return mix(ground, _CRUST, 0.28) if light >= 0.55 else mix(ground, _FLOUR, 0.62)

    def needed(self, paint: TilePaint, panel: int) -> TilePaint:
        """Return the colours of a missing tile: a readable shadow of it on its panel."""
        found = self._needed.get((paint, panel))
        if found is None:
            found = self._needed[paint, panel] = self._shade(paint, panel)
        return found

    def _shade(self, paint: TilePaint, panel: int) -> TilePaint:
        if not self.pixels:
            return TilePaint(self["background"], self["muted"], self["background"], self["background"])
        ground = mix(panel, paint.ground, 0.26)
        ink = paint.ground
        share = 0.0
        while contrast(_hex(ink), _hex(ground)) < 5 and share < 1:
            share += 0.1
            ink = mix(paint.ground, self["text"], share)
        return TilePaint(ground, ink, mix(ground, 0, 0.3), ground)

    @cached_property
    def paper(self) -> int:
        """The ground of a little card; darker where the panels that it lies on are as light as paper."""
        found = mix(CARD_GROUND, self["background"], 0.1)
        share = 0.0
        while share < 0.5 and any(
            contrast(_hex(found), _hex(self[ground])) < LEAST_EDGE for ground in ("background", "panel")
        ):
            share += 0.05
            found = mix(CARD_GROUND, self["text"], share)
        return found

    def ink_on(self, ground: int) -> int:
        """Return the ink that is easiest to read on a ground."""
        if ground < 0:
            return _number("ansi_black")
        found = self._inks.get(ground)
        if found is None:
            found = self._inks[ground] = max((INK, PAPER), key=lambda one: contrast(_hex(one), _hex(ground)))
        return found


def code_letters(name: str, code: str) -> frozenset[int]:
    """Return the places of a code's letters in a name, in this order; empty if they do not occur so."""
    first = name.lower().find(code[:1].lower())
    second = name.lower().find(code[1:2].lower(), first + 1)
    return frozenset({first, second}) if first == 0 and second > 0 else frozenset()


def _number(colour: str) -> int:
    if colour.startswith("#"):
        return int(colour[1:], 16)
    name = colour.removeprefix("ansi_")
    return -2 - _ANSI[name] if name in _ANSI else TERMINAL


def _hex(colour: int) -> str:
    return f"#{colour:06x}"
