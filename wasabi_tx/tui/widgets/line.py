"""The line of a screen: it has the focus, takes every key in order, and can be typed into while it is open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual import events

from ...text.foreign import LINE
from .line_input import EDITING, LineInput

ENTER = ("enter", "ctrl+j")
"""A line break that no keyboard sent, but a program or a connection, ends a line too."""

RunKey = Callable[[events.Key], Awaitable[None]]
"""Does what a key is bound to, and stops it if nothing else should get it."""
Taken = Callable[[str], Awaitable[None]]
"""Takes a typed line."""


class Line(LineInput):
    """A line with the focus for as long as its screen is there; it takes no room while it is closed.

    What a key does is done before the next one is read: so nothing that arrives together with the key that opens
    a line, or after the Enter that ends it, gets to the wrong place.
    """

    def __init__(self, run_key: RunKey) -> None:
        """Make the line; `run_key` is awaited with each key while no line is open: `WasabiScreen.run_key`."""
        super().__init__(compact=True, select_on_focus=False, id="line")
        self.cursor_blink = False
        self._run_key = run_key
        self._taken: Taken | None = None
        self._changed: Callable[[], None] | None = None

    @property
    def is_open(self) -> bool:
        """True while a line is being typed."""
        return self._taken is not None

    def open(self, taken: Taken, changed: Callable[[], None], longest: int = LINE) -> None:
        """Begin a line: `taken` gets it, `changed` runs when it begins and when it ends."""
        self.value = ""
        self.max_length = longest
        self._taken, self._changed = taken, changed
        self.add_class("-open")
        changed()

    def close(self) -> None:
        """Drop the line."""
        changed, self._taken, self._changed = self._changed, None, None
        self.remove_class("-open")
        if changed is not None:
            changed()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False while no line is open: editing keys then belong to the screen."""
        del action, parameters
        return self.is_open

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Return False while no line is open: letters then belong to the screen too."""
        return self.is_open and super().check_consume_key(key, character)

    async def on_key(self, event: events.Key) -> None:
        if self._taken is None:
            event.prevent_default()
            await self._run_key(event)
        elif not event.is_printable:
            event.stop()
            event.prevent_default()
            await self._edit(event.key)

    async def finish(self) -> None:
        """Submit the line, as Enter does."""
        taken, line = self._taken, self.value
        self.close()
        if taken is not None:
            await taken(line)

    async def _edit(self, key: str) -> None:
        if key in ENTER:
            await self.finish()
        elif key == "escape" or (key == "backspace" and not self.value):
            self.close()
        elif key in EDITING:
            await self.app.run_action(EDITING[key], self)

    def on_paste(self, event: events.Paste) -> None:
        """Ignore pasted text while no line is open."""
        if not self.is_open:
            event.stop()
            event.prevent_default()
