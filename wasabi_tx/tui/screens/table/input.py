"""What keys and clicks do at a table: they change the plan of whoever sits here, or a line that is being typed."""

from __future__ import annotations

from textual import events

from ....view.turn.commands import find_command
from ....view.turn.typed import choose_line
from ...keyboard import edited
from ...safe_text import LONGEST, clean
from ...widgets.panel import Pressed
from .company import Company

ASKED = {
    "codes": "book", "help": "help", "hint": "hint", "leave": "leave", "log": "log", "quit": "leave",
    "recipes": "book", "rules": "help", "under": "under", "undo": "back", "who": "who",
}  # fmt: skip
"""Words that may be typed instead of a key, with the action of that key; sending is none of them."""


class Pressing(Company):
    notation: str | None = None
    """A line of notation that is being typed."""

    async def submit(self) -> None:
        """Sends what is planned."""
        raise NotImplementedError

    # Lines that are typed

    def on_key(self, event: events.Key) -> None:
        if self.notation is not None or self.talking is not None:
            event.stop()
            self._type(event)
            return
        plan, char = self.sitting.plan, event.character
        if plan is not None and char is not None and event.is_printable and char != " " and plan.type_char(char):
            event.stop()
            self.draw()

    @property
    def _line(self) -> str:
        return self.talking if self.talking is not None else self.notation or ""

    @_line.setter
    def _line(self, text: str | None) -> None:
        if self.talking is not None:
            self.talking = text
        else:
            self.notation = text

    def _type(self, event: events.Key) -> None:
        """Enter takes the line, Esc drops it."""
        line = self._line
        if event.key == "enter":
            self._take_line(line)
        else:
            self._line = edited(line, event, LONGEST)
        self.draw()

    def _take_line(self, line: str) -> None:
        talking, self._line = self.talking is not None, None
        if talking:
            self.run_worker(self.say(line), name="say")
        elif line.strip() and self.sitting.plan is not None:
            command = find_command(line, self.texts)
            if command is not None and command[0] in ASKED:
                self.call_later(self.action_act, ASKED[command[0]])
            else:
                choose_line(self.sitting.plan, line, self.texts)

    def on_paste(self, event: events.Paste) -> None:
        """Only a line that is being typed can be pasted into."""
        event.stop()
        if self.notation is not None or self.talking is not None:
            self._line = (self._line + clean(event.text))[:LONGEST]
            self.draw()

    def do_notation(self) -> None:
        if self.sitting.plan is not None:
            self.notation = ""
            self.draw()

    # Clicks

    async def on_pressed(self, message: Pressed) -> None:
        """A click on the board or on something with a number or a code."""
        message.stop()
        kind, _, rest = message.press.partition(":")
        plan = self.sitting.plan
        if kind == "action":
            await self.action_act(rest)
            return
        if kind == "who":
            self.do_who()
            return
        if plan is None:
            return
        match kind:
            case "number":
                plan.pick_number(int(rest))
            case "code":
                if int(rest) in plan.offered_codes.values():
                    plan.pick_code(int(rest))
            case "square":
                plan.pick_square(int(rest))
            case "accept":
                plan.accept()
        self.draw()

    # Actions on the plan

    async def do_send(self) -> None:
        await self.submit()

    def _with_plan(self, method: str) -> None:
        plan = self.sitting.plan
        if plan is not None:
            getattr(plan, method)()
            self.draw()

    def do_accept(self) -> None:
        self._with_plan("accept")

    def do_back(self) -> None:
        self._with_plan("back")

    def do_drop(self) -> None:
        self._lifted = None
        self._with_plan("drop")
        self.draw()

    def do_return(self) -> None:
        self._with_plan("begin_return")

    def _move_cursor(self, columns: int, rows: int) -> None:
        plan = self.sitting.plan
        if plan is None:
            return
        grid = plan.rules.grid
        row, column = divmod(plan.cursor, grid.columns)
        plan.cursor = (row + rows) % grid.rows * grid.columns + (column + columns) % grid.columns
        self.draw()

    def do_cursor_up(self) -> None:
        self._move_cursor(0, -1)

    def do_cursor_down(self) -> None:
        self._move_cursor(0, 1)

    def do_cursor_left(self) -> None:
        self._move_cursor(-1, 0)

    def do_cursor_right(self) -> None:
        self._move_cursor(1, 0)
