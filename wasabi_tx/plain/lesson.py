"""A lesson line by line: the same course and the same guide as on the screen, for people who read and type."""

from __future__ import annotations

from collections.abc import Callable

from ..engine.errors import RulesError
from ..engine.position import Position
from ..lessons.guide import Guide
from ..text import Texts
from ..text.marks import unmarked
from ..turn.commands import find_command
from ..turn.followed_game import FollowedGame
from ..turn.step_groups import typed_form
from ..turn.typed import choose_line
from ..view.sentences import say_error
from ..view.table.hand import hand_of
from ..view.table.plain_table import wrap
from .console import Console, InputEnded
from .turn import PlainTurn

COMMANDS = {"hint": "hint", "book": "recipes", "since": "log"}
"""The commands typed for the actions that tasks are about."""


class PlainLesson:
    """Takes a person through a course on a console; `keep` is called for every task reached."""

    def __init__(self, guide: Guide, console: Console, texts: Texts, keep: Callable[[Guide], None]) -> None:
        self._guide = guide
        self._console = console
        self._texts = texts
        self._keep = keep
        self._followed = FollowedGame(guide.game, texts, lesson=True)
        self._shown: Position | None = None
        self._kept = guide.at

    def run(self) -> bool:
        """Run the course; return True if it was completed, False if the input ended first."""
        self._followed.renew_plan()
        try:
            while True:
                self._look()
                if self._guide.over:
                    return True
                self._tell()
                self._take(self._console.ask())
        except InputEnded:
            self._say("learn.done")
        return False

    def _look(self) -> None:
        """Process events and choices; the guide may set up the table again because of them."""
        self._guide.check_task(self._followed)
        while events := self._guide.game.happened():
            for event in events:
                self._followed.handle(event)
            self._followed.renew_plan()
            self._guide.check_task(self._followed)
        if self._guide.at != self._kept:
            self._kept = self._guide.at
            self._keep(self._guide)

    def _say(self, key: str, **params: object) -> None:
        self._console.say_all(wrap(self._texts.say(key, **params)))

    def _tell(self) -> None:
        """Print the table if it has changed; then the task, and what to type."""
        view, texts = self._guide.view(self._texts, self._followed, plain=True), self._texts
        if self._guide.game.position is not self._shown:
            self._shown = self._guide.game.position
            self._console.print_lines("")
            self._turn().show()
        if view.mistake:
            self._console.say_all(wrap(view.mistake))
        self._console.say_all(wrap(f"{view.head}: {unmarked(view.words)}"))
        self._console.print_lines(f"{texts.say('learn.type')} {self._typed()}")

    def _typed(self) -> str:
        """Return the line that a person would type for the task."""
        task, texts = self._guide.task, self._texts
        if task.action:
            return texts.words("command")[COMMANDS[task.action]].split()[0]
        if not task.chooses:
            return texts.say("learn.enter")
        plan = self._followed.plan
        assert plan is not None, "what is to be chosen is chosen in the own turn"
        rules, hand = plan.rules, hand_of(plan.draft.observation, plan.hand)
        left = task.goal[len(plan.draft.steps) :]
        return "; ".join(typed_form(rules, hand, step, texts) for step in left if step.verb in rules.slots)

    def _turn(self) -> PlainTurn:
        """Return the turn as it is, to show the table and to answer questions."""
        followed = self._followed
        observation = followed.game.observation
        turn = PlainTurn(observation, followed.game.players, followed.chronicle, self._console, self._texts)
        if followed.plan is not None:
            turn.draft = followed.plan.draft
        return turn

    def _take(self, line: str) -> None:
        command = find_command(line, self._texts)
        plan = self._followed.plan
        if not line.strip() or (command is not None and command[0] == "send"):
            self._accept()
        elif command is not None and command[0] == "undo":
            self._guide.takes("back", self._followed)
        elif command is not None and command[0] in ("quit", "leave"):
            raise InputEnded
        elif command is not None:
            self._turn().run_line(line)
            action = next((action for action, word in COMMANDS.items() if word == command[0]), "")
            self._guide.did(action, self._followed)
        elif plan is not None:
            choose_line(plan, line, self._texts)

    def _accept(self) -> None:
        """Handle an empty line: go on, take the default, or end the turn."""
        followed, plan = self._followed, self._followed.plan
        if self._guide.takes("accept", followed) or plan is None:
            return
        bundle = followed.bundle()
        if bundle is None:
            plan.accept()
            return
        try:
            self._guide.game.play(bundle)
        except RulesError as error:
            plan.refuse(say_error(self._texts, error))
        else:
            self._guide.sent()
