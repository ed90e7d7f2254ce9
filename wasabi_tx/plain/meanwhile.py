"""Idle commands: the lines that a person types while others move online, to look something up, talk, or plan a turn."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from ..engine.errors import RulesError
from ..engine.observe import Observation
from ..engine.step import Step
from ..games.game import Game
from ..games.plans import NotPlayed
from ..text import Texts
from ..turn.commands import AT_TABLE, MEANWHILE, command_words, find_command
from ..turn.composing import foreseen, may_compose, plans_or_reason
from ..turn.plan_lines import say_not_played, say_withdrawn
from ..view.sentences import say_error
from ..view.table.plain_table import wrap
from .console import Console, InputEnded, WaitFor, at_once
from .turn import PlainTurn, StopPlanning

NEEDS_TURN = frozenset({"accept", "hint", "no", "send"})
"""Commands that mean nothing before it is the player's turn."""


class Meanwhile:
    """Handles lines that were typed without a question."""

    def __init__(
        self,
        game: Game,
        console: Console,
        texts: Texts,
        turn_for: Callable[[Observation, bool], PlainTurn],
        wait_for: WaitFor = at_once,
    ) -> None:
        """Set up the commands of a waiting player.

        `turn_for` makes the turn that is asked for or looked up; its second argument is true for a planned turn.
        """
        self._wait_for = wait_for
        self._game = game
        self._console = console
        self._texts = texts
        self._turn_for = turn_for
        self._table: PlainTurn | None = None
        """The table as it was when something was last looked up."""
        self._explained = False
        self._told: NotPlayed | None = None
        """The last "plan not played" notice shown."""
        self.begun: tuple[Step, ...] = ()
        """The steps of an unfinished plan when the player's own turn came."""

    def explain(self) -> None:
        """Say once how to plan a later turn."""
        if may_compose(self._game) and not self._explained:
            self._explained = True
            self._say("play.meanwhile")

    def tell_plans(self) -> None:
        """Say what is planned for later turns, or why the plan for this turn was not played."""
        self._told = self._game.plans.not_played
        for line in plans_or_reason(self._game, self._texts):
            self._console.say_all(wrap(line, "  "))

    def show_plans(self) -> None:
        """Print the same for somebody who asks, even when there are no plans."""
        if plans_or_reason(self._game, self._texts):
            self.tell_plans()
        else:
            self._say("play.no-plans")

    def tell_not_played(self, why: NotPlayed) -> None:
        """Say once why a plan was not played."""
        if why != self._told:
            self._told = why
            self._console.say_all(wrap(" ".join(say_not_played(why, self._game.rules, self._texts))))

    async def run_line(self, line: str) -> None:
        """Act on one line; raise InputEnded on quitting, LeaveGame on leaving for good."""
        found = find_command(line, self._texts, MEANWHILE | AT_TABLE)
        command = "" if found is None else found[0]
        match command:
            case "plan":
                await self._plan_turn()
            case "plans":
                self.show_plans()
            case "undo" if not self._game.plans.turns:
                self._say("play.no-plans")
            case "undo":
                plans = self._game.plans
                if await self._attempt(self._game.save_plans(plans.without_last())):
                    self._console.say_all(wrap(say_withdrawn(plans.turns[-1], self._game.rules, self._texts)))
                    self.tell_plans()
            case "help":
                self._help()
            case _ if not command or command in NEEDS_TURN:
                self._wait(bool(line.strip()))
            case _:
                await self._wait_for(partial(self._look_up, line))

    def _say(self, key: str, **params: object) -> None:
        self._console.say_all(wrap(self._texts.say(key, **params)))

    def _help(self) -> None:
        self._say("play.meanwhile-all")
        self._say("play.meanwhile-commands", words=command_words(self._texts, MEANWHILE, NEEDS_TURN))

    def _wait(self, wrong: bool) -> None:
        """Print what is waited for, and the commands that work meanwhile."""
        if not may_compose(self._game):
            self._say("tui.awaits")
            return
        name = self._game.players[self._game.position.mover].name
        why = self._texts.say("error.not-your-turn") if wrong else f"{self._texts.say('header.playing', name=name)}."
        how = "play.meanwhile-all" if self._game.plans.turns else "play.meanwhile"
        self._console.say_all(wrap(f"{why} {self._texts.say(how)}"))

    def _look_up(self, line: str) -> None:
        if self._table is None or self._table.draft.base != self._game.observation:
            self._table = self._turn_for(self._game.observation, False)
        self._table.run_line(line)

    async def _attempt(self, wish: Coroutine[Any, Any, None]) -> bool:
        try:
            await wish
        except RulesError as error:
            self._console.say_all(wrap(say_error(self._texts, error)))
            return False
        return True

    async def _plan_turn(self) -> None:
        """Ask for the next unplanned turn and save it."""
        base = foreseen(self._game)
        if base is None:
            self._say("plans.not-now")
            return
        turn = self._turn_for(base, True)
        self._say("play.planning", turn=base.position.turn)
        turn.show()
        try:
            await self._wait_for(turn.play)
        except StopPlanning:
            self._say("play.planned-no-more")
            return
        except InputEnded:
            self.begun = turn.draft.steps
            raise
        if not may_compose(self._game):
            self._say("play.turn-came")
            self.begun = turn.draft.steps
        elif await self._attempt(self._game.save_plans(self._game.plans.with_turn(base, turn.draft.steps))):
            self.tell_plans()
