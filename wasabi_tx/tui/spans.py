"""Styled text as plain data: spans with a role, which a theme gives a colour, and with what a click on them does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from ..text.cells import wrap
from ..view.press import Press


class Span(NamedTuple):
    text: str
    role: str = "text"
    press: Press | None = None
    """What a click on it stands for."""


Line = tuple[Span, ...]


def line_width(line: Iterable[Span]) -> int:
    return sum(cell_len(span.text) for span in line)


def clip(line: Iterable[Span], width: int) -> Line:
    """The line in at most this many cells."""
    kept: list[Span] = []
    for span in line:
        size = cell_len(span.text)
        if size > width:
            kept.append(span._replace(text=set_cell_size(span.text, width)))
            break
        kept.append(span)
        width -= size
    return tuple(kept)


def hang(line: Line, width: int) -> list[Line]:
    """The line in rows of at most this many cells; what does not fit goes on below the beginning of its last span."""
    *lead, last = line or (Span(""),)
    begins = cell_len(last.text) - cell_len(last.text.lstrip())
    indent = line_width(lead) + begins
    if line_width(line) <= width:
        return [line]
    if indent > width // 2:
        # A long beginning has a row of its own, and the rest is a little further to the right.
        return [
            *(hang(tuple(lead), width) if lead else []),
            *hang((last._replace(text=f"  {last.text.strip()}"),), width),
        ]
    first, *others = wrap(last.text, width, " " * indent, used=indent - begins)
    return [(*lead, last._replace(text=first)), *((last._replace(text=row),) for row in others)]


def text_of(lines: Iterable[Line]) -> str:
    """Only the words."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def rule(words: Iterable[Span], width: int) -> Line:
    """A horizontal rule with words in it."""
    line = clip((Span("─", "rule"), *words), width)
    return (*line, Span("─" * (width - line_width(line)), "rule"))
