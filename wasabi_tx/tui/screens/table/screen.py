"""The table: follows a game, lets whoever sits here plan and send, and opens pages about it."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ....engine.errors import RulesError
from ....table.bot_process import ThinkerLost
from ....table.game import Can, Change, Ended, Played, Ready, Rewound
from ....view.log.followed_game import FollowedGame
from ....view.online.event_lines import waiting_line
from ....view.online.surroundings import Surroundings, sentence
from ....view.sentences import say_error
from ....view.table.turn_clock import SHOWN_AFTER, TurnClock
from ....view.table.turn_row import turn_row
from ....view.turn.prompt_choices import Question, question_of
from ...keys import ACTIONS
from ...safe_text import clean
from ...scene import Scene
from ...services import Opened
from ...widgets.body import TableBody
from ..curtain import Curtain
from ..ending import EndPage
from . import pages as about
from .acting import acting_bindings
from .input import Pressing

PAUSE = 0.35
"""Seconds after a bot's move, so that eyes can follow; none with reduced motion."""


class TableScreen(Pressing):
    where = "table"
    BINDINGS: ClassVar[list[BindingType]] = acting_bindings("table")

    def __init__(self, opened: Opened) -> None:
        super().__init__()
        self.opened = opened
        self._question = Question("", (), "")

    def compose(self) -> ComposeResult:
        self._sit()
        yield TableBody(self.texts, self.wasabi.settings.keys, "table")

    @property
    def body(self) -> TableBody:
        return self.query_one(TableBody)

    def on_mount(self) -> None:
        self.body.focus()
        self._begin()
        self.set_interval(1.0, self._tick)

    async def on_unmount(self) -> None:
        """However the table is left, its bots stop thinking and its file is closed."""
        await self.opened.game.close()
        self.opened.close()

    def begin(self, opened: Opened) -> None:
        """Another game at this table."""
        self.opened = opened
        self._sit()
        self._begin()

    def _sit(self) -> None:
        self.sitting = FollowedGame(self.opened.game, self.texts, self.opened.earlier)
        self.around = Surroundings(self.opened.game, self.texts)
        self._clock = TurnClock(self.opened.game.clock)

    def _begin(self) -> None:
        self.sitting.renew_plan()
        self.draw()
        self._name_terminal()
        self._ask_person()
        self.run_worker(self._follow(), name="follow")

    # The game

    async def _follow(self) -> None:
        """Takes the game's events until it is closed; people talk on when it is over."""
        game = self.opened.game
        try:
            async for event in game.events():
                self.sitting.take(event)
                self.around.take(event)
                match event:
                    case Ended():
                        self._end()
                    case Ready() | Rewound():
                        self._moved()
                    case _ if isinstance(event, Change):
                        self._moved()
                        await self._let_look(event)
                    case _:
                        self.hear(event)
                # Many may come at once: keys are not to wait for all of them.
                await asyncio.sleep(0)
        except ThinkerLost:
            self._stop(self.texts.say("play.bots-gone", file=self.opened.saved_as))
        except OSError as error:
            self._stop(self.texts.say("play.cannot-save", reason=error.strerror or error))

    async def _let_look(self, event: Change) -> None:
        """A moment after a bot's move."""
        bot = isinstance(event, Played) and self.opened.game.players[event.bundle.seat].bot is not None
        if bot and not self.wasabi.settings.reduced_motion:
            await asyncio.sleep(PAUSE)

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
        game = self.opened.game
        again = bool(game.people) and (Can.REMATCH not in game.can or len(game.position.playing) > 1)
        self.app.push_screen(EndPage(lines, self.texts, again), self._after_end)

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
            if await self.attempt(self.opened.game.rematch()):
                self.tell(self.texts.say("tui.wished-again"))
            return
        await self.opened.game.close()
        self.opened.close()
        self.wasabi.rematch(self)

    def _stop(self, sentence: str) -> None:
        """The game cannot go on here; the table stays readable."""
        self.sitting.plan = None
        self.draw()
        self.app.notify(sentence, severity="error", timeout=60, markup=False)

    async def submit(self) -> None:
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

    def _time(self) -> str:
        """How long the present turn has taken."""
        position = self.opened.game.position
        # Before the first turn everybody has something to do in it.
        moment = (position.turn, None if position.turn else position.mover)
        every = SHOWN_AFTER if self.wasabi.settings.reduced_motion else 1
        return self._clock.read(moment, monotonic(), every)

    def _tick(self) -> None:
        self.body.tell_time(self._time())

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
                clock=self._time(),
                around=self.around.now,
                talking=self.talking,
                idle=frozenset(action.id for action in ACTIONS if not self.offers(action)),
            )
        )

    def _waits(self, mover: str) -> str:
        """What is waited for while nobody here can choose anything."""
        sitting, say = self.sitting, self.texts.say
        if sitting.over:
            return say("play.over")
        owing = self.around.waiting
        if owing is not None:
            kind = "mine" if owing.kind == "shares" and sitting.game.awaiting else owing.kind
            return sentence(waiting_line(kind, clean(sitting.game.players[owing.seat].name, 20), self.texts))
        return say("tui.awaits") if sitting.game.awaiting else say("tui.waits", name=clean(mover, 20))

    def restyle(self) -> None:
        self.sitting.speak(self.texts)
        self.around.texts = self.texts
        self.draw()
        self.body.redraw(self.texts, self.wasabi.settings.keys)

    def do_panels(self) -> None:
        self.body.next_section()
