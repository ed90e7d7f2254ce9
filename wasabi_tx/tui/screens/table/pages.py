"""The pages of a table: log, recipe book, players, help, what happened since the last turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....turn.plan_lines import plan_lines
from ...bindings import ACTIONS
from ...draw import pages

if TYPE_CHECKING:
    from .screen import TableScreen


class Pages:
    """Opens pages on top of the table; none of them changes anything."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def action_book(self) -> None:
        self._table.open_book(self._table.followed.observation)

    def action_who(self) -> None:
        table, followed = self._table, self._table.followed
        table.open_who(followed.observation, followed.view())

    def action_log(self) -> None:
        table, followed = self._table, self._table.followed
        you = followed.observation.seat
        lines = pages.log_lines(followed.log, followed.game.players, table.texts, you)
        plans = pages.plan_lines(plan_lines(followed.game.plans, followed.game.rules, table.texts))
        table.open_page("log", plans + lines + table.talk.said())

    def action_invites(self) -> None:
        from ..invites import InvitesPage

        table, opened = self._table, self._table.opened
        wasabi = table.wasabi
        page = InvitesPage(
            opened.invite,
            opened.watch_invite,
            opened.site,
            table.texts,
            width=table.size.width,
            on_dark=wasabi.paints.theme.dark,
            remapped=wasabi.settings.keys,
        )
        table.app.push_screen(page)

    def action_help(self) -> None:
        table, plan = self._table, self._table.followed.plan
        slot = plan.moment.prompt.slot if plan is not None else None
        idle = [action.id for action in ACTIONS if not table.offers(action)]
        table.open_help(table.opened.game.rules, slot, idle)

    def action_since(self) -> None:
        from ..replay import ReplayScreen

        table, followed = self._table, self._table.followed
        frames = followed.frames_since
        if frames:
            game = followed.game
            table.app.push_screen(ReplayScreen(game.rules, game.players, frames, followed.seated, followed.faces))
