"""The title of a list or a part of a page: words in capitals, and a rule to the end of the row."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from ..safe_text import plain


class ListTitle(Widget):
    """The title of a list: `PLAYERS ─────── 2 of 4`."""

    DEFAULT_CSS = "ListTitle { height: 1; width: 100%; text-wrap: nowrap; text-overflow: clip; }"
    words: reactive[str] = reactive("")
    note: reactive[str] = reactive("")
    """A text after the words, which then form a sentence instead of a title."""
    right: reactive[str] = reactive("")
    """A few words at the right end, after the rule."""

    action: reactive[str] = reactive("")
    """The action of the screen that a click on them runs, if any."""

    def __init__(self, words: str = "", right: str = "", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.set_reactive(ListTitle.words, words)
        self.set_reactive(ListTitle.right, right)

    async def on_click(self, event: events.Click) -> None:
        if self.action:
            event.stop()
            await self.app.run_action(f"screen.act('{self.action}')", self)

    def render(self) -> Content:
        title = plain(f"{self.words.upper()} ").stylize("bold $muted")
        if self.note:
            title = plain(self.words).stylize("bold").append(plain(f"  {self.note} ").stylize("$muted"))
        right = plain(f" {self.right}").stylize("$muted") if self.right else Content("")
        rule = self.size.width - title.cell_length - right.cell_length
        if rule < 1:
            return title
        return title.append(Content("─" * rule).stylize("$line")).append(right)
