"""An invite: typed or pasted, then Enter."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static
from textual.worker import Worker

from ...app.failure import Failure
from ...text import Texts
from ..safe_text import plain
from ..widgets.line_input import LineInput
from ..widgets.page_foot import PageFoot
from .page import Page

if TYPE_CHECKING:
    from ...online.online_table import OnlineTable

LONGEST = 2000


class InvitePage(Page["OnlineTable"]):
    """Gives the table to which the invite leads, or nothing; what is wrong with an invite is said beside it."""

    def __init__(self, title: str, texts: Texts, come: Callable[[str], Awaitable[OnlineTable]]) -> None:
        super().__init__()
        self.told = ""
        """The state of reaching the invited table."""
        self._caption = title
        self._texts = texts
        self._come = come
        self._coming: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(plain(self._texts.say("hosting.paste")))
            yield LineInput(placeholder="wasabi:…", max_length=LONGEST)
            yield Static(id="told", classes="about")
            yield PageFoot(id="foot", classes="-single")

    def on_mount(self) -> None:
        self.query_one(LineInput).focus()
        self.entitle(self._caption)
        self.show_keys(self._texts.say("hosting.go-there"), action="submit")
        self._tell("")

    def action_submit(self) -> None:
        self._go_there()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._go_there()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._coming is None or self._coming.is_finished:
            self._tell("")

    def _go_there(self) -> None:
        invite = self.query_one(LineInput).value
        if invite and (self._coming is None or self._coming.is_finished):
            self._tell(self._texts.say("lobby.connecting"))
            self._coming = self.run_worker(self._follow(invite), name="invite")

    async def _follow(self, invite: str) -> None:
        try:
            table = await self._come(invite)
        except Failure as refused:
            self._tell(refused.sentence)
        else:
            self.dismiss(table)

    def _tell(self, words: str) -> None:
        self.told = words
        told = self.query_one("#told", Static)
        told.update(plain(words))
        told.display = bool(words)
