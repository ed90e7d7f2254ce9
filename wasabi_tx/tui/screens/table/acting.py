"""A screen whose keys come from the list of actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from textual.binding import BindingType
from textual.screen import Screen

from ...keys import BY_ID, KeyAction, bindings_on
from ...safe_text import clean

if TYPE_CHECKING:
    from ....text import Texts
    from ...app import WasabiApp
    from ...spans import Line

LONGEST = 400
MOMENT = 0.05
"""Seconds that what happens elsewhere may wait to be drawn."""


class Acting(Screen[None]):
    """Runs `do_ID` for an action."""

    where: ClassVar[str] = ""
    _drawing = False

    @property
    def wasabi(self) -> WasabiApp:
        from ...app import WasabiApp

        assert isinstance(self.app, WasabiApp)
        return self.app

    @property
    def texts(self) -> Texts:
        return self.wasabi.texts

    def offers(self, action: KeyAction) -> bool:
        """Whether an action can be done here at all: keys, footer, palette and help follow it."""
        del action
        return True

    def refuse(self) -> None:
        """Something was wanted that is not offered here."""

    def tell(self, words: str, severity: Literal["information", "warning", "error"] = "information") -> None:
        """A notification; whatever strangers wrote into it is made harmless."""
        self.app.notify(clean(words, LONGEST), severity=severity, timeout=8, markup=False)

    def open_page(self, key: str, lines: Sequence[Line]) -> None:
        """Something to read; its title is what the action of that name does."""
        from ..base import TextPage

        self.app.push_screen(TextPage(self.texts.say(f"tui.about.{key}"), lines, self.texts.say("tui.close")))

    def draw(self) -> None:
        """Brings the screen up to date."""
        raise NotImplementedError

    def draw_soon(self) -> None:
        """Draws once for all that happens within a moment."""
        if not self._drawing:
            self._drawing = True
            self.set_timer(MOMENT, self._draw_late)

    def _draw_late(self) -> None:
        self._drawing = False
        self.draw()

    async def action_act(self, name: str) -> None:
        if not self.offers(BY_ID[name]):
            self.refuse()
            return
        result = getattr(self, f"do_{name}")()
        if result is not None:
            await result

    def do_theme(self) -> None:
        self.wasabi.next_theme()

    def do_settings(self) -> None:
        from ..settings import SettingsPage

        self.app.push_screen(SettingsPage())

    def do_palette(self) -> None:
        self.app.action_command_palette()

    def restyle(self) -> None:
        """Theme, language or keys have changed."""


def acting_bindings(where: str) -> list[BindingType]:
    return [*bindings_on(where)]
