"""An invite: typed or pasted, then Enter."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from ...text import Texts
from ...view.press import Do
from ..safe_text import plain
from ..widgets.foot_bar import FootBar
from ..widgets.line_input import LineInput
from .page import Page

LONGEST = 2000


class InvitePage(Page[str]):
    """Gives what was typed, or nothing."""

    def __init__(self, title: str, texts: Texts) -> None:
        super().__init__()
        self._caption = title
        self._texts = texts

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(plain(self._texts.say("hosting.paste")))
            yield LineInput(placeholder="wasabi:…", max_length=LONGEST)
            yield FootBar()

    def on_mount(self) -> None:
        self.query_one(LineInput).focus()
        self.entitle(self._caption)
        self.show_keys(self._texts.say("hosting.go-there"), press=Do("submit"))

    def action_act(self, name: str) -> None:
        if name == "submit":
            self.dismiss(self.query_one(LineInput).value)
        else:
            super().action_act(name)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value)
