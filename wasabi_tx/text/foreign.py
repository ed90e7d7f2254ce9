"""Foreign text: text that strangers wrote, in a message or a file, made harmless before it is shown.

`clean` is for a single value, on arrival or on display: a name, a line of chat, an edition's name. `harmless` is for
whole lines of output: it keeps their shape and removes only what a terminal would obey.
"""

from __future__ import annotations

import unicodedata

LINE = 200
"""The most characters of a line of chat, and of everything without a limit of its own."""
NAME = 24
"""The most characters of a name."""

_IGNORABLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u20e3\u2800\u3164\ufe0e\ufe0f\uffa0")
"""Letters and marks that are invisible, or change how wide terminals draw the character before them."""
_MOST_MARKS = 2
"""The most accents on one letter: Thai needs two, more would pile up over the lines above."""


def clean(text: str, longest: int = LINE) -> str:
    """Return one line of visible characters: none moves the cursor, reverses the text, hides, or piles up marks."""
    kept: list[str] = []
    marks = _MOST_MARKS
    for char in unicodedata.normalize("NFC", text[: 4 * longest]):
        category = unicodedata.category(char)
        if char in _IGNORABLE or category in ("Cf", "Cs", "Co", "Cn"):
            continue
        blank = category[0] in "CZ"
        # A mark without a letter would be drawn on whatever precedes it.
        marks = _MOST_MARKS if blank else marks + 1 if category in ("Mn", "Me") else 0
        if blank or marks <= _MOST_MARKS:
            kept.append(" " if blank else char)
    # Normalize again, because letters may have become neighbours.
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())[:longest].strip()


def harmless(line: str) -> str:
    """Return the line without control and invisible characters; spaces, length and brackets stay."""
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else _instead(char) for char in line)


def harmless_lines(text: str) -> str:
    """Do the same for a text of several lines."""
    return text if text.isprintable() else "\n".join(harmless(line) for line in text.split("\n"))


def _instead(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Zs":
        return char
    return " " if category in ("Cc", "Zl", "Zp") else ""
