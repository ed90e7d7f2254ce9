"""A theme: base colours, tile colours, and a set of signs; data that a person can write.

A key that a theme leaves out falls back: a tile's code to its category, a category to the terminal's own ground. A
theme that cannot be read is reported and never fatal.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from ..text.foreign import clean
from .colour import ink_on

BASE = ("background", "surface", "panel", "text", "muted", "accent", "good", "warning", "error")
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
    names: dict[str, str]
    dark: bool
    glyphs: str
    base: dict[str, str]
    """Empty for a theme without colour."""
    tiles: dict[str, str]
    """Grounds by ingredient code or category."""

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
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ThemeError("file", str(error)) from None
    names = raw.get("name")
    if not isinstance(names, dict) or not all(isinstance(names.get(language), str) for language in ("en", "it")):
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
    return Theme(name, {k: clean(str(v), 40) for k, v in names.items()}, dark, glyphs, base, tiles)


def _colours(raw: Mapping[str, object], table: str) -> dict[str, str]:
    values = raw.get(table, {})
    if not isinstance(values, dict):
        raise ThemeError(table, repr(values)[:40])
    for key, value in values.items():
        if not _TILE.fullmatch(key) or not isinstance(value, str) or not _COLOUR.fullmatch(value):
            raise ThemeError(f"{table}.{key}", repr(value)[:40])
    return dict(values)
