"""An input of one line: pasted text, line breaks included, becomes part of that line."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from ...text.foreign import LINE, clean


class LineInput(Input):
    def on_paste(self, event: events.Paste) -> None:
        """Takes as much as fits; without this, Textual would keep the first line and drop the others."""
        event.stop()
        event.prevent_default()
        most = self.max_length or LINE
        start, end = sorted(self.selection)
        room = most - len(self.value) + end - start
        self.replace(clean(event.text, most)[:room], start, end)
