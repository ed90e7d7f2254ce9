"""A theme: base colours, tile colours, and a set of signs; data that a person can write.

A missing key falls back: a tile's code to its category, a category to the terminal's own ground. An unreadable theme is
reported and never fatal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..engine.toml_text import BadToml, read_toml
from ..engine.translations import Names
from ..text import ENGLISH
from ..text.foreign import clean
from .colour import ink_on

BASE = {
    "background": ("#15110e", "#f6efe0"),
    "surface": ("#1e1915", "#fffaf0"),
    "panel": ("#2b241d", "#efe3cb"),
    "line": ("#4a3f33", "#cdbb9a"),
    "text": ("#f5ecdd", "#2c2118"),
    "muted": ("#b3a48e", "#655540"),
    "faint": ("#8f806b", "#7d6a50"),
    "accent": ("#b4dc5e", "#426e0a"),
    "accent-shape": ("#b4dc5e", "#6fae1f"),
    "points": ("#ffcb52", "#7f5000"),
    "points-shape": ("#ffcb52", "#f0a81c"),
    "good": ("#b4dc5e", "#426e0a"),
    "warning": ("#ffcb52", "#7f5000"),
    "error": ("#ff8b78", "#b23a22"),
    "wood": ("#4b3827", "#c9a674"),
    "square": ("#2b2017", "#e2c79b"),
    "legal": ("#3b3420", "#d8d29a"),
    "seat-1": ("#7cc0ff", "#1a62ab"),
    "seat-2": ("#ffa869", "#a84e08"),
    "seat-3": ("#d3a4f5", "#7a3aa8"),
    "seat-4": ("#5fd9c0", "#0c7264"),
}
"""Every base colour that a theme may set, with its defaults in a dark and in a light theme."""
LIKE = {
    "line": "muted", "faint": "muted", "accent-shape": "accent", "points": "warning", "points-shape": "warning",
    "seat-1": "accent", "seat-2": "warning", "seat-3": "good", "seat-4": "error",
}  # fmt: skip
"""Colours that default to another one if a theme sets only that one."""
NATIVE = "ansi_default"
"""The terminal's own colour."""
DARK = ("ansi_black", "ansi_blue", "ansi_bright_black")
"""Colours that are dark in every terminal, so that text on them is white."""
GLYPHS = ("letters", "flat", "emoji", "ascii")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}|ansi_[a-z_]+", re.ASCII)
_TILE = re.compile(r"[A-Za-z][a-z0-9-]*", re.ASCII)


class ThemeError(Exception):
    """A theme file that cannot be used: the place, and what was found there."""

    def __init__(self, where: str, found: str) -> None:
        super().__init__(where, found)
        self.where = where
        self.found = found


@dataclass(frozen=True)
class Theme:
    id: str
    names: Names
    dark: bool
    glyphs: str
    base: dict[str, str]
    """Empty for a theme without colour."""
    tiles: dict[str, str]
    """Grounds by ingredient code or category."""

    @property
    def whole_base(self) -> dict[str, str]:
        """Every base colour: the theme's own, otherwise a default; the terminal's own for a theme without any."""
        if not self.base:
            return dict.fromkeys(BASE, NATIVE)
        alike = {name: self.base[like] for name, like in LIKE.items() if like in self.base}
        if any(colour.startswith("ansi_") for colour in self.base.values()):
            return dict.fromkeys(BASE, NATIVE) | alike | self.base
        return {name: dark if self.dark else light for name, (dark, light) in BASE.items()} | alike | self.base

    @property
    def mixes(self) -> bool:
        """True if the theme sets its own colours, so that they can be mixed."""
        return all(colour.startswith("#") for colour in self.whole_base.values())

    def tile_ground(self, code: str, category: str) -> str | None:
        """Return the colour behind a tile; None for the terminal's own."""
        return self.tiles.get(code) or self.tiles.get(category)

    def tile_ink(self, code: str, category: str) -> str | None:
        """Return the text colour on that ground; None with the terminal's own colours, whose values are unknown."""
        ground = self.tile_ground(code, category)
        if ground is None:
            return None
        if ground.startswith("#"):
            return ink_on(ground)
        return "ansi_bright_white" if ground in DARK else "ansi_black"


def parse_theme(name: str, text: str) -> Theme:
    try:
        raw = read_toml(text)
    except BadToml as error:
        raise ThemeError("TOML", str(error.line)) from None
    names = raw.get("name")
    if not isinstance(names, dict) or ENGLISH not in names or not all(isinstance(one, str) for one in names.values()):
        raise ThemeError("name", repr(names))
    dark, glyphs = raw.get("dark", True), raw.get("glyphs", "letters")
    if not isinstance(dark, bool):
        raise ThemeError("dark", repr(dark))
    if glyphs not in GLYPHS:
        raise ThemeError("glyphs", repr(glyphs))
    base, tiles = _colours(raw, "base"), _colours(raw, "tiles")
    for key in base:
        if key not in BASE:
            raise ThemeError(f"base.{key}", "?")
    if unknown := set(raw) - {"name", "dark", "glyphs", "base", "tiles"}:
        raise ThemeError(min(unknown), "?")
    return Theme(name, Names({language: clean(one, 40) for language, one in names.items()}), dark, glyphs, base, tiles)


def _colours(raw: Mapping[str, object], table: str) -> dict[str, str]:
    values = raw.get(table, {})
    if not isinstance(values, dict):
        raise ThemeError(table, repr(values)[:40])
    for key, value in values.items():
        if not _TILE.fullmatch(key) or not isinstance(value, str) or not _COLOUR.fullmatch(value):
            raise ThemeError(f"{table}.{key}", repr(value)[:40])
    return dict(values)
