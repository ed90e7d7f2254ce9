"""Meanwhile: what a person may look up, say and compose for later turns while others move at a table online."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from ..engine.errors import RulesError
from ..engine.observe import Observation
from ..engine.step import Step
from ..table.ahead import NotPlayed
from ..table.game import Game
from ..text import Texts
from ..view.sentences import say_error
from ..view.table.plain_table import wrap
from ..view.turn.ahead_lines import say_not_played, say_withdrawn
from ..view.turn.commands import MEANWHILE, command_words, find_command
from ..view.turn.composing import foreseen, left_lines, may_compose
from .console import Console, InputEnded
from .turn import PlainTurn, StopPlanning

NEEDS_TURN = frozenset({"hint", "no", "send"})
"""Commands that mean nothing before it is one's turn."""


class Meanwhile:
    """Takes lines that were typed before anything was asked."""

    def __init__(
        self, game: Game, console: Console, texts: Texts, turn_for: Callable[[Observation, bool], PlainTurn]
    ) -> None:
        """`turn_for` makes the turn that is asked for or looked up; whether it is a later one, it is told."""
        self._game = game
        self._console = console
        self._texts = texts
        self._turn_for = turn_for
        self._table: PlainTurn | None = None
        """The table as it was when something was last looked up."""
        self._explained = False
        self._told: NotPlayed | None = None
        """Of what it was last told why it was not played."""
        self.begun: tuple[Step, ...] = ()
        """What was composed for a later turn when the own turn came."""

    def explain(self) -> None:
        """Says once how to plan ahead."""
        if may_compose(self._game) and not self._explained:
            self._explained = True
            self._say("play.meanwhile")

    def tell_left(self) -> None:
        """What is left for later turns, or why it was not played."""
        self._told = self._game.ahead.not_played
        for line in left_lines(self._game, self._texts):
            self._console.say_all(wrap(line, "  "))

    def look_left(self) -> None:
        """The same for somebody who asks: that nothing is left, they are told too."""
        if left_lines(self._game, self._texts):
            self.tell_left()
        else:
            self._say("play.left-nothing")

    def tell_unfit(self, why: NotPlayed) -> None:
        """Why something was not played, once."""
        if why != self._told:
            self._told = why
            self._console.say_all(wrap(" ".join(say_not_played(why, self._game.rules, self._texts))))

    async def take(self, line: str) -> None:
        """One line; `InputEnded` on quitting, `LeaveGame` on leaving for good."""
        found = find_command(line, self._texts, MEANWHILE)
        command = "" if found is None else found[0]
        match command:
            case "ahead":
                await self._compose(instead=False)
            case "left":
                self.look_left()
            case "instead" | "undo" if not self._game.ahead.turns:
                self._say("play.left-nothing")
            case "instead":
                await self._compose(instead=True)
            case "undo":
                ahead = self._game.ahead
                if await self._attempt(self._game.leave_ahead(ahead.without_last())):
                    self._console.say_all(wrap(say_withdrawn(ahead.turns[-1], self._game.rules, self._texts)))
                    self.tell_left()
            case "help":
                self._help()
            case _ if not command or command in NEEDS_TURN:
                self._wait(bool(line.strip()))
            case _:
                self._look_up(line)

    def _say(self, key: str, **params: object) -> None:
        self._console.say_all(wrap(self._texts.say(key, **params)))

    def _help(self) -> None:
        self._say("play.meanwhile-all")
        self._say("play.meanwhile-commands", words=command_words(self._texts, MEANWHILE, NEEDS_TURN))

    def _wait(self, wrong: bool) -> None:
        """Why nothing is asked, and what can be typed instead."""
        if not may_compose(self._game):
            self._say("tui.awaits")
            return
        name = self._game.players[self._game.position.mover].name
        why = self._texts.say("error.not-your-turn") if wrong else f"{self._texts.say('header.playing', name=name)}."
        how = "play.meanwhile-all" if self._game.ahead.turns else "play.meanwhile"
        self._console.say_all(wrap(f"{why} {self._texts.say(how)}"))

    def _look_up(self, line: str) -> None:
        if self._table is None or self._table.draft.base != self._game.observation:
            self._table = self._turn_for(self._game.observation, False)
        self._table.take(line)

    async def _attempt(self, wish: Coroutine[Any, Any, None]) -> bool:
        try:
            await wish
        except RulesError as error:
            self._console.say_all(wrap(say_error(self._texts, error)))
            return False
        return True

    async def _compose(self, instead: bool) -> None:
        """Asks for a turn that is to be left."""
        base = foreseen(self._game, instead)
        if base is None:
            self._say("ahead.not-now")
            return
        turn = self._turn_for(base, True)
        self._say("play.planning", turn=base.position.turn)
        turn.show()
        try:
            turn.play()
        except StopPlanning:
            self._say("play.planned-no-more")
            return
        except InputEnded:
            self.begun = turn.draft.steps
            raise
        if not may_compose(self._game):
            self._say("play.turn-came")
            self.begun = turn.draft.steps
        elif await self._attempt(self._game.leave_ahead(self._game.ahead.with_turn(base, turn.draft.steps))):
            self.tell_left()
