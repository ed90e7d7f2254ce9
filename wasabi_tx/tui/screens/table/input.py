"""Input at a table: keys, clicks and typed lines, which change the plan of the person who sits here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....games.game import Can
from ....turn.commands import find_command
from ....turn.typed import choose_line
from ....view.press import PickCode, PickNumber, PickSquare, Press

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events

    from ....turn.plan import Plan
    from .screen import TableScreen

WORDS = {
    "codes": "book", "help": "help", "hint": "hint", "leave": "leave", "log": "log", "quit": "leave",
    "recipes": "book", "rules": "help", "under": "under", "undo": "back", "who": "who",
}  # fmt: skip
"""Words that may be typed instead of a key, with the action of that key; sending is not among them."""


class TurnInput:
    """Takes what is pressed, clicked and typed for the turn."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    @property
    def _plan(self) -> Plan | None:
        return self._table.followed.plan

    # The plan

    def _change(self, change: Callable[[Plan], None]) -> None:
        plan = self._plan
        if plan is not None:
            change(plan)
            self._table.plan_changed()

    async def action_accept(self) -> None:
        """Press the button: accept the offer, end the turn if nothing else is left, or show the result."""
        if self._table.followed.over:
            self._table.result.open()
        elif self._plan is not None and self._plan.ready:
            await self._table.action_send()
        else:
            self._change(lambda plan: plan.accept())

    async def action_back(self) -> None:
        """Undo the last choice, take back the last turn among bots, or withdraw the last planned turn."""
        plan, game = self._plan, self._table.opened.game
        if plan is None:
            await self._table.composing.withdraw()
        elif plan.untouched and Can.TAKE_BACK in game.can:
            question = self._table.texts.say("tui.take-back")
            if plan.said == (question,):
                await self._table.attempt(game.take_back())
            else:
                self._change(lambda plan: plan.set_message(question))
        else:
            self._change(lambda plan: plan.back())

    def action_drop(self) -> None:
        """Put back whatever is held or lifted; if nothing is, stop planning ahead."""
        self._table.lookups.put_down()
        self._table.notes.put_away()
        plan = self._plan
        if plan is not None and not plan.begun and not plan.typed:
            self._table.followed.stop_composing()
        if plan is not None:
            plan.drop()
        self._table.plan_changed()

    def action_return(self) -> None:
        self._change(lambda plan: plan.begin_return())

    def action_discard(self) -> None:
        self._change(lambda plan: plan.begin_discard())

    def action_cursor_up(self) -> None:
        self._move_cursor(0, -1)

    def action_cursor_down(self) -> None:
        self._move_cursor(0, 1)

    def action_cursor_left(self) -> None:
        self._move_cursor(-1, 0)

    def action_cursor_right(self) -> None:
        self._move_cursor(1, 0)

    def _move_cursor(self, columns: int, rows: int) -> None:
        def move(plan: Plan) -> None:
            grid = plan.rules.grid
            row, column = divmod(plan.cursor, grid.columns)
            plan.cursor = (row + rows) % grid.rows * grid.columns + (column + columns) % grid.columns

        self._change(move)

    def pick(self, press: Press) -> None:
        """Choose a square, or something with a number or a code."""
        match press:
            case PickNumber(number):
                self._change(lambda plan: plan.pick_number(number))
            case PickCode(number):
                if self._plan is not None and number in self._plan.offered_codes.values():
                    self._plan.pick_code(number)
                    self._table.plan_changed()
            case PickSquare(square):
                self._change(lambda plan: plan.pick_square(square))

    # Keys and typed lines

    def type_key(self, event: events.Key) -> bool:
        """Return True if the key was typed into the plan as a letter or a digit."""
        plan, char = self._plan, event.character
        if plan is None or char is None or not event.is_printable or char == " " or not plan.type_char(char):
            return False
        self._table.plan_changed()
        return True

    def action_notation(self) -> None:
        if self._plan is not None:
            self._table.open_line("notation", self.take_line)

    async def take_line(self, line: str) -> None:
        """Handle a line of notation or a word that stands for a key."""
        table, plan = self._table, self._plan
        if not line.strip() or plan is None:
            return
        command = find_command(line, table.texts)
        if command is not None and command[0] in WORDS:
            await table.action_act(WORDS[command[0]])
        else:
            choose_line(plan, line, table.texts)
        table.plan_changed()
