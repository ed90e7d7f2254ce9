"""Puzzling at a table: a judge looks over somebody's shoulder, and the stars of a day are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ....lessons.guide import GuideView
    from ....puzzles.judge import PuzzleJudge
    from .screen import TableScreen


class Puzzling:
    """Shows every action and every plan to the judge, as `Guiding` shows them to a guide."""

    def __init__(self, table: TableScreen, judge: PuzzleJudge) -> None:
        self._table = table
        self._judge = judge
        self._kept = False

    @property
    def view(self) -> GuideView:
        return self._judge.view(self._table.texts)

    def takes(self, action: str) -> bool:
        """Return True after handling an action that a puzzle handles itself: end the turn, retry, next, close."""
        table = self._table
        if action == "leave":
            table.leaving.close_table()
            return True
        if not self._judge.takes(action, table.followed):
            return False
        if self._judge.over:
            table.run_worker(table.wasabi.next_puzzle(table), name="puzzle")
        else:
            table.plan_changed()
        return True

    def did(self, action: str) -> None:
        """Do nothing: no action of the table changes a puzzle."""

    def sent(self) -> None:
        self._judge.sent()

    def check(self) -> None:
        """Let the judge check the plan, and save the stars of the first turn."""
        self._judge.check_turn(self._table.followed)
        if self._judge.stars is not None and not self._kept:
            self._kept = True
            self._table.wasabi.keep_stars(self._judge)
