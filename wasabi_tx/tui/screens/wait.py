"""A wait with words and a bar: nobody looks at a screen on which nothing happens."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from ..bindings import bindings_on
from ..safe_text import plain
from .page import Page

STEP = 0.25
"""Seconds after which the bar moves."""
RUNNER = 6
"""Columns that run along the bar of a wait whose end nobody knows."""


class WaitPage(Page[bool]):
    """Dismissed with True if the user skips the rest of the wait, with False or None if they give up."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_on("page"), Binding("enter", "skip", show=False)]

    words: reactive[str] = reactive("")
    """The state of what is waited for."""
    limit: reactive[float] = reactive(0.0)
    """Seconds until this wait ends by itself, counted from when this is set; 0 if unknown."""

    def __init__(self, title: str, words: str, skip: str = "") -> None:
        """Make the page; `skip` says what Enter does instead of waiting, if anything."""
        super().__init__()
        self._caption = title
        self._skip = skip
        self._since = monotonic()
        self.set_reactive(WaitPage.words, words)

    def compose(self) -> ComposeResult:
        with self.dialog(self._caption):
            yield Static(id="state", classes="about")
            yield Static(id="bar")
            yield self.foot(self._skip, action="skip", close=self.texts.say("wait.stop"))

    def on_mount(self) -> None:
        self.set_interval(STEP, self._show)
        self._show()

    def on_resize(self) -> None:
        self._show()

    def watch_words(self) -> None:
        self._show()

    def watch_limit(self) -> None:
        self._since = monotonic()
        self._show()

    def _show(self) -> None:
        if not self.query("#bar") or not self.size.width:
            return
        spent = monotonic() - self._since
        left = max(0, round(self.limit - spent)) if self.limit else round(spent)
        seconds = self.texts.say("wait.left" if self.limit else "wait.spent", count=left)
        self.query_one("#state", Static).update(plain(self.words))
        bar = self.query_one("#bar", Static)
        width = max(1, bar.size.width - cell_len(seconds) - 1)
        begin, end = 0, round(width * min(1.0, spent / self.limit)) if self.limit else 0
        if not self.limit:
            begin = int(spent / STEP) % width
            end = min(width, begin + RUNNER)
        parts = (("━" * begin, "$muted"), ("━" * (end - begin), "$accent"), ("━" * (width - end), "$muted"))
        bar.update(Content.assemble(*parts, f" {seconds}"))

    def action_skip(self) -> None:
        if self._skip:
            self.dismiss(True)
