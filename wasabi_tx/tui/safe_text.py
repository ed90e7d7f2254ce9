"""Safe text: the one way by which text that strangers wrote, such as names, enters a widget.

Textual reads markup in titles, cells and notifications, and a name like `[/bad]` would break them: so nothing is ever
handed over as a string. `text/foreign.py` cleans such text, `text/cells.py` cuts and wraps it.
"""

from __future__ import annotations

from textual.content import Content

from ..text.foreign import harmless_lines


def plain(text: str) -> Content:
    """Return the text as content without interpreting markup."""
    return Content(harmless_lines(text))
