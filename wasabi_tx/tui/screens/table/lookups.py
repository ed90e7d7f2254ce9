"""What a table answers without changing anything: hints, log, recipe book, players, help, leaving."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from ....engine.errors import RulesError
from ....engine.position import Position
from ....table.game import Can
from ....text import Texts
from ....view.log.followed_game import FollowedGame
from ....view.online.surroundings import Surroundings
from ....view.sentences import say_error
from ....view.table.ending import bots_play_on, ends_without_one
from ....view.table.hand import hand_of
from ....view.table.plain_table import lying_under
from ....view.turn.hint import Hint, advise
from ....view.turn.step_groups import typed_form
from ...keys import ACTIONS
from ...services import Opened
from ...spans import Line
from ..base import ListPage
from ..yes_no import AskedPage
from . import pages as about
from .acting import Acting


class Lookups(Acting):
    """The pages of a table."""

    sitting: FollowedGame
    around: Surroundings
    opened: Opened
    _lifted: Position | None = None
    """The position that one looks under; with any other, everything lies in its place again."""

    def do_book(self) -> None:
        self.open_page("book", about.book_lines(self.sitting.observation, self.texts))

    def do_who(self) -> None:
        self.open_page("who", about.who_lines(self.sitting.observation, self.sitting.view(), self.texts))

    def do_log(self) -> None:
        players = self.sitting.game.players
        self.open_page("log", about.log_lines(self.sitting.chronicle.entries, players, self.texts) + self.said())

    def said(self) -> list[Line]:
        """What people said, for the end of the log."""
        return []

    def do_help(self) -> None:
        plan = self.sitting.plan
        slot = plan.moment.prompt.slot if plan is not None else None
        keys = self.wasabi.settings.keys
        idle = [action.id for action in ACTIONS if not self.offers(action)]
        self.open_page("help", about.help_lines(self.sitting.game.rules, slot, self.texts, keys, "table", idle))

    async def attempt(self, wish: Awaitable[None]) -> bool:
        """Does something that the game may refuse; then it says why."""
        try:
            await wish
        except RulesError as error:
            self.tell(say_error(self.texts, error), "warning")
        except OSError as error:
            self.tell(self.texts.say("play.cannot-save", reason=error.strerror or error), "error")
        else:
            return True
        return False

    @property
    def lifted(self) -> bool:
        """Whether covers and stacks are lifted to look under them."""
        if self._lifted is not self.sitting.observation.position:
            self._lifted = None
        return self._lifted is not None

    def do_under(self) -> None:
        """Lifts covers and stacks, or puts them down again."""
        if not self.lifted and not lying_under(self.sitting.view()):
            self.remark(self.texts.say("under.nothing"))
            return
        self._lifted = None if self.lifted else self.sitting.observation.position
        self.draw()

    def remark(self, words: str) -> None:
        """A short answer: under the question, so that it covers nothing, while somebody chooses here."""
        if self.sitting.plan is None:
            self.tell(words)
        else:
            self.sitting.plan.say(words)
            self.draw()

    def do_since(self) -> None:
        from ..replay import ReplayScreen

        frames = self.sitting.frames_since
        if frames:
            game = self.sitting.game
            seat, faces = self.sitting.seated, self.sitting.faces
            self.app.push_screen(ReplayScreen(game.rules, game.players, frames, seat, faces))

    def do_hint(self) -> None:
        """Asks the adviser, who thinks in a thread of its own."""
        plan = self.sitting.plan
        if plan is not None:
            plan.say(self.texts.say("tui.thinking"))
            self.draw()
            self.run_worker(self._hint(self.texts), name="hint", exclusive=True, group="hint")

    async def _hint(self, texts: Texts) -> None:
        plan = self.sitting.plan
        if plan is None:
            return
        observation = plan.draft.observation
        hint: Hint | None = await asyncio.to_thread(advise, observation, texts)
        if self.sitting.plan is not plan:
            return
        if hint is None:
            plan.say(texts.say("play.hint-none"))
        else:
            hand = hand_of(observation, plan.draft.base)
            steps = "; ".join(typed_form(plan.rules, hand, s, texts) for s in hint.steps if s.verb in plan.rules.slots)
            plan.say(texts.say("play.hint", steps=steps) + " " + " ".join(hint.reasons))
        self.draw()

    def do_leave(self) -> None:
        """Close and resume later, or leave for good; nothing to ask when the game is over."""
        if self.sitting.over:
            self.close_table()
            return
        watching = Can.PLAY not in self.opened.game.can
        ways = [("later", self.texts.say("tui.stop-watching" if watching else "tui.close-later"))]
        if self.sitting.seated is not None and not watching and self.around.leaving is None:
            ends = ends_without_one(self.opened.game.position)
            ways.append(("for-good", self.texts.say("tui.leave-and-end" if ends else "tui.leave-for-good")))
        ways.append(("stay", self.texts.say("tui.go-on-watching" if watching else "tui.stay")))
        self.app.push_screen(ListPage(self.texts.say("tui.about.leave"), ways, self.texts.say("tui.close")), self._left)

    def _left(self, way: str | None) -> None:
        if way == "later":
            self.close_table()
        elif way == "for-good":
            say, ends = self.texts.say, ends_without_one(self.opened.game.position)
            about = say("tui.asked.leave-ends" if ends else "tui.asked.leave-about")
            self.app.push_screen(AskedPage(say("tui.asked.leave"), about, self.texts), self._sure)

    def _sure(self, yes: bool | None) -> None:
        if yes:
            self.run_worker(self._leave_for_good(), name="leave")

    async def _leave_for_good(self) -> None:
        seat = self.sitting.seated
        if seat is None:
            return
        game = self.opened.game
        if await self.attempt(game.leave(seat)) and bots_play_on(game.position, game.players):
            self.app.notify(self.texts.say("play.left-alone"), markup=False)

    def close_table(self) -> None:
        self.run_worker(self._close(), name="close")

    async def _close(self) -> None:
        await self.opened.game.close()
        self.opened.close()
        self.wasabi.left_game(self.opened)
