"""Foreign text: what strangers wrote, in a message or in a file, made harmless before it is shown.

`clean` is for one value, where it comes in or where it is shown: a name, a line of talk, an edition's name. `harmless`
is for whole lines on their way out: it keeps their shape and takes away only what a terminal would obey.
"""

from __future__ import annotations

import unicodedata

LINE = 200
"""Characters of a line of talk, and of everything else that has no limit of its own."""
NAME = 24
"""Characters of a name."""

_IGNORABLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u20e3\u2800\u3164\ufe0e\ufe0f\uffa0")
"""Letters and marks that show nothing, or change how wide terminals draw what is before them."""
_MOST_MARKS = 2
"""Accents on one letter: two are needed in Thai, more pile up over the lines above."""


def clean(text: str, longest: int = LINE) -> str:
    """One line of visible characters: nothing moves a cursor, turns writing round, hides, or piles up marks."""
    kept: list[str] = []
    marks = _MOST_MARKS
    for char in unicodedata.normalize("NFC", text[: 4 * longest]):
        category = unicodedata.category(char)
        if char in _IGNORABLE or category in ("Cf", "Cs", "Co", "Cn"):
            continue
        blank = category[0] in "CZ"
        # A mark without a letter would be drawn on whatever comes before it.
        marks = _MOST_MARKS if blank else marks + 1 if category in ("Mn", "Me") else 0
        if blank or marks <= _MOST_MARKS:
            kept.append(" " if blank else char)
    # Again, because letters may have become neighbours.
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())[:longest].strip()


def harmless(line: str) -> str:
    """The line without control characters and invisible ones; blanks, length and brackets stay."""
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else _instead(char) for char in line)


def harmless_lines(text: str) -> str:
    """The same for a text of several lines."""
    return text if text.isprintable() else "\n".join(harmless(line) for line in text.split("\n"))


def _instead(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Zs":
        return char
    return " " if category in ("Cc", "Zl", "Zp") else ""
