"""A theme: base colours, tile colours, and a set of signs; data that a person can write.

A key that a theme leaves out falls back: a tile's code to its category, a category to the terminal's own ground. A
theme that cannot be read is reported and never fatal.
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
    "background": ("#14161b", "#faf7f0"),
    "surface": ("#1d2028", "#f0ece0"),
    "panel": ("#282c37", "#e2dccb"),
    "text": ("#e6e3da", "#1d1b17"),
    "muted": ("#a2a6b0", "#5c564a"),
    "accent": ("#88ccee", "#1f5f8f"),
    "good": ("#6fcf97", "#1b6b3a"),
    "warning": ("#ddcc77", "#7a5200"),
    "error": ("#f08a98", "#a3182f"),
}
"""Every base colour that a theme may set, with what it is in a dark and in a light theme that leaves it out."""
NATIVE = "ansi_default"
"""The terminal's own colour."""
GLYPHS = ("letters", "emoji", "ascii")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}|ansi_[a-z_]+", re.ASCII)
_TILE = re.compile(r"[A-Za-z][a-z0-9-]*", re.ASCII)


class ThemeError(Exception):
    """A theme file that cannot be used: where, and what was found there."""

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
        """Every base colour: the theme's own, else a usual one; the terminal's own for a theme without any."""
        if not self.base:
            return dict.fromkeys(BASE, NATIVE)
        if any(colour.startswith("ansi_") for colour in self.base.values()):
            return dict.fromkeys(BASE, NATIVE) | self.base
        return {name: dark if self.dark else light for name, (dark, light) in BASE.items()} | self.base

    def tile_ground(self, code: str, category: str) -> str | None:
        """The colour behind a tile, or None to leave the terminal's own."""
        return self.tiles.get(code) or self.tiles.get(category)

    def tile_ink(self, code: str, category: str) -> str | None:
        """What to write on that ground; None with the terminal's own colours, whose values are not known."""
        ground = self.tile_ground(code, category)
        if ground is None:
            return None
        return ink_on(ground) if ground.startswith("#") else "ansi_black"


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
