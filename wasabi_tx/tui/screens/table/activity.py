"""Activity: what the others may see of the person here, a turn begun or a pause; never what is in the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....games.game import Can, SeatState
from ..curtain import Paused

if TYPE_CHECKING:
    from .screen import TableScreen


class Activity:
    """Tells the others whenever it has changed, and covers the table in a pause."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table
        self._told = SeatState.HERE
        self._paused = False

    def report(self) -> None:
        """Report that a turn is being planned, on each redraw; plans for later turns concern nobody."""
        table = self._table
        if Can.VOTE not in table.opened.game.can:
            return
        plan = table.followed.plan
        begun = plan is not None and bool(plan.draft.steps) and not table.followed.composing
        state = SeatState.PAUSED if self._paused else SeatState.COMPOSING if begun else SeatState.HERE
        if state is not self._told:
            self._told = state
            table.run_worker(table.attempt(table.opened.game.doing(state)), name="doing")

    def action_pause(self) -> None:
        """Cover the table. A pause is no move, and the table's clock runs on."""
        self._paused = True
        self.report()
        self._table.app.push_screen(Paused(""), self._back)

    def _back(self, stays: bool | None) -> None:
        self._paused = False
        self.report()
        if not stays:
            self._table.leaving.action_leave()
