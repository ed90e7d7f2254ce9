"""Notes at a table: a sentence about what is there for the first time, until it is put away or the turn ends."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from ....turn.notes import new_note, step_note
from ....view.changed_start import changed_start, starting_wasabi

if TYPE_CHECKING:
    from .screen import TableScreen


class Notes:
    """Shows each note once in a person's life, one at a time."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table
        self._name = ""

    @property
    def words(self) -> str:
        table = self._table
        if not self._name:
            return ""
        wasabi = starting_wasabi(table.followed.game.rules, table.texts)
        return table.texts.say(f"note.{self._name}", key=table.key_of("under"), wasabi=wasabi)

    def check_news(self) -> None:
        """Show a note at the start of the user's turn if something is new to them."""
        if not self._name and self._wanted:
            noted = self._table.wasabi.progress.noted
            self._note(self._changed_start(noted) or new_note(self._table.followed.view(), noted))

    def look_at_step(self) -> None:
        """Show a note if the present question is new to the user."""
        plan = self._table.followed.plan
        if plan is not None and self._wanted:
            self._note(step_note(plan.moment.prompt, self._table.wasabi.progress.noted))

    def _changed_start(self, noted: Collection[str]) -> str:
        """Return the name of a deliberate change to announce in the first turn of a game; usually ""."""
        game = self._table.followed.game
        changed = changed_start(game.rules, game.dealt) if game.position.turn <= len(game.players) else ""
        return changed if changed not in noted else ""

    @property
    def _wanted(self) -> bool:
        table = self._table
        return table.wasabi.settings.notes and table.guiding is None and table.followed.chooses

    def _note(self, name: str) -> None:
        app = self._table.wasabi
        if name:
            self._name = name
            app.keep_progress(replace(app.progress, noted=app.progress.noted | {name}))

    def put_away(self) -> None:
        self._name = ""
