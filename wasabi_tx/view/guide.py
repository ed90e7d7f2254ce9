"""The guide of a lesson: which task is to be done, whether what somebody does is it, and what to say to them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..engine.rules import AnyRules
from ..engine.step import Step
from ..table.game import Can, Player
from ..table.learn.course import LEARNER, RIVAL, Course, Task
from ..table.staged_game import StagedGame
from ..text import Texts
from ..text.marks import mark
from .log.followed_game import FollowedGame
from .progress import Progress
from .turn.plan import Plan

_TILE = re.compile(r"\{([A-Z][a-z])\}")
GOES_ON = ("accept", "send")
"""Actions that turn over what was only to be read."""
ANSWERED, HAPPENED = "hint", "since"
"""The action that the table answers in words, and the one that shows what has just happened."""


@dataclass(frozen=True)
class GuideView:
    """What a screen shows of a guide."""

    head: str
    """How far it is."""
    words: str
    """What to do; a marked sentence."""
    press: tuple[str, ...]
    """Digits, letters and names of actions, in order."""
    mistake: str
    """Why that was not it; nothing if nothing was wrong."""
    panels: frozenset[str]
    squares: tuple[int, ...]
    brief: str = ""
    """How far it is, where there is little room."""
    leads: str = ""
    """What the keys lead to, where the words do not say it."""
    back: str = ""
    """Where the way back leads; nothing if there is none."""
    button: str | None = None
    """What Enter does if it is the guide's; empty if another key is asked for, None if the table says what it does."""


