"""The one way by which text that strangers wrote, such as names, enters a widget.

Textual reads markup in titles, cells and notifications, and a name like `[/bad]` would break them: so nothing is ever
handed over as a string.
"""

from __future__ import annotations

import unicodedata

from rich.cells import cell_len, chop_cells, set_cell_size
from textual.content import Content

LONGEST = 200
_JOINERS = frozenset("\u200b\u200c\u200d\u2060\ufe0e\ufe0f\u20e3")
"""Marks that change how wide terminals draw what stands before them."""


def clean(text: str, longest: int = LONGEST) -> str:
    """One line without control characters, direction overrides, and marks that no two terminals draw alike."""
    kept = []
    marks = 0
    for char in text[: longest * 4]:
        category = unicodedata.category(char)
        if char in _JOINERS or category in ("Cf", "Cs", "Co", "Cn"):
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks > 1:
            continue
        kept.append(" " if category[0] in "CZ" else char)
    return " ".join("".join(kept).split())[:longest]


def plain(text: str) -> Content:
    """Text as it is, whatever brackets it holds."""
    return Content("\n".join(clean(line, 2000) for line in text.splitlines()))


def fit(text: str, width: int) -> str:
    """The text in exactly so many cells: cut with an ellipsis, or filled with blanks."""
    if width <= 0:
        return ""
    if cell_len(text) <= width:
        return text + " " * (width - cell_len(text))
    return (
        set_cell_size(text, width - 1).rstrip()
        + "…"
        + " " * (width - 1 - cell_len(set_cell_size(text, width - 1).rstrip()))
    )


def wrap(text: str, width: int, used: int = 0) -> list[str]:
    """The text in lines of so many cells, `used` of which are taken on the first; at least one line."""
    lines, room = [""], width - used
    for word in text.split():
        gap = 1 if lines[-1] else 0
        if cell_len(word) + gap > room and (lines[-1] or (used and len(lines) == 1)):
            lines.append("")
            gap, room = 0, width
        for part in chop_cells(word, max(2, room - gap)):
            if lines[-1] and not gap:
                lines.append("")
                room = width
            lines[-1] += " " * gap + part
            room -= gap + cell_len(part)
            gap = 0
    return lines


def cut(text: str, width: int) -> str:
    """The text in at most so many cells."""
    return text if cell_len(text) <= width else fit(text, width).rstrip()
