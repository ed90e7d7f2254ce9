"""The table screen: follows a game and draws it; its parts take keys, talk, votes, look-ups and pages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from time import monotonic
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult

from ....engine.errors import RulesError
from ....table.bot_process import ThinkerLost
from ....table.game import (
    Can,
    CardsArrived,
    Change,
    Ended,
    InvalidEntry,
    Leaving,
    Notice,
    PlayedAhead,
    Ready,
    RematchWished,
    Rewound,
)
from ....text.foreign import clean
from ....view.log.followed_game import FollowedGame
from ....view.online.event_lines import event_line, state_line, waiting_line
from ....view.online.surroundings import Surroundings, sentence
from ....view.press import Do
from ....view.sentences import say_error
from ....view.table.ending import end_view
from ....view.table.turn_clock import SHOWN_AFTER, TurnClock
from ....view.turn.preview import preview_of
from ....view.turn.prompt_choices import Choice, Question, question_of
from ...keys import ACTIONS, KeyAction
from ...scene import Scene
from ...services import Opened
from ...widgets.body import TableBody
from ...widgets.keyboard import Taken
from ...widgets.panel import Pressed
from ..base import ActionScreen, Handler
from ..curtain import Curtain, standing_line
from ..ending import EndPage
from . import leaving
from .activity import Activity
from .composing import Composing
from .guiding import Guiding
from .input import TurnInput
from .lookups import Lookups
from .moving import Moving
from .notes import Notes
from .pages import Pages
from .puzzling import Puzzling
from .talk import Talk
from .votes import Votes

if TYPE_CHECKING:
    from ....view.guide import Guide
    from ....view.puzzle import PuzzleJudge

LONG_WAIT = 10.0
"""Seconds after which one no longer looks at the table all the time."""


class TableScreen(ActionScreen):
    """Follows one game after another; what keys do is in the parts that it holds."""

    where = "table"

    def __init__(self, opened: Opened, guide: Guide | None = None, judge: PuzzleJudge | None = None) -> None:
        """A `guide` leads through the game, which is a lesson then; a `judge` makes it a puzzle."""
        super().__init__()
        self.opened = opened
        self._called = ""
        """For what the person here was last called."""
        self.guiding: Guiding | Puzzling | None = Guiding(self, guide) if guide is not None else self._puzzling(judge)
        self._line = ""
        self._waits_since = monotonic()
        self.input = TurnInput(self)
        self.talk = Talk(self)
        self.activity = Activity(self)
        self.votes = Votes(self)
        self.lookups = Lookups(self)
        self.pages = Pages(self)
        self.leaving = leaving.LeaveQuestion(self)
        self.composing = Composing(self)
        self.moving = Moving(self)
        self.notes = Notes(self)

    def compose(self) -> ComposeResult:
        self._sit()
        yield TableBody(self.texts, self.wasabi.settings.keys, "table", self.take_key)

    @property
    def body(self) -> TableBody:
        return self.query_one(TableBody)

    def on_mount(self) -> None:
        self.body.keyboard.focus()
        self._begin()
        self.set_interval(1.0, self._tick)

    async def on_unmount(self) -> None:
        """However the table is left, its bots stop thinking and its file is closed."""
        self.moving.motion.stop()
        await self.opened.game.close()
        self.opened.close()

    def _puzzling(self, judge: PuzzleJudge | None) -> Puzzling | None:
        return Puzzling(self, judge) if judge is not None else None

    def begin(self, opened: Opened, judge: PuzzleJudge | None = None) -> None:
        """Another game at this table, or another puzzle; nobody guides through it."""
        self.opened, self.guiding = opened, self._puzzling(judge)
        self._sit()
        self._begin()

    def _sit(self) -> None:
        lesson = self.guiding is not None
        self.followed = FollowedGame(self.opened.game, self.texts, self.opened.earlier, lesson=lesson)
        self.around = Surroundings(self.opened.game, self.texts)
        self._clock = TurnClock(self.opened.game.clock, self.opened.game.since)

    def _begin(self) -> None:
        self.followed.renew_plan()
        self.draw()
        self._name_terminal()
        self._call_person()
        self._ask_person()
        self.run_worker(self._follow(), name="follow")

    # The game

    async def _follow(self) -> None:
        """Takes the game's events until it is closed; people talk on when it is over."""
        game = self.opened.game
        try:
            async for event in game.events():
                self.followed.take(event)
                if self.guiding is None or not isinstance(event, Rewound):
                    # In a lesson the table is set anew, and nobody has voted anything away.
                    self.around.take(event)
                match event:
                    case Ended():
                        self._end()
                    case CardsArrived() | Ready() | Rewound():
                        self._moved()
                    case _ if isinstance(event, Change):
                        self.moving.show_move(event)
                        self._moved()
                        await self.moving.let_look(event)
                    case _:
                        self._hear(event)
                # Many may come at once: keys are not to wait for all of them.
                await asyncio.sleep(0)
        except ThinkerLost:
            self._stop(self.texts.say("play.bots-gone", file=self.opened.saved_as))
        except OSError as error:
            self._stop(self.texts.say("play.cannot-save", reason=error))

    def _hear(self, event: Notice) -> None:
        """Something happened around the table: what must not be missed is said once more above everything."""
        if isinstance(event, InvalidEntry | Leaving | RematchWished | PlayedAhead):
            words = event_line(event, self.opened.game.players, self.texts, self.opened.game.viewer)
            self.tell(sentence(words or ""), "warning" if isinstance(event, InvalidEntry) else "information")
        self.draw_soon()

    def _moved(self) -> None:
        """Something happened: a new plan if it is somebody's turn here."""
        if not self.followed.needs_curtain:
            before = self.followed.chooses
            # What was known before it was heard takes away nothing that was chosen meanwhile.
            if not self.followed.up_to_date:
                self.followed.renew_plan()
            if self.followed.chooses and not before:
                self._ring()
                if self.app.app_focus or self._waited_long:
                    # Another decision, if only of the same turn: who looks has seen it, who waited is called again.
                    self._called = ""
            elif before and not self.followed.chooses:
                self._waits_since = monotonic()
            self.notes.look()
        self.draw()
        self._name_terminal()
        self._call_person()
        self._ask_person()

    def _call_person(self) -> None:
        """Calls a person who looks elsewhere to their turn at an online table."""
        game = self.opened.game
        if not self.opened.table or not self.followed.chooses:
            return
        from ....view.online.call import Call

        others = tuple(game.players[seat].name for seat in game.position.playing if seat != game.viewer)
        call = Call("turn", self.opened.table, others, game.position.turn)
        if call.occasion != self._called:
            self._called = call.occasion
            self.wasabi.call(call)

    def _ring(self) -> None:
        """Rings for somebody who is to move, if they may have turned to something else."""
        away = not self.app.app_focus or self._waited_long
        if away and self.wasabi.settings.bell:
            self.wasabi.ring()

    @property
    def _waited_long(self) -> bool:
        return monotonic() - self._waits_since >= LONG_WAIT

    def _name_terminal(self) -> None:
        """The terminal's title says what the game is waiting for."""
        words = self.texts.say("tui.your-turn") if self.followed.chooses else ""
        self.wasabi.set_title(f"{self.texts.say('tui.brand')} {words}".rstrip())

    def _ask_person(self) -> None:
        """Draws the curtain if another person is to move."""
        if not self.followed.needs_curtain or isinstance(self.app.screen, Curtain):
            return
        seat = self.opened.game.observation.seat
        assert seat is not None
        self.followed.plan = None
        game = self.opened.game
        standing = standing_line(game.position, game.players, self.texts)
        self.app.push_screen(Curtain(game.players[seat].name, self.texts, standing), self._seated)

    def _seated(self, ready: bool | None) -> None:
        if not ready:
            self.leaving.close_table()
            return
        self.followed.sit_down()
        self.draw()

    def _end(self) -> None:
        self.followed.plan = None
        self.draw()
        self.open_result(fresh=True)

    def open_result(self, fresh: bool = False) -> None:
        """How the game ended; one can come back to it from the board."""
        from ....table.review import ReviewWish

        followed, game, texts = self.followed, self.opened.game, self.texts
        again = bool(game.people) and (Can.REMATCH not in game.can or len(game.position.playing) > 1)
        ways = (*(("again",) if again else ()), "replay_game", "board")
        race = followed.race
        ending = end_view(
            game.rules, game.position, game.players, texts, followed.outcome, race=race, you=followed.seated
        )
        saved = self.opened.saved_as
        note = texts.say("tui.end.saved-as", file=saved) if saved else ""
        # Whoever sat here last may ask what would have been better.
        wish = ReviewWish(followed.record, followed.seated) if followed.seated is not None else None
        self.app.push_screen(EndPage(ending, texts, ways, note=note, fresh=fresh, review=wish), self._after_end)

    def _after_end(self, way: str | None) -> None:
        if way == "replay_game":
            self.wasabi.open_frames(self.followed)
        elif way == "again":
            self.run_worker(self._rematch(), name="rematch")
        elif way == "home":
            self.leaving.close_table()

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
        self.followed.plan = None
        self.draw()
        self.app.notify(sentence, severity="error", timeout=60, markup=False)

    # What is pressed

    def handlers(self) -> Mapping[str, Handler]:
        parts = (
            self.input,
            self.talk,
            self.activity,
            self.votes,
            self.lookups,
            self.moving,
            self.pages,
            self.leaving,
            self.composing,
        )
        own = {"send": self.send, "panels": self.body.next_section}
        return {**super().handlers(), **own, **{name: do for part in parts for name, do in part.handlers().items()}}

    def offers(self, action: KeyAction) -> bool:
        if (action.id == "drop" and self.lookups.lifted) or (action.id == "accept" and self.followed.over):
            return True
        return not action.needs or Can[action.needs] in self.opened.game.can

    def refuse(self, action: KeyAction) -> None:
        why = (
            "tui.watching" if self.around.watching else "play.no-hints" if action.needs == "HINT" else "error.not-here"
        )
        self.remark(self.texts.say(why))

    def remark(self, words: str) -> None:
        """A short answer: under the question, so that it covers nothing, while somebody chooses here."""
        if self.followed.plan is None:
            self.tell(words)
        else:
            self.followed.plan.say(words)
            self.draw()

    async def attempt(self, wish: Awaitable[None]) -> bool:
        """Does something that the game may refuse; then it says why."""
        try:
            await wish
        except RulesError as error:
            self.tell(say_error(self.texts, error), "warning")
        except OSError as error:
            self.tell(self.texts.say("play.cannot-save", reason=error), "error")
        else:
            return True
        return False

    async def action_act(self, name: str) -> None:
        if self.guiding is not None and self.guiding.takes(name):
            return
        await super().action_act(name)
        if self.guiding is not None:
            self.guiding.did(name)

    async def take_key(self, event: events.Key) -> None:
        self.moving.motion.skip()
        if self.input.take_key(event):
            event.stop()
        else:
            await super().take_key(event)

    def open_line(self, kind: str, taken: Taken) -> None:
        """Lets somebody type a line of this kind, `talk` or `notation`, below the question."""
        self._line = kind
        self.body.keyboard.open(taken, self.draw)

    async def on_pressed(self, message: Pressed) -> None:
        message.stop()
        self.moving.motion.skip()
        await self.input.take(message.press)

    async def send(self) -> None:
        """Sends what is planned, or leaves it for the turn that it is planned for."""
        if self.followed.composing:
            await self.composing.leave()
            return
        bundle = self.followed.bundle()
        plan = self.followed.plan
        if plan is None:
            return
        if bundle is None:
            plan.refuse(self.texts.say("error.bundle-too-short"))
            self.draw()
            return
        try:
            await self.opened.game.submit(bundle)
        except RulesError as error:
            plan.refuse(say_error(self.texts, error))
        except OSError as error:
            self._stop(self.texts.say("play.cannot-save", reason=error))
        else:
            self.followed.plan = None
            self._waits_since = monotonic()
            self.notes.put_away()
            if self.guiding is not None:
                self.guiding.sent()
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
        followed, texts = self.followed, self.texts
        if self.guiding is not None:
            self.guiding.look()
        self.moving.notice_step()
        self.notes.look_at_step()
        self.activity.look()
        plan, view = followed.plan, followed.view()
        if plan is not None:
            question = question_of(plan, view, texts)
            preview = preview_of(plan)
        else:
            preview = None
            see = Choice(texts.say("tui.end.see"), Do("accept"), default=True)
            question = Question(self._waits(view.mover), (see,) if followed.over else (), "")
        self.body.draw(
            Scene(
                rules=followed.game.rules,
                view=view,
                plan=plan,
                question=question,
                since=followed.since,
                race=followed.race,
                last=followed.last_changed,
                cursor=plan.cursor if plan is not None else None,
                lifted=self.lookups.lifted,
                line=self._line if self.body.keyboard.is_open else "",
                waiting=plan is None,
                over=followed.over,
                clock=self._time(),
                around=self.around.now,
                preview=preview,
                flash=self.moving.motion.flash,
                idle=frozenset(action.id for action in ACTIONS if not self.offers(action)),
                note=self.notes.words,
                composing=followed.composing,
                unplayed=followed.unplayed,
                plans=followed.plans,
                ways=self.composing.ways,
                guide=self.guiding.view if self.guiding is not None else None,
            )
        )

    def _waits(self, mover: str) -> str:
        """What is waited for while nobody here can choose anything."""
        followed, say = self.followed, self.texts.say
        if followed.over:
            return say("play.over")
        if not self.around.reached:
            return say("tui.unreached")
        owing = self.around.waiting
        if owing is not None:
            kind = "mine" if owing.kind == "shares" and followed.game.awaiting else owing.kind
            return sentence(waiting_line(kind, clean(followed.game.players[owing.seat].name, 20), self.texts))
        if followed.game.awaiting:
            return say("tui.awaits")
        state = self.around.state_of(followed.game.position.mover)
        doing = state_line(state, clean(mover, 20), self.texts)
        return sentence(doing) if doing else say("tui.waits", name=clean(mover, 20))

    def restyle(self) -> None:
        self.followed.speak(self.texts)
        self.around.texts = self.texts
        self.draw()
        self.body.redraw(self.texts, self.wasabi.settings.keys)
