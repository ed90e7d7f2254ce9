"""Talk at a table: lines to the others, and muting them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....games.game import Can
from ....text.foreign import clean
from ...text_lines import TextLine
from ...widgets.table.talk import said_line

if TYPE_CHECKING:
    from .screen import TableScreen


class Talk:
    """Sends lines to the others, and hides theirs on request."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def action_talk(self) -> None:
        """Open the line and mark all messages as read."""
        self._table.around.unread = 0
        self._table.open_line("talk", self._take_line)

    async def _take_line(self, line: str) -> None:
        # Nobody who plays on waits until it is said.
        self._table.run_worker(self.send(line), name="say")

    async def send(self, line: str) -> None:
        """Send a line to the others; a digit alone stands for a frequent phrase."""
        table = self._table
        phrases = {} if Can.EMOTE in table.opened.game.can else table.texts.words("tui.emote")
        text = clean(phrases.get(line.strip(), line))
        if text:
            await table.attempt(table.opened.game.send_talk(text))

    def said(self) -> list[TextLine]:
        """Return the latest talk, for the end of the log."""
        around = self._table.around
        if not around.lines:
            return []
        around.unread = 0
        title = self._table.texts.say("tui.talk")
        return [TextLine(), TextLine(title, "bold"), *map(said_line, around.lines)]

    def action_mute(self) -> None:
        """Toggle the display of messages."""
        around = self._table.around
        around.muted = not around.muted
        around.unread = 0
        self._table.refresh_table()
