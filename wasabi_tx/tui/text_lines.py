"""Lines to read: words that wrap stay to the right of a line's beginning, such as a name or a key."""

from __future__ import annotations

from typing import NamedTuple

from textual.content import Content

from ..text.cells import wrap
from .safe_text import plain

NOTHING = Content("")
NARROWEST = 8
"""Columns that a row takes however narrow a terminal is drawn; what is to the right of it is cut."""


class TextLine(NamedTuple):
    words: str = ""
    style: str = ""
    """A Textual style for the words, such as `bold $accent`."""
    lead: Content = NOTHING

    @property
    def text(self) -> str:
        """The line without its looks."""
        return f"{self.lead.plain}{self.words}"

    def hang(self, width: int) -> list[Content]:
        """Return rows of at most this many cells; what does not fit goes on below the beginning of the words."""
        width = max(width, NARROWEST)
        begins = len(self.words) - len(self.words.lstrip())
        indent = self.lead.cell_length + begins
        if self.lead.cell_length + plain(self.words).cell_length <= width:
            return [self.lead.append(self._styled(self.words))]
        if indent > width // 2:
            # A long beginning has a row of its own, and the rest is a little further to the right.
            rest = TextLine(f"  {self.words.strip()}", self.style)
            return [*([self.lead.truncate(width)] if self.lead else []), *rest.hang(width)]
        first, *others = wrap(self.words, width, " " * indent, used=indent - begins)
        return [self.lead.append(self._styled(first)), *map(self._styled, others)]

    def _styled(self, words: str) -> Content:
        return plain(words).stylize(self.style)


def led(lead: str, style: str, words: str) -> TextLine:
    """Return a line with a beginning of its own look."""
    return TextLine(words, lead=plain(lead).stylize(style))
