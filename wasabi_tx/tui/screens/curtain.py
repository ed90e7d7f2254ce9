"""The curtain between two people at one keyboard: it shows nothing of any hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from ...engine.position import Position
from ...games.game import Player
from ...text import Texts
from ...text.foreign import clean
from ..bindings import bindings_on
from ..safe_text import plain
from .base import WasabiScreen
from .page import ListPage


def standing_line(position: Position, players: Sequence[Player], texts: Texts) -> str:
    """Return the turn and everybody's points, or "" before the first turn."""
    if not position.turn:
        return ""
    points = (f"{clean(player.name, 20)}: {seat.score}" for player, seat in zip(players, position.seats, strict=True))
    return f"{texts.say('table.turn', turn=position.turn)} · {', '.join(points)}"


class Curtain(WasabiScreen[bool]):
    """True when the next person has sat down, False if they want to close the game."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_on("curtain")
    sentence: ClassVar[str] = "tui.curtain"

    def __init__(self, name: str, standing: str = "") -> None:
        """Make the curtain; `standing` is the public state of the game."""
        super().__init__()
        self._standing = standing
        self._next = clean(name, 20)

    def compose(self) -> ComposeResult:
        say = self.texts.say
        asked = say(self.sentence, name=self._next, key=self.key_of("ready"))
        words = [asked, self._standing, say("tui.curtain-close", key=self.key_of("close"))]
        yield Static(plain("\n\n".join(filter(None, words))))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.dismiss(True)

    def action_ready(self) -> None:
        self.dismiss(True)

    def action_close(self) -> None:
        """Ask before closing: one key is pressed too easily."""
        say = self.texts.say
        ways = [("later", say("tui.close-later")), ("stay", say("tui.stay"))]
        page = ListPage(say("tui.about.leave"), ways, say("tui.do-it"), say("tui.stay"))
        self.app.push_screen(page, self._chosen)

    def _chosen(self, way: str | None) -> None:
        if way == "later":
            self.dismiss(False)


class Paused(Curtain):
    """The curtain of a person who goes away for a moment: the game waits, and their hand is hidden."""

    sentence: ClassVar[str] = "tui.paused"

    def action_close(self) -> None:
        """Close the curtain: the table asks by itself."""
        self.dismiss(False)
