"""Pictures of ingredients and rivals as rows of coloured pixels; data that a person can write.

An ingredient has two sizes, `large` and `middle`, a rival a `portrait` and a small `face`. One letter is one pixel, `.`
is transparent. An edition whose ingredients have no pictures is played without: the name on a tile identifies it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..engine.toml_text import BadToml, read_toml

PLATE = "."
LARGE, MIDDLE, PORTRAIT, FACE = (13, 7), (9, 5), (16, 16), (7, 5)
"""Columns and rows of pixels in each size."""
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)
_CODE = re.compile(r"[A-Z][a-z]|cup", re.ASCII)
_CHARACTER = re.compile(r"[a-z]{1,20}", re.ASCII)

Picture = tuple[tuple[int | None, ...], ...]
"""Rows of colours; None is transparent."""


class PictureError(Exception):
    """A file of pictures that cannot be used: the place, and what was found there."""

    def __init__(self, where: str, found: str) -> None:
        super().__init__(where, found)
        self.where = where
        self.found = found


@dataclass(frozen=True)
class Pictures:
    """Pictures by ingredient code or by a rival's character."""

    large: Mapping[str, Picture] = field(default_factory=dict)
    middle: Mapping[str, Picture] = field(default_factory=dict)
    portrait: Mapping[str, Picture] = field(default_factory=dict)
    face: Mapping[str, Picture] = field(default_factory=dict)

    def joined(self, other: Pictures) -> Pictures:
        """Return these pictures and the others, which take precedence."""
        return Pictures(
            {**self.large, **other.large},
            {**self.middle, **other.middle},
            {**self.portrait, **other.portrait},
            {**self.face, **other.face},
        )


NONE = Pictures()
SIZES = {
    "large": (LARGE, _CODE),
    "middle": (MIDDLE, _CODE),
    "portrait": (PORTRAIT, _CHARACTER),
    "face": (FACE, _CHARACTER),
}
"""Tables of a file: the size in pixels of the pictures, and the pattern of their names."""


def parse_pictures(text: str) -> Pictures:
    """Return the pictures in a file, each checked to the last pixel."""
    try:
        raw = read_toml(text)
    except BadToml as error:
        raise PictureError("TOML", str(error.line)) from None
    if unknown := set(raw) - {"palette", *SIZES}:
        raise PictureError(min(unknown), "?")
    palette = _palette(raw.get("palette", {}))
    return Pictures(**{name: _table(raw.get(name, {}), name, palette) for name in SIZES})


def _palette(raw: object) -> dict[str, int | None]:
    if not isinstance(raw, dict):
        raise PictureError("palette", repr(raw)[:40])
    found: dict[str, int | None] = {PLATE: None}
    for letter, colour in raw.items():
        if len(letter) != 1 or letter == PLATE or not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
            raise PictureError(f"palette.{letter}", repr(colour)[:40])
        found[letter] = int(colour[1:], 16)
    return found


def _table(raw: object, name: str, palette: Mapping[str, int | None]) -> dict[str, Picture]:
    if not isinstance(raw, dict):
        raise PictureError(name, repr(raw)[:40])
    size, spelling = SIZES[name]
    found = {}
    for code, table in raw.items():
        where = f"{name}.{code}"
        rows = table.get("rows") if isinstance(table, dict) else None
        if not spelling.fullmatch(code) or not isinstance(rows, list) or set(table) != {"rows"}:
            raise PictureError(where, repr(table)[:40])
        if len(rows) != size[1] or any(not isinstance(row, str) or len(row) != size[0] for row in rows):
            raise PictureError(where, f"{size[0]} x {size[1]}")
        if unknown := set("".join(rows)) - set(palette):
            raise PictureError(where, repr(min(unknown)))
        found[code] = tuple(tuple(palette[letter] for letter in row) for row in rows)
    return found
