"""Cells of a terminal: text truncated, padded and wrapped by the room that it takes there.

Letters of many scripts take two cells, accents none, so widths are never measured in characters.
"""

from __future__ import annotations

import re

from rich.cells import cell_len, chop_cells, set_cell_size

_WORDS = re.compile(r"([ \t\r\n]*)([^ \t\r\n]+)")


def fit(text: str, width: int) -> str:
    """Return the text in exactly this many cells: truncated with an ellipsis, or padded with spaces."""
    short = cut(text, width)
    return short + " " * (width - cell_len(short))


def cut(text: str, width: int) -> str:
    """Return the text in at most this many cells, with an ellipsis where it was truncated."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…" if width > 0 else ""


def wrap(text: str, width: int, indent: str = "", used: int = 0) -> list[str]:
    """Wrap the text into one or more lines of this many cells, never breaking at a no-break space.

    `used` cells of the first line are already taken; every later line begins with `indent`.
    """
    lines, room, fresh = [""], width - used, True
    for blanks, word in _WORDS.findall(text):
        gap = 0 if fresh and len(lines) > 1 else len(blanks)
        if gap + cell_len(word) > room and (not fresh or (used and len(lines) == 1)):
            lines.append(indent)
            gap, room = 0, width - cell_len(indent)
        gap = max(0, min(gap, room - 2)) if fresh else gap
        while gap + cell_len(word) > room:
            head = chop_cells(word, max(2, room - gap))[0]
            lines[-1] += " " * gap + head
            word = word[len(head) :]
            if not word:
                break
            lines.append(indent)
            gap, room = 0, width - cell_len(indent)
        lines[-1] += " " * gap * bool(word) + word
        room -= gap + cell_len(word)
        fresh = False
    return [line.replace("\u00a0", " ") for line in lines]
