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
from ..keys import bindings_on
from ..safe_text import plain


class Curtain(Screen[bool]):
    """True when the next person has sat down, False if they want to close the game."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_on("curtain")

    def __init__(self, name: str, texts: Texts) -> None:
        super().__init__()
        self._next = clean(name, 20)
        self._texts = texts

    def compose(self) -> ComposeResult:
        yield Static(plain(self._texts.say("tui.curtain", name=self._next)))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.dismiss(True)

    def action_act(self, name: str) -> None:
        self.dismiss(name == "ready")


class Paused(Curtain):
    """The curtain of a person who goes away for a moment: the game waits, and their hand is hidden."""

    def compose(self) -> ComposeResult:
        yield Static(plain(self._texts.say("tui.paused")))
