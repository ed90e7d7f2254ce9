"""Notes at a table: a sentence about what is there for the first time, until it is put away or the turn ends."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ....view.notes import new_note
from ...keys import BY_ID, shown_keys

if TYPE_CHECKING:
    from .screen import TableScreen


class Notes:
    """Says each thing once in a person's life, one at a time."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table
        self._name = ""

    @property
    def words(self) -> str:
        table = self._table
        if not self._name:
            return ""
        (key, *_) = shown_keys(BY_ID["under"], table.wasabi.settings.keys, table.texts)
        return table.texts.say(f"note.{self._name}", key=key)

    def look(self) -> None:
        """A turn of the person here begins: is there anything new to them?"""
        table, app = self._table, self._table.wasabi
        if self._name or not app.settings.notes or table.guiding is not None or not table.followed.chooses:
            return
        self._name = new_note(table.followed.view(), table.opened.game.rules, app.progress.noted)
        if self._name:
            app.keep_progress(replace(app.progress, noted=app.progress.noted | {self._name}))

    def put_away(self) -> None:
        self._name = ""
