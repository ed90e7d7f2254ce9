"""The unfinished games: one is continued, or deleted for good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import OptionList

from ...app.failure import Failure
from ..bindings import BY_ID, bindings_on, shown_keys
from ..widgets.page_foot import KeyHint
from .home import TABLE
from .page import ListPage
from .yes_no import YesNoPage


class UnfinishedPage(ListPage):
    """A list of games; returns the one to continue."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_on("unfinished")

    def __init__(
        self, title: str, options: Sequence[tuple[str, str]], choose: str, delete: Callable[[str], None]
    ) -> None:
        super().__init__(title, options, choose)
        self._delete = delete

    def compose(self) -> ComposeResult:
        key = shown_keys(BY_ID["delete"], self.wasabi.settings.keys, self.texts)[0]
        with self.dialog(self._caption):
            yield self._list
            yield self.foot(self._choose, KeyHint(key, self.texts.say("tui.action.delete"), "delete"))

    def action_delete(self) -> None:
        """Ask before a game is deleted: nothing brings it back."""
        chosen = self.query_one(OptionList).highlighted_option
        if chosen is None or chosen.id is None:
            return
        game, kind = chosen.id, "seat" if chosen.id.startswith(TABLE) else "game"
        say = self.texts.say
        page = YesNoPage(say(f"unfinished.delete-{kind}"), say(f"unfinished.delete-{kind}-about"))
        self.app.push_screen(page, lambda sure: self._drop(game) if sure else None)

    def _drop(self, game: str) -> None:
        try:
            self._delete(game)
        except Failure as refused:
            self.app.notify(refused.sentence, severity="error", markup=False)
            return
        listed = self.query_one(OptionList)
        listed.remove_option(game)
        if not listed.option_count:
            self.dismiss()
