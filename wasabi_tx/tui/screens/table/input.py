"""Input at a table: keys, clicks and typed lines, which change the plan of the person who sits here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....view.press import Do, PickCode, PickNumber, PickSquare, Press
from ....view.turn.commands import find_command
from ....view.turn.typed import choose_line
from ...keyboard import edited
from ...safe_text import LONGEST, clean

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
        self.notation: str | None = None
        """A line of notation that is being typed."""

    @property
    def _plan(self) -> Plan | None:
        return self._table.followed.plan

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "accept": lambda: self._change(lambda plan: plan.accept()),
            "back": lambda: self._change(lambda plan: plan.back()),
            "return": lambda: self._change(lambda plan: plan.begin_return()),
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

    def drop(self) -> None:
        """Empty hands, and everything that was lifted lies in its place again."""
        self._table.lookups.put_down()
        if self._plan is not None:
            self._plan.drop()
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

    # Keys and lines that are typed

    def take_key(self, event: events.Key) -> None:
        if self.notation is not None or self._table.talk.line is not None:
            event.stop()
            self._type(event)
            return
        plan, char = self._plan, event.character
        if plan is not None and char is not None and event.is_printable and char != " " and plan.type_char(char):
            event.stop()
            self._table.draw()

    @property
    def _line(self) -> str:
        talking = self._table.talk.line
        return talking if talking is not None else self.notation or ""

    @_line.setter
    def _line(self, text: str | None) -> None:
        if self._table.talk.line is not None:
            self._table.talk.line = text
        else:
            self.notation = text

    def _type(self, event: events.Key) -> None:
        """Enter takes the line, Esc drops it."""
        line = self._line
        if event.key == "enter":
            self._take_line(line)
        else:
            self._line = edited(line, event, LONGEST)
        self._table.draw()

    def _take_line(self, line: str) -> None:
        table = self._table
        talking, self._line = table.talk.line is not None, None
        if talking:
            table.run_worker(table.talk.say(line), name="say")
        elif line.strip() and self._plan is not None:
            command = find_command(line, table.texts)
            if command is not None and command[0] in WORDS:
                table.call_later(table.action_act, WORDS[command[0]])
            else:
                choose_line(self._plan, line, table.texts)

    def take_paste(self, event: events.Paste) -> None:
        """Only a line that is being typed can be pasted into."""
        event.stop()
        if self.notation is not None or self._table.talk.line is not None:
            self._line = (self._line + clean(event.text))[:LONGEST]
            self._table.draw()

    def open_notation(self) -> None:
        if self._plan is not None:
            self.notation = ""
            self._table.draw()
