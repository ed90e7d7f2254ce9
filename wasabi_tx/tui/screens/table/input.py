"""Input at a table: keys, clicks and typed lines, which change the plan of the person who sits here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....view.press import Do, PickCode, PickNumber, PickSquare, Press
from ....view.turn.commands import find_command
from ....view.turn.typed import choose_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual import events

    from ....view.turn.plan import Plan
    from ..base import Handler
    from .screen import TableScreen

WORDS = {
    "codes": "book", "help": "help", "hint": "hint", "leave": "leave", "log": "log", "quit": "leave",
    "recipes": "book", "rules": "help", "under": "under", "undo": "back", "who": "who",
}  # fmt: skip
"""Words that may be typed instead of a key, with the action of that key; sending is none of them."""


class TurnInput:
    """Takes what is pressed, clicked and typed for the turn."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    @property
    def _plan(self) -> Plan | None:
        return self._table.followed.plan

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "accept": self.accept,
            "back": self.back,
            "return": lambda: self._change(lambda plan: plan.begin_return()),
            "discard": lambda: self._change(lambda plan: plan.begin_discard()),
            "drop": self.drop,
            "notation": self.open_notation,
            "cursor_up": lambda: self._move_cursor(0, -1),
            "cursor_down": lambda: self._move_cursor(0, 1),
            "cursor_left": lambda: self._move_cursor(-1, 0),
            "cursor_right": lambda: self._move_cursor(1, 0),
        }

    # The plan

    def _change(self, change: Callable[[Plan], None]) -> None:
        plan = self._plan
        if plan is not None:
            change(plan)
            self._table.draw()

    async def accept(self) -> None:
        """Does what the button says: takes what is offered, ends the turn if nothing else is left, or shows the end."""
        if self._table.followed.over:
            self._table.open_result()
        elif self._plan is not None and self._plan.ready:
            await self._table.send()
        else:
            self._change(lambda plan: plan.accept())

    async def back(self) -> None:
        """Takes back the last thing that was chosen, or what was left last for a later turn."""
        if self._plan is None:
            await self._table.composing.withdraw()
        else:
            self._change(lambda plan: plan.back())

    def drop(self) -> None:
        """Empty hands, and everything that was lifted lies in its place again; with empty hands planning ahead ends."""
        self._table.lookups.put_down()
        self._table.notes.put_away()
        plan = self._plan
        if plan is not None and not plan.begun and not plan.typed:
            self._table.followed.stop_composing()
        if plan is not None:
            plan.drop()
        self._table.draw()

    def _move_cursor(self, columns: int, rows: int) -> None:
        def move(plan: Plan) -> None:
            grid = plan.rules.grid
            row, column = divmod(plan.cursor, grid.columns)
            plan.cursor = (row + rows) % grid.rows * grid.columns + (column + columns) % grid.columns

        self._change(move)

    async def take(self, press: Press) -> None:
        """A click on the board, or on something with a number, a code or a key."""
        match press:
            case Do(action):
                await self._table.action_act(action)
            case PickNumber(number):
                self._change(lambda plan: plan.pick_number(number))
            case PickCode(number):
                if self._plan is not None and number in self._plan.offered_codes.values():
                    self._plan.pick_code(number)
                    self._table.draw()
            case PickSquare(square):
                self._change(lambda plan: plan.pick_square(square))

    # Keys and typed lines

    def take_key(self, event: events.Key) -> bool:
        """Whether the key is a letter or a digit of the plan."""
        plan, char = self._plan, event.character
        if plan is None or char is None or not event.is_printable or char == " " or not plan.type_char(char):
            return False
        self._table.draw()
        return True

    def open_notation(self) -> None:
        if self._plan is not None:
            self._table.open_line("notation", self.take_line)

    async def take_line(self, line: str) -> None:
        """A line of notation, or a word that stands for a key."""
        table, plan = self._table, self._plan
        if not line.strip() or plan is None:
            return
        command = find_command(line, table.texts)
        if command is not None and command[0] in WORDS:
            await table.action_act(WORDS[command[0]])
        else:
            choose_line(plan, line, table.texts)
        table.draw()
