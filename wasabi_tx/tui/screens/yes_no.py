"""A question to be answered with yes or no; nothing else answers it, so that no key pressed for the game does."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from ...text import Texts
from ...view.press import Do, Press
from ..draw.footer import footer_line
from ..keys import bindings_on
from ..safe_text import plain
from ..spans import Span
from ..wasabi_app import wasabi_app
from ..widgets.foot_bar import FootBar
from ..widgets.panel import Panel
from .page import Page


class YesNoPage(Page[bool]):
    """True or False; None if it was closed without an answer."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_on("asked")

    def __init__(self, question: str, about: str, texts: Texts, close: str = "") -> None:
        """`close` says what it means not to answer."""
        super().__init__()
        self._close = close
        self.question = question
        self._about = about
        self._texts = texts

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(plain(self.question), classes="title tall")
            yield Static(plain(self._about), classes="about")
            yield Panel("answers", "foot")
            yield FootBar()

    def on_mount(self) -> None:
        keys = wasabi_app(self).settings.keys
        line = footer_line("asked", self._texts, 60, keys)
        self.query_one(Panel).show(((), (Span("  ", "foot"), *line)))
        self.show_keys(close=self._close)

    def take_press(self, press: Press) -> None:
        if isinstance(press, Do):
            self.action_act(press.action)

    def action_act(self, name: str) -> None:
        if name in ("yes", "no"):
            self.dismiss(name == "yes")
        else:
            super().action_act(name)
