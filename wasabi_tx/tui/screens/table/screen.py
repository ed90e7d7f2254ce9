"""The table screen: follows a game and draws it; its parts take keys, talk, votes, look-ups and pages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType

from ....app.values import Opened
from ....engine.errors import RulesError
from ....games.bot_process import ThinkerLost
from ....games.game import (
    Alone,
    Can,
    CardsArrived,
    Change,
    Ended,
    InvalidEntry,
    Leaving,
    Notice,
    PlanPlayed,
    Ready,
    RematchWished,
    Rewound,
)
from ....turn.followed_game import FollowedGame
from ....turn.preview import preview_of
from ....turn.prompt_choices import Choice, Question, question_of
from ....turn.waits_for import waits_for
from ....view.online.event_lines import event_line
from ....view.online.surroundings import Surroundings, sentence
from ....view.press import Do, PickCode, PickNumber, PickSquare
from ....view.sentences import say_error
from ....view.table.turn_clock import SHOWN_AFTER, TurnClock
from ...bindings import ACTIONS, KeyAction, bindings_on
from ...views.moment import TableMoment
from ...widgets.line import Taken
from ...widgets.painted import Painted
from ...widgets.table.board import Board
from ...widgets.table.hand import Hand
from ...widgets.table.kitchen import Kitchen
from ...widgets.table.pantry import Pantry
from ...widgets.table.recipes import Recipes
from ..curtain import Curtain, standing_line
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
from .result import Result
from .shown import ShownTable
from .talk import Talk
from .votes import Votes

if TYPE_CHECKING:
    from ....lessons.guide import Guide
    from ....puzzles.judge import PuzzleJudge

LONG_WAIT = 10.0
"""Seconds of waiting after which a person may have turned to something else."""


class TableScreen(ShownTable):
    """Follows one game after another; its parts implement the actions of keys."""

    where = "table"
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("table")

    def __init__(self, opened: Opened, guide: Guide | None = None, judge: PuzzleJudge | None = None) -> None:
        """Make the table; a `guide` makes it a lesson, a `judge` a puzzle."""
        super().__init__()
        self.opened = opened
        self._called = ""
        """The last notification of the user."""
        self.guiding: Guiding | Puzzling | None = Guiding(self, guide) if guide is not None else self._puzzling(judge)
        self._line_kind = ""
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
        self.result = Result(self)

    def compose(self) -> ComposeResult:
        self._sit()
        yield from super().compose()

    def on_mount(self) -> None:
        self.watch(self.app, "texts", self._speak, init=False)
        self.watch(self.app, "settings", self._follow_settings, init=False)
        self._begin()
        self.set_interval(1.0, self._tick)

    async def on_unmount(self) -> None:
        """Stop the bots and close the file, however the table is left."""
        self.moving.motion.stop()
        await self.opened.game.close()
        self.opened.close()

    def _puzzling(self, judge: PuzzleJudge | None) -> Puzzling | None:
        return Puzzling(self, judge) if judge is not None else None

    def begin(self, opened: Opened, judge: PuzzleJudge | None = None) -> None:
        """Begin another game or puzzle at this table, without a guide."""
        self.opened, self.guiding = opened, self._puzzling(judge)
        self._sit()
        self._begin()

    def _sit(self) -> None:
        lesson = self.guiding is not None
        self.followed = FollowedGame(self.opened.game, self.texts, self.opened.earlier, lesson=lesson)
        self.followed.set_enter(self.wasabi.settings.enter)
        self.around = Surroundings(self.opened.game, self.texts)
        self._clock = TurnClock(self.opened.game.clock, self.opened.game.since)

    def _begin(self) -> None:
        self.followed.renew_plan()
        self.plan_changed()
        self._name_terminal()
        self._call_person()
        self._ask_person()
        if self.opened.warning:
            self.show_notice(self.opened.warning, "warning")
        self.run_worker(self._follow(), name="follow")

    # The game

    async def _follow(self) -> None:
        """Follow the game's events until it is closed; people may talk after its end."""
        game = self.opened.game
        try:
            async for event in game.events():
                self.followed.handle(event)
                if not (isinstance(event, Rewound) and isinstance(game, Alone)):
                    # A lesson sets the table anew, or the person here takes a turn back: nobody has voted it away.
                    self.around.handle(event)
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
        """Process an event around the table; also notify of those that must not be missed."""
        if isinstance(event, InvalidEntry | Leaving | RematchWished | PlanPlayed):
            words = event_line(event, self.opened.game.players, self.texts, self.opened.game.viewer)
            self.show_notice(sentence(words or ""), "warning" if isinstance(event, InvalidEntry) else "information")
        self.draw_soon()

    def _moved(self) -> None:
        """Make a new plan if it is somebody's turn here."""
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
            self.notes.check_news()
        self.plan_changed()
        self._name_terminal()
        self._call_person()
        self._ask_person()

    def _call_person(self) -> None:
        """Notify a user who looks elsewhere of their turn at an online table."""
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
        """Ring the bell on a user's turn if they may have turned to something else."""
        away = not self.app.app_focus or self._waited_long
        if away and self.wasabi.settings.bell:
            self.app.bell()

    @property
    def _waited_long(self) -> bool:
        return monotonic() - self._waits_since >= LONG_WAIT

    def _name_terminal(self) -> None:
        """Show in the terminal's title what the game is waiting for."""
        words = self.texts.say("tui.your-turn") if self.followed.chooses else ""
        self.wasabi.set_title(f"{self.texts.say('tui.brand')} {words}".rstrip())

    def _ask_person(self) -> None:
        """Show the curtain if another person is to move."""
        if not self.followed.needs_curtain or isinstance(self.app.screen, Curtain):
            return
        seat = self.opened.game.observation.seat
        assert seat is not None
        self.followed.plan = None
        game = self.opened.game
        standing = standing_line(game.position, game.players, self.texts)
        self.app.push_screen(Curtain(game.players[seat].name, standing), self._seated)

    def _seated(self, ready: bool | None) -> None:
        if not ready:
            self.leaving.close_table()
            return
        self.followed.sit_down()
        self.plan_changed()

    def _end(self) -> None:
        self.followed.plan = None
        self.plan_changed()
        self.result.open(fresh=True)

    def _stop(self, sentence: str) -> None:
        """Stop the game here with a sentence; the table stays readable."""
        self.followed.plan = None
        self.plan_changed()
        self.app.notify(sentence, severity="error", timeout=60, markup=False)

    # Actions

    @property
    def parts(self) -> Sequence[object]:
        return (
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

    def action_panels(self) -> None:
        self.table.next_section()

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
        """Show a short answer: under the question during a turn, where it covers nothing, else as a notice."""
        if self.followed.plan is None:
            self.show_notice(words)
        else:
            self.followed.plan.set_message(words)
            self.plan_changed()

    async def attempt(self, wish: Awaitable[None]) -> bool:
        """Await something that the game may refuse; return False after showing the reason."""
        try:
            await wish
        except RulesError as error:
            self.show_notice(say_error(self.texts, error), "warning")
        except OSError as error:
            self.show_notice(self.texts.say("play.cannot-save", reason=error), "error")
        else:
            return True
        return False

    async def action_act(self, name: str) -> None:
        if self.guiding is not None and self.guiding.takes(name):
            return
        await super().action_act(name)
        if self.guiding is not None:
            self.guiding.did(name)

    async def run_key(self, event: events.Key) -> None:
        celebrated = self.moving.celebrates
        self.moving.motion.skip()
        if celebrated and event.key == "enter":
            # A person who inspects a recipe has not read the new question, so nothing is accepted for them.
            event.stop()
        elif self.input.type_key(event):
            event.stop()
        else:
            await super().run_key(event)

    def open_line(self, kind: str, taken: Taken) -> None:
        """Open a line of this kind, `talk` or `notation`, below the question."""
        self._line_kind = kind
        self.line.open(taken, self.refresh_table)

    @on(Board.Picked)
    def _pick_square(self, message: Board.Picked) -> None:
        self.moving.motion.skip()
        self.input.pick(PickSquare(message.square))

    @on(Hand.Picked)
    @on(Recipes.Picked)
    def _pick_number(self, message: Hand.Picked | Recipes.Picked) -> None:
        self.moving.motion.skip()
        self.input.pick(PickNumber(message.number))

    @on(Kitchen.Picked)
    def _pick_card(self, message: Kitchen.Picked) -> None:
        self.moving.motion.skip()
        self.input.pick(PickCode(message.card))

    @on(Pantry.Picked)
    def _pick_tile(self, message: Pantry.Picked) -> None:
        self.moving.motion.skip()
        self.input.pick(PickCode(message.tile))

    @on(Painted.Pressed)
    async def _press(self, message: Painted.Pressed) -> None:
        """Run the action of the key that was clicked, or choose the offer that was."""
        self.moving.motion.skip()
        if isinstance(message.press, Do):
            await self.action_act(message.press.action)
        else:
            self.input.pick(message.press)

    async def action_send(self) -> None:
        """Send the planned turn, or save it for the turn it is planned for."""
        if self.followed.composing:
            await self.composing.save_plan()
            return
        bundle = self.followed.bundle()
        plan = self.followed.plan
        if plan is None:
            return
        if bundle is None:
            plan.refuse(self.texts.say("error.bundle-too-short"))
            self.plan_changed()
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
        self.plan_changed()

    # Drawing

    def _time(self) -> str:
        """Return the time that the present turn has taken."""
        position = self.opened.game.position
        # Before the first turn everybody has something to do in it.
        moment = (position.turn, None if position.turn else position.mover)
        every = SHOWN_AFTER if self.wasabi.settings.reduced_motion else 1
        return self._clock.read(moment, monotonic(), every)

    def _tick(self) -> None:
        self.table.show_clock(self._time())

    def plan_changed(self) -> None:
        """Let everybody who looks over the player's shoulder see the plan, then show it."""
        if self.guiding is not None:
            self.guiding.check()
        self.moving.notice_step()
        self.notes.look_at_step()
        self.activity.report()
        self.refresh_table()

    def draw(self) -> None:
        self.refresh_table()

    def moment(self) -> TableMoment:
        followed, texts = self.followed, self.texts
        plan, view = followed.plan, followed.view()
        if plan is not None:
            question = question_of(plan, view, texts)
            preview = preview_of(plan)
        else:
            preview = None
            see = Choice(texts.say("tui.end.see"), Do("accept"), default=True)
            question = Question(waits_for(followed, self.around, texts), (see,) if followed.over else (), "")
        return TableMoment(
            rules=followed.game.rules,
            view=view,
            plan=plan,
            question=question,
            since=followed.since,
            race=followed.race,
            last=followed.last_changed,
            cursor=plan.cursor if plan is not None else None,
            lifted=self.lookups.lifted,
            line=self._line_kind if self.line.is_open else "",
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

    def _follow_settings(self) -> None:
        self.followed.set_enter(self.wasabi.settings.enter)
        self.refresh_table()

    def _speak(self) -> None:
        """Say everything in another language."""
        self.followed.speak(self.texts)
        self.around.texts = self.texts
        self.refresh_table()
