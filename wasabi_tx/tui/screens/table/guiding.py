"""Guiding at a table: a lesson looks over the learner's shoulder, and its place is kept for the next time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....lessons.guide import progress_with

if TYPE_CHECKING:
    from ....lessons.guide import Guide, GuideView
    from .screen import TableScreen


class Guiding:
    """Shows every action and every plan to the guide, before or after the table sees it."""

    def __init__(self, table: TableScreen, guide: Guide) -> None:
        self._table = table
        self._guide = guide
        self._kept = guide.at

    @property
    def view(self) -> GuideView:
        return self._guide.view(self._table.texts, self._table.followed)

    def takes(self, action: str) -> bool:
        """Return True after handling an action that a lesson handles itself: next page, or close at once."""
        table = self._table
        if action == "leave":
            table.leaving.close_table()
            return True
        if not self._guide.takes(action, table.followed):
            return False
        if self._guide.over:
            table.wasabi.play_after_lesson(table)
        else:
            table.plan_changed()
        return True

    def did(self, action: str) -> None:
        at = self._guide.at
        self._guide.did(action, self._table.followed)
        if self._guide.at != at:
            self._table.plan_changed()

    def sent(self) -> None:
        self._guide.sent()

    def check(self) -> None:
        """Let the guide check the plan; finish celebrating before the next table is set."""
        if self._guide.clears_table(self._table.followed):
            self._table.run_worker(self._go_on_later(), name="go on", exclusive=True, group="guide")
        else:
            self._check()

    async def _go_on_later(self) -> None:
        """Go on as soon as nothing moves at the table."""
        await self._table.moving.motion.ended()
        at = self._guide.at
        self._check()
        if self._guide.at != at:
            self._table.plan_changed()

    def _check(self) -> None:
        """Let the guide check the plan, and save the lesson's progress."""
        self._guide.check_task(self._table.followed)
        if self._guide.at != self._kept:
            self._kept = self._guide.at
            self._table.wasabi.keep_progress(progress_with(self._table.wasabi.progress, self._guide))
