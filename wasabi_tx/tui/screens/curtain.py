"""The curtain between two people at one keyboard: it shows nothing of any hand."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Static

from ...text import Texts
from ...text.foreign import clean
from ..keys import BY_ID, bindings_on, shown_keys
from ..safe_text import plain
from ..wasabi_app import wasabi_app
from .page import ListPage


class Curtain(Screen[bool]):
    """True when the next person has sat down, False if they want to close the game."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_on("curtain")
    sentence: ClassVar[str] = "tui.curtain"

    def __init__(self, name: str, texts: Texts) -> None:
        super().__init__()
        self._next = clean(name, 20)
        self._texts = texts

    def compose(self) -> ComposeResult:
        key = shown_keys(BY_ID["ready"], wasabi_app(self).settings.keys, self._texts)[0]
        yield Static(plain(self._texts.say(self.sentence, name=self._next, key=key)))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.dismiss(True)

    def action_act(self, name: str) -> None:
        if name == "ready":
            self.dismiss(True)
        else:
            self.close_game()

    def close_game(self) -> None:
        """Asks first: one key is pressed too easily."""
        say = self._texts.say
        ways = [("later", say("tui.close-later")), ("stay", say("tui.stay"))]
        page = ListPage(say("tui.about.leave"), ways, say("tui.do-it"), say("tui.stay"))
        self.app.push_screen(page, self._chosen)

    def _chosen(self, way: str | None) -> None:
        if way == "later":
            self.dismiss(False)


class Paused(Curtain):
    """The curtain of a person who goes away for a moment: the game waits, and their hand is hidden."""

    sentence: ClassVar[str] = "tui.paused"

    def close_game(self) -> None:
        """The table asks, as it does without a curtain."""
        self.dismiss(False)
