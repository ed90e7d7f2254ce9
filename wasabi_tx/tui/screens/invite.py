"""An invite: typed or pasted, then Enter."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.reactive import reactive
from textual.widgets import Input, Static
from textual.worker import Worker

from ...app.failure import Failure
from ..safe_text import plain
from ..widgets.line_input import LineInput
from .page import Page

if TYPE_CHECKING:
    from ...online.online_table import OnlineTable

LONGEST = 2000


class InvitePage(Page["OnlineTable"]):
    """Returns the table of the invite, or nothing; a problem with the invite is explained beside it."""

    told: reactive[str] = reactive("")
    """The state of reaching the invited table."""

    def __init__(self, title: str, come: Callable[[str], Awaitable[OnlineTable]]) -> None:
        super().__init__()
        self._caption = title
        self._come = come
        self._coming: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        with self.dialog(self._caption):
            yield Static(plain(self.texts.say("hosting.paste")))
            yield LineInput(placeholder="wasabi:…", max_length=LONGEST)
            yield Static(id="told", classes="about")
            yield self.foot(self.texts.say("hosting.go-there"), action="submit")

    def watch_told(self, words: str) -> None:
        for told in self.query("#told").results(Static):
            told.update(plain(words))
            told.display = bool(words)

    def action_submit(self) -> None:
        self._go_there()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._go_there()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._coming is None or self._coming.is_finished:
            self.told = ""

    def _go_there(self) -> None:
        invite = self.query_one(LineInput).value
        if invite and (self._coming is None or self._coming.is_finished):
            self.told = self.texts.say("lobby.connecting")
            self._coming = self.run_worker(self._follow(invite), name="invite")

    async def _follow(self, invite: str) -> None:
        try:
            table = await self._come(invite)
        except Failure as refused:
            self.told = refused.sentence
        else:
            self.dismiss(table)
