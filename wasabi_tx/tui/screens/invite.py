"""An invite: typed or pasted, then Enter."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from ...text import Texts
from ..safe_text import plain
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
            yield Static(plain(self._caption), classes="title")
            yield Static(plain(self._texts.say("hosting.paste")))
            yield LineInput(placeholder="wasabi:…", max_length=LONGEST)
            yield Static(plain(self._texts.say("hosting.paste-how")), classes="foot")

    def on_mount(self) -> None:
        self.query_one(LineInput).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value)
