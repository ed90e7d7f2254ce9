"""An input of one line: pasted text, line breaks included, becomes part of that line."""

from __future__ import annotations

from textual import events
from textual.binding import BindingsMap
from textual.widgets import Input

from ...text.foreign import LINE, clean

EDITING = {key: bindings[0].action for key, bindings in BindingsMap(Input.BINDINGS).key_to_bindings.items()}
"""The action of each key that edits a line."""


class LineInput(Input):
    async def on_key(self, event: events.Key) -> None:
        """Edit at once: Textual would insert letters that come later before a binding has run."""
        if not event.is_printable and event.key in EDITING:
            event.stop()
            event.prevent_default()
            await self.app.run_action(EDITING[event.key], self)

    def on_paste(self, event: events.Paste) -> None:
        """Paste as much as fits; Textual alone would keep the first line and drop the others."""
        event.stop()
        event.prevent_default()
        most = self.max_length or LINE
        start, end = sorted(self.selection)
        room = most - len(self.value) + end - start
        self.replace(clean(event.text, most)[:room], start, end)
