"""Leaving a table: for now, to resume later, or for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....games.game import Can
from ....view.table.ending import bots_play_on, ends_without_one
from ..page import ListPage
from ..yes_no import YesNoPage

if TYPE_CHECKING:
    from .screen import TableScreen


class LeaveQuestion:
    """Asks in which way to leave, and does it."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def action_leave(self) -> None:
        """Close and resume later, or leave for good; nothing to ask when the game is over."""
        table, say = self._table, self._table.texts.say
        if table.followed.over:
            self.close_table()
            return
        watching = Can.PLAY not in table.opened.game.can
        saved = bool(table.opened.saved_as)
        close = "tui.stop-watching" if watching else "tui.close-later" if saved else "tui.close-unsaved"
        ways = [("later", say(close))]
        if saved and table.followed.seated is not None and not watching and table.around.leaving is None:
            ends = ends_without_one(table.opened.game.position)
            ways.append(("for-good", say("tui.leave-and-end" if ends else "tui.leave-for-good")))
        stay = say("tui.go-on-watching" if watching else "tui.stay")
        ways.append(("stay", stay))
        table.app.push_screen(ListPage(say("tui.about.leave"), ways, say("tui.do-it"), stay), self._chosen)

    def _chosen(self, way: str | None) -> None:
        table, say = self._table, self._table.texts.say
        if way == "later":
            self.close_table()
        elif way == "for-good":
            ends = ends_without_one(table.opened.game.position)
            about = say("tui.asked.leave-ends" if ends else "tui.asked.leave-about")
            table.app.push_screen(YesNoPage(say("tui.asked.leave"), about, say("tui.stay")), self._sure)

    def _sure(self, yes: bool | None) -> None:
        if yes:
            self._table.run_worker(self._leave_for_good(), name="leave")

    async def _leave_for_good(self) -> None:
        table, seat = self._table, self._table.followed.seated
        if seat is None:
            return
        game = table.opened.game
        if await table.attempt(game.quit(seat)) and bots_play_on(game.position, game.players):
            table.app.notify(table.texts.say("play.left-alone"), markup=False)

    def close_table(self) -> None:
        self._table.run_worker(self._close(), name="close")

    async def _close(self) -> None:
        table = self._table
        if table.around.unsent and not table.followed.over:
            table.app.notify(table.texts.say("online.unsent"), markup=False)
        await table.opened.game.close()
        table.opened.close()
        table.wasabi.left_game(table)
