"""Composing at a table for a later turn, while others move: what is planned is left, and can be withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....view.press import Do
from ....view.turn.ahead_lines import say_withdrawn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..base import Handler
    from .screen import TableScreen


class Composing:
    """Begins plans for later turns, leaves them, and takes them back."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def handlers(self) -> Mapping[str, Handler]:
        return {"ahead": self.begin, "instead": lambda: self.begin(instead=True)}

    def begin(self, instead: bool = False) -> None:
        """A plan for the next turn that nothing is left for, or another one for the last."""
        table = self._table
        if table.followed.plan is not None or (instead and not table.opened.game.ahead.turns):
            return
        if not table.followed.compose(instead):
            table.remark(table.texts.say("ahead.not-now"))
        table.draw()

    async def leave(self) -> None:
        """Leaves what is planned; whoever holds the seat then plays it."""
        table, followed = self._table, self._table.followed
        ahead, plan = followed.composed(), followed.plan
        if ahead is None:
            if plan is not None:
                plan.refuse(table.texts.say("error.bundle-too-short"))
        elif await table.attempt(table.opened.game.leave_ahead(ahead)):
            followed.stop_composing()
        table.draw()

    async def withdraw(self) -> None:
        """Takes back what was left last."""
        game = self._table.opened.game
        ahead = game.ahead
        if ahead.turns and await self._table.attempt(game.leave_ahead(ahead.without_last())):
            self._table.remark(say_withdrawn(ahead.turns[-1], game.rules, self._table.texts))
        self._table.draw()

    @property
    def ways(self) -> tuple[tuple[str, Do], ...]:
        """What can be done about later turns while others move."""
        followed, say = self._table.followed, self._table.texts.say
        if not followed.may_compose:
            return ()
        if not self._table.opened.game.ahead.turns:
            return ((say("ahead.begin"), Do("ahead")),)
        ways = (("ahead.then", "ahead"), ("ahead.instead", "instead"), ("ahead.withdraw", "back"))
        return tuple((say(words), Do(action)) for words, action in ways)
