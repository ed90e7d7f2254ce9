"""The pages of a table: log, recipe book, players, help, what happened since the last turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....view.turn.ahead_lines import ahead_lines
from ...draw import pages
from ...keys import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..base import Handler
    from .screen import TableScreen


class Pages:
    """Opens pages on top of the table; none of them changes anything."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "book": self.open_book,
            "who": self.open_who,
            "log": self.open_log,
            "help": self.open_help,
            "since": self.open_since,
        }

    def open_book(self) -> None:
        self._table.open_book(self._table.followed.observation)

    def open_who(self) -> None:
        table, followed = self._table, self._table.followed
        table.open_who(followed.observation, followed.view())

    def open_log(self) -> None:
        table, followed = self._table, self._table.followed
        you = followed.observation.seat
        lines = pages.log_lines(followed.log, followed.game.players, table.texts, you)
        plans = pages.plan_lines(ahead_lines(followed.game.ahead, followed.game.rules, table.texts))
        table.open_page("log", plans + lines + table.talk.said())

    def open_help(self) -> None:
        table, plan = self._table, self._table.followed.plan
        slot = plan.moment.prompt.slot if plan is not None else None
        idle = [action.id for action in ACTIONS if not table.offers(action)]
        keys = table.wasabi.settings.keys
        rules = table.opened.game.rules
        table.open_help(rules, pages.help_lines(rules, slot, table.texts, keys, "table", idle))

    def open_since(self) -> None:
        from ..replay import ReplayScreen

        table, followed = self._table, self._table.followed
        frames = followed.frames_since
        if frames:
            game = followed.game
            table.app.push_screen(ReplayScreen(game.rules, game.players, frames, followed.seated, followed.faces))
