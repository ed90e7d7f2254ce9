"""Composing a plan for a later turn at a table while others move: plans are saved, and can be withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....turn.plan_lines import say_withdrawn
from ....view.press import Do

if TYPE_CHECKING:
    from .screen import TableScreen


class Composing:
    """Begins plans for later turns, saves them, and withdraws them."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def action_plan(self) -> None:
        """Begin a plan for the next unplanned turn."""
        table = self._table
        if table.followed.plan is not None:
            return
        if not table.followed.compose():
            table.remark(table.texts.say("plans.not-now"))
        table.plan_changed()

    async def save_plan(self) -> None:
        """Save the plan; whichever program holds the seat then plays it."""
        table, followed = self._table, self._table.followed
        plans, plan = followed.composed(), followed.plan
        if plans is None:
            if plan is not None:
                plan.refuse(table.texts.say("error.bundle-too-short"))
        elif await table.attempt(table.opened.game.save_plans(plans)):
            followed.stop_composing()
        table.plan_changed()

    async def withdraw(self) -> None:
        """Withdraw the last plan."""
        game = self._table.opened.game
        plans = game.plans
        if plans.turns and await self._table.attempt(game.save_plans(plans.without_last())):
            self._table.remark(say_withdrawn(plans.turns[-1], game.rules, self._table.texts))
        self._table.plan_changed()

    @property
    def ways(self) -> tuple[tuple[str, Do], ...]:
        """Return the choices about later turns while others move."""
        followed, say = self._table.followed, self._table.texts.say
        if not followed.may_compose:
            return ()
        if not self._table.opened.game.plans.turns:
            return ((say("plans.begin"), Do("plan")),)
        ways = (("plans.then", "plan"), ("plans.withdraw", "back"))
        return tuple((say(words), Do(action)) for words, action in ways)
