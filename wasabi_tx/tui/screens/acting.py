"""A screen whose keys come from the list of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.screen import Screen

from ..actions import bindings_on

if TYPE_CHECKING:
    from ...text import Texts
    from ..app import WasabiApp


class Acting(Screen[None]):
    """Runs `do_ID` for an action."""

    where: ClassVar[str] = ""

    @property
    def wasabi(self) -> WasabiApp:
        from ..app import WasabiApp

        assert isinstance(self.app, WasabiApp)
        return self.app

    @property
    def texts(self) -> Texts:
        return self.wasabi.texts

    async def action_act(self, name: str) -> None:
        result = getattr(self, f"do_{name}")()
        if result is not None:
            await result

    def do_theme(self) -> None:
        self.wasabi.next_theme()

    def do_settings(self) -> None:
        from .settings import SettingsPage

        self.app.push_screen(SettingsPage())

    def do_palette(self) -> None:
        self.app.action_command_palette()

    def restyle(self) -> None:
        """Theme, language or keys have changed."""


def acting_bindings(where: str) -> list[BindingType]:
    return [*bindings_on(where)]
