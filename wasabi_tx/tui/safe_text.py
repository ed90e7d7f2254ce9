"""Safe text: the one way by which text that strangers wrote, such as names, enters a widget.

Textual reads markup in titles, cells and notifications, and a name like `[/bad]` would break them: so nothing is ever
handed over as a string.
"""

from __future__ import annotations

from textual.content import Content

from ..text.cells import cut, fit, wrap
from ..text.foreign import LINE as LONGEST
from ..text.foreign import clean, harmless_lines

__all__ = ["LONGEST", "clean", "cut", "fit", "plain", "wrap"]


def plain(text: str) -> Content:
    """Text as it is, whatever brackets it holds."""
    return Content(harmless_lines(text))