class Guide:
    """Leads through a course at a real table: it only looks at the plan, and takes back what is not the task."""

    def __init__(self, course: Course, name: str, rival: str, at: int = 0) -> None:
        """Begins with the task of this number, or with the first if there is none."""
        self._course = course
        self.at = at if 0 <= at < len(course.tasks) else 0
        others = (Player(rival, "normal") for _ in range(RIVAL, course.rules.players))
        self.game = StagedGame(course.rules, self.task, (Player(name), *others), LEARNER, Can.PLAY | Can.HINT)
        self.over = False
        """Whether the last task is done."""
        self._mistaken = False
        self._told = False
        """Whether the task was done, and what the table answered is still to be read."""
        self._restoring = True

    @property
    def course(self) -> str:
        return self._course.name

    @property
    def task(self) -> Task:
        return self._course.tasks[self.at]

    @property
    def last(self) -> bool:
        return self.at == len(self._course.tasks) - 1

    def go(self, at: int) -> None:
        """To a task, with the table as it was when that one began."""
        self.at, self._mistaken, self._told, self._restoring = at, False, False, True
        self.game.go_to(self.task)

    def _go_on(self) -> None:
        if self.last:
            self.over = True
            return
        self.at, self._mistaken, self._told = self.at + 1, False, False
        self.game.go_to(self.task)

    def takes(self, action: str, followed: FollowedGame) -> bool:
        """Whether an action is for the guide instead of the table: going on, or a task back."""
        plan = followed.plan
        if action in GOES_ON and (self.task.reads or self._answer(plan)):
            if plan is not None:
                plan.say()
            self._go_on()
            return True
        if action == "back" and self._goes_back(plan):
            self.go(self.at - 1)
            return True
        return False

    def _goes_back(self, plan: Plan | None) -> bool:
        """Whether the way back is the guide's: as long as something is held, it puts that down."""
        return self.at > 0 and not (plan is not None and (plan.typed or plan.begun))

    def _answer(self, plan: Plan | None) -> str:
        """What the table has answered to the task, as long as it says so."""
        return plan.message if self._told and plan is not None and not plan.wrong else ""

    def did(self, action: str, followed: FollowedGame) -> None:
        """An action of the table was done; what it answers in words is to be read before the guide goes on."""
        if self.task.action == action:
            self._told = action == ANSWERED and followed.plan is not None and bool(followed.plan.said)
            if not self._told:
                self._go_on()

    def sent(self) -> None:
        """The turn, or a part of it, was ended."""
        if self.task.sends:
            self._go_on()

    def look(self, followed: FollowedGame) -> None:
        """Looks at what is planned: goes on if that is the task, and takes back what is not."""
        plan, task = followed.plan, self.task
        if plan is None or plan.draft.base.position is not task.position:
            return
        if self._restoring:
            self._restoring = False
            self._restore(followed)
            return
        if plan.typed or plan.begun:
            self._mistaken = False
        have = plan.draft.steps
        if task.chooses and have == task.goal:
            self._go_on()
        elif have != task.goal[: len(have)]:
            while plan.draft.steps != task.goal[: len(plan.draft.steps)]:
                plan.back()
            self._mistaken = True
        elif len(have) < len(task.before):
            self.at = max(at for at, one in enumerate(self._course.tasks[: self.at]) if self._begun_with(one, have))

    def _begun_with(self, task: Task, steps: tuple[object, ...]) -> bool:
        return task.position is self.task.position and task.before == steps[: len(task.before)]

    def _restore(self, followed: FollowedGame) -> None:
        """Chooses again what was chosen before the task."""
        followed.renew_plan()
        plan = followed.plan
        for step in self.task.before if plan is not None else ():
            assert plan is not None
            # One that would lose a recipe has to be chosen twice.
            _ = plan.add(step) or plan.add(step)

    def _button(self, texts: Texts, plan: Plan | None) -> str | None:
        """What Enter does now, if that is not what the table would do; nothing where the task wants another key."""
        task = self.task
        if task.reads or self._answer(plan):
            return texts.say("learn.play" if self.last else "bar.go")
        if plan is None or plan.draft.base.position is not task.position:
            return ""
        if plan.typed:
            return ""
        if task.sends:
            return None if plan.ready else ""
        left = task.goal[len(plan.draft.steps) :]
        return None if left and _enter_leads(plan, left[0]) else ""

    def view(self, texts: Texts, followed: FollowedGame, *, plain: bool = False) -> GuideView:
        """What to show now, to somebody who sees the table on a screen or `plain` lines of it."""
        task, plan = self.task, followed.plan
        reached, said = self._course.reached(self.at), task.plain if plain else task.say
        answer, mistake = self._answer(plan), ""
        if self._mistaken:
            mistake = task.wrong[texts.language] if task.wrong else texts.say("learn.not-yet")
        elif plan is not None and plan.wrong:
            mistake = plan.message
        return GuideView(
            head=texts.say("learn.step", **reached._asdict() | {"name": reached.name[texts.language]}),
            brief=texts.say("learn.step-brief", **reached._asdict()),
            words=answer or with_tiles(said[texts.language], self._course.rules, texts),
            press=GOES_ON[:1] if answer else task.press,
            mistake=mistake,
            panels=task.panels,
            squares=task.squares,
            back=texts.say("learn.back") if self._goes_back(plan) else "",
            button=self._button(texts, plan),
        )


def _enter_leads(plan: Plan, wanted: Step) -> bool:
    """Whether Enter would choose a step, or the next part of it."""
    begun = plan.begun
    if not begun:
        default = plan.moment.prompt.default
        return default is not None and default.step == wanted
    if begun.verbs[:1] != (wanted.verb,):
        return False
    whole = Step(wanted.verb, begun.args)
    if whole == wanted or whole in plan.moment.fitting(begun):
        return whole == wanted
    chosen = (*begun.args, plan.cursor)
    return plan.cursor in plan.squares and wanted.args[: len(chosen)] == chosen


def progress_with(progress: Progress, guide: Guide) -> Progress:
    """What is remembered when a guide has reached its present task: a course that was taken begins anew."""
    # What has just happened cannot be seen again the next time: that begins with the move.
    at = guide.at - 1 if guide.task.action == HAPPENED else guide.at
    lessons = {**progress.lessons, guide.course: 0 if guide.last else at}
    learned = progress.learned | {guide.course} if guide.last else progress.learned
    return replace(progress, lessons=lessons, learned=learned)


def with_tiles(sentence: str, rules: AnyRules, texts: Texts) -> str:
    """A sentence with its tiles marked: `{Cu}` is Cucumber."""
    edition = rules.edition

    def name(match: re.Match[str]) -> str:
        number = edition.tile_numbers[match[1]]
        return mark("tile", edition.ingredients[number - 1].names[texts.language], match[1])

    return _TILE.sub(name, sentence)
