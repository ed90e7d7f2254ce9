"""The table: follows a game, lets whoever sits here plan and send, and opens pages about it."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType

from ...engine.errors import RulesError
from ...table.game import Can, Change, Ended, Played, Ready, Rewound, Waiting
from ...table.thinker import ThinkerLost
from ...view.notation_line import choose_line
from ...view.question import Question, question_of
from ...view.row import turn_row
from ...view.sentences import say_error
from ...view.sitting import Sitting
from ..content import clean
from ..desk import Opened
from ..scene import Scene
from ..widgets.body import TableBody
from ..widgets.panel import Pressed
from . import about
from .acting import acting_bindings
from .curtain import Curtain
from .ending import EndPage
from .lookups import Lookups

PAUSE = 0.35
"""Seconds after a bot's move, so that eyes can follow; none with reduced motion."""


class TableScreen(Lookups):
    where = "table"
    BINDINGS: ClassVar[list[BindingType]] = acting_bindings("table")

    def __init__(self, opened: Opened) -> None:
        super().__init__()
        self.opened = opened
        self.notation: str | None = None
        self._question = Question("", (), "")
        self._owing: int | None = None
        """Whose program has been waited for."""

    def compose(self) -> ComposeResult:
        self.sitting = Sitting(self.opened.game, self.texts, self.opened.earlier)
        yield TableBody(self.texts, self.wasabi.settings.keys, "table")

    @property
    def body(self) -> TableBody:
        return self.query_one(TableBody)

    def on_mount(self) -> None:
        self.body.focus()
        self._begin()

    async def on_unmount(self) -> None:
        """However the table is left, its bots stop thinking and its file is closed."""
        await self.opened.game.close()
        self.opened.close()

    def begin(self, opened: Opened) -> None:
        """Another game at this table."""
        self.opened = opened
        self.sitting = Sitting(opened.game, self.texts, opened.earlier)
        self._begin()

    def _begin(self) -> None:
        self.sitting.renew_plan()
        self.draw()
        self._name_terminal()
        self._ask_person()
        self.run_worker(self._follow(), name="follow")

    # The game

    async def _follow(self) -> None:
        """Takes the game's events until it ends or is closed."""
        game = self.opened.game
        try:
            async for event in game.events():
                self.sitting.take(event)
                if isinstance(event, Ended):
                    self._end()
                    return
                bot = isinstance(event, Played) and game.players[event.bundle.seat].bot is not None
                if isinstance(event, Waiting):
                    self._owing = event.seat
                    self.draw()
                if isinstance(event, Change | Rewound | Ready):
                    self._owing = None
                    self._moved()
                if bot and not self.wasabi.settings.reduced_motion:
                    await asyncio.sleep(PAUSE)
        except ThinkerLost:
            self._stop(self.texts.say("play.bots-gone", file=self.opened.saved_as))
        except OSError as error:
            self._stop(self.texts.say("play.cannot-save", reason=error.strerror or error))

    def _moved(self) -> None:
        """Something happened: a new plan if it is somebody's turn here."""
        if not self.sitting.needs_curtain:
            before = self.sitting.plan
            self.sitting.renew_plan()
            if self.sitting.plan is not None and before is None and self.wasabi.settings.bell:
                self.wasabi.ring()
        self.draw()
        self._name_terminal()
        self._ask_person()

    def _name_terminal(self) -> None:
        """The terminal's title says what the game is waiting for."""
        words = "" if self.sitting.plan is None else self.texts.say("tui.your-turn")
        self.wasabi.set_title(f"WASABI! {words}".rstrip())

    def _ask_person(self) -> None:
        """Draws the curtain if another person is to move."""
        if not self.sitting.needs_curtain or isinstance(self.app.screen, Curtain):
            return
        seat = self.opened.game.observation.seat
        assert seat is not None
        self.sitting.plan = None
        name = self.opened.game.players[seat].name
        self.app.push_screen(Curtain(name, self.texts), self._seated)

    def _seated(self, ready: bool | None) -> None:
        if not ready:
            self.close_table()
            return
        self.sitting.sit_down()
        self.draw()

    def _end(self) -> None:
        self.sitting.plan = None
        self.draw()
        self.wasabi.last_saved = ""
        lines = about.end_lines(self.sitting, self.texts, self.size.width, self.size.height)
        self.app.push_screen(EndPage(lines, self.texts, bool(self.opened.game.people)), self._after_end)

    def _after_end(self, way: str | None) -> None:
        if way == "replay":
            self.wasabi.open_frames(self.sitting)
        elif way == "again":
            self.run_worker(self._rematch(), name="rematch")
        elif way == "home":
            self.close_table()

    async def _rematch(self) -> None:
        """Another game with the same seats; people at other machines are asked first."""
        if Can.REMATCH in self.opened.game.can:
            await self.opened.game.rematch()
            self.app.notify(self.texts.say("tui.wished-again"), markup=False)
            return
        await self.opened.game.close()
        self.opened.close()
        self.wasabi.rematch(self)

    def _stop(self, sentence: str) -> None:
        """The game cannot go on here; the table stays readable."""
        self.sitting.plan = None
        self.draw()
        self.app.notify(sentence, severity="error", timeout=60, markup=False)

    async def _submit(self) -> None:
        bundle = self.sitting.bundle()
        plan = self.sitting.plan
        if plan is None:
            return
        if bundle is None:
            plan.message, plan.wrong = self.texts.say("error.bundle-too-short"), True
            self.draw()
            return
        try:
            await self.opened.game.submit(bundle)
        except RulesError as error:
            plan.message, plan.wrong = say_error(self.texts, error), True
        except OSError as error:
            self._stop(self.texts.say("play.cannot-save", reason=error.strerror or error))
        else:
            self.sitting.plan = None
        self.draw()

    # What is drawn

    def draw(self) -> None:
        sitting, texts = self.sitting, self.texts
        plan, view = sitting.plan, sitting.view()
        if plan is not None:
            self._question = question_of(plan, view, texts)
            parts = turn_row(plan, sitting.game.players, texts)
        else:
            parts = ()
            self._question = Question(self._waits(view.mover), (), "")
        self.body.draw(
            Scene(
                rules=sitting.game.rules,
                view=view,
                plan=plan,
                parts=parts,
                question=self._question,
                wrong=plan is not None and plan.wrong,
                since=sitting.since,
                last=sitting.last_changed,
                cursor=plan.cursor if plan is not None else None,
                lifted=self.lifted,
                typed=plan.typed if plan is not None else "",
                notation=self.notation,
                waiting=plan is None,
                over=sitting.over,
            )
        )

    def _waits(self, mover: str) -> str:
        """What is waited for while nobody here can choose anything."""
        sitting, say = self.sitting, self.texts.say
        if sitting.over:
            return say("play.over")
        if self._owing is not None:
            return say("news.waiting-shares", name=clean(sitting.game.players[self._owing].name, 20))
        return say("tui.awaits") if sitting.game.awaiting else say("tui.waits", name=clean(mover, 20))

    def restyle(self) -> None:
        self.sitting.speak(self.texts)
        self.draw()
        self.body.redraw(self.texts, self.wasabi.settings.keys)

    # What is pressed

    def on_key(self, event: events.Key) -> None:
        if self.notation is not None:
            self._type_notation(event)
            return
        plan, char = self.sitting.plan, event.character
        if plan is not None and char is not None and event.is_printable and char != " " and plan.type_char(char):
            event.stop()
            self.draw()

    def _type_notation(self, event: events.Key) -> None:
        """A line of notation: Enter takes it, Esc drops it."""
        event.stop()
        assert self.notation is not None
        if event.key == "enter":
            line, self.notation = self.notation, None
            if line.strip() and self.sitting.plan is not None:
                choose_line(self.sitting.plan, line, self.texts)
        elif event.key == "escape" or (event.key == "backspace" and not self.notation):
            self.notation = None
        elif event.key == "backspace":
            self.notation = self.notation[:-1]
        elif event.character is not None and event.is_printable and len(self.notation) < 200:
            self.notation += event.character
        self.draw()

    def on_paste(self, event: events.Paste) -> None:
        """Only a line of notation can be pasted into."""
        event.stop()
        if self.notation is not None:
            self.notation = (self.notation + clean(event.text, 200))[:200]
            self.draw()

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

    async def do_send(self) -> None:
        await self._submit()

    def _with_plan(self, method: str) -> None:
        plan = self.sitting.plan
        if plan is not None:
            getattr(plan, method)()
            self.draw()

    def do_accept(self) -> None:
        self._with_plan("accept")

    def do_back(self) -> None:
        self._with_plan("back")

    def do_undo(self) -> None:
        self._with_plan("back")

    def do_drop(self) -> None:
        self._with_plan("drop")

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

    def do_notation(self) -> None:
        if self.sitting.plan is not None:
            self.notation = ""
            self.draw()

    def do_panels(self) -> None:
        self.body.next_section()
