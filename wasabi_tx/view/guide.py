"""The guide of a lesson: which task is to be done, whether what somebody does is it, and what to say to them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..engine.rules import AnyRules
from ..table.game import Can, Player
from ..table.learn.course import LEARNER, RIVAL, Course, Task
from ..table.staged_game import StagedGame
from ..text import Texts
from ..text.marks import mark
from .log.followed_game import FollowedGame
from .progress import Progress

_TILE = re.compile(r"\{([A-Z][a-z])\}")
GOES_ON = ("accept", "send")
"""Actions that turn over what was only to be read."""


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
    leads: str = ""
    """What the keys lead to, where the words do not say it."""
    back: str = ""
    """Where the way back leads; nothing if there is none."""


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
        self.at, self._mistaken, self._restoring = at, False, True
        self.game.go_to(self.task)

    def _go_on(self) -> None:
        if self.last:
            self.over = True
            return
        self.at, self._mistaken = self.at + 1, False
        self.game.go_to(self.task)

    def takes(self, action: str, followed: FollowedGame) -> bool:
        """Whether an action is for the guide instead of the table: going on, or a task back."""
        plan = followed.plan
        if action in GOES_ON and self.task.reads:
            self._go_on()
            return True
        if action == "back" and self.at and not (plan is not None and (plan.typed or plan.begun)):
            self.go(self.at - 1)
            return True
        return False

    def did(self, action: str) -> None:
        """An action of the table was done."""
        if self.task.action == action:
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

    def view(self, texts: Texts, followed: FollowedGame) -> GuideView:
        task, plan = self.task, followed.plan
        mistake = ""
        if self._mistaken:
            mistake = task.wrong[texts.language] if task.wrong else texts.say("learn.not-yet")
        elif plan is not None and plan.wrong:
            mistake = plan.message
        return GuideView(
            head=texts.say("learn.step", number=self.at + 1, count=len(self._course.tasks)),
            words=with_tiles(task.say[texts.language], self._course.rules, texts),
            press=task.press,
            mistake=mistake,
            panels=task.panels,
            squares=task.squares,
            back=texts.say("learn.back") if self.at else "",
        )


def progress_with(progress: Progress, guide: Guide) -> Progress:
    """What is remembered when a guide has reached its present task: a course that was taken begins anew."""
    lessons = {**progress.lessons, guide.course: 0 if guide.last else guide.at}
    learned = progress.learned | {guide.course} if guide.last else progress.learned
    return replace(progress, lessons=lessons, learned=learned)


def with_tiles(sentence: str, rules: AnyRules, texts: Texts) -> str:
    """A sentence with its tiles marked: `{Cu}` is Cucumber."""
    edition = rules.edition

    def name(match: re.Match[str]) -> str:
        number = edition.tile_numbers[match[1]]
        return mark("tile", edition.ingredients[number - 1].names[texts.language], match[1])

    return _TILE.sub(name, sentence)
