"""An app with one painted widget and nothing else."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widget import Widget

from wasabi_tx.text import Texts
from wasabi_tx.tui.painted_app import PaintedApp
from wasabi_tx.tui.paints import Paints
from wasabi_tx.tui.textual_theme import textual_theme
from wasabi_tx.tui.widgets.painted import Painted

from .memory_games import MemoryGames


def paints_of(theme: str) -> Paints:
    """Return the paints of a packaged theme."""
    games = MemoryGames()
    return Paints(
        textual_theme(next(one for one in games.themes()[0] if one.id == theme)), "letters", games.pictures()[0]
    )


class Alone(PaintedApp):
    """Shows one widget over the whole screen, and keeps what it posts."""

    CSS = "Screen > * { width: 100%; height: 100%; }"

    def __init__(self, widget: Widget, theme: str = "omakase", language: str = "en") -> None:
        super().__init__(paints_of(theme), Texts(language))
        self.widget = widget
        self.pressed: list[object] = []

    def compose(self) -> ComposeResult:
        yield self.widget

    def on_painted_pressed(self, message: Painted.Pressed) -> None:
        self.pressed.append(message.press)
