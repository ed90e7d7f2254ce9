"""The guide of a lesson: it knows the task, recognizes whether it was done, and finds the words for the learner."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..engine.rules import AnyRules
from ..engine.step import Step
from ..games.game import Can, Player
from ..games.staged_game import StagedGame
from ..text import Texts
from ..text.marks import mark
from ..turn.followed_game import FollowedGame
from ..turn.plan import Plan
from .course import LEARNER, RIVAL, Course, Task
from .progress import Progress

_TILE = re.compile(r"\{([A-Z][a-z])\}")
GOES_ON = ("accept", "send")
"""Actions that move on from a task that is only read."""
ANSWERED, HAPPENED = "hint", "since"
"""The action that the table answers in words, and the one that shows what has just happened."""


@dataclass(frozen=True)
class GuideView:
    """Everything that a screen shows of a guide."""

    head: str
    """The progress through the course."""
    words: str
    """The instruction, a marked sentence."""
    press: tuple[str, ...]
    """The keys to press: digits, letters and names of actions, in order."""
    mistake: str
    """The reason why the last choice was wrong, or ""."""
    panels: frozenset[str]
    squares: tuple[int, ...]
    brief: str = ""
    """The progress in a short form, for little room."""
    leads: str = ""
    """The effect of the keys, where the words do not mention it."""
    back: str = ""
    """The effect of going back, or "" if that is not possible."""
    button: str | None = None
    """The label of Enter if the guide handles it; "" if the task wants another key, None if the table decides."""


class Guide:
    """Leads through a course at a real table: it inspects the plan and undoes whatever is not part of the task."""

    def __init__(self, course: Course, name: str, rival: str, at: int = 0) -> None:
        """Begin with the task of this number, or with the first if there is none."""
        self._course = course
        self.at = at if 0 <= at < len(course.tasks) else 0
        others = (Player(rival, "normal") for _ in range(RIVAL, course.rules.players))
        self.game = StagedGame(course.rules, self.task, (Player(name), *others), LEARNER, Can.PLAY | Can.HINT)
        self.over = False
        """True once the last task is done."""
        self._mistaken = False
        self._told = False
        """True if the task is done but the table's answer is still to be read."""
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
        """Go to a task, with the table as it was when that task began."""
        self.at, self._mistaken, self._told, self._restoring = at, False, False, True
        self.game.go_to(self.task)

    def _go_on(self) -> None:
        if self.last:
            self.over = True
            return
        self.at, self._mistaken, self._told = self.at + 1, False, False
        self.game.go_to(self.task)

    def takes(self, action: str, followed: FollowedGame) -> bool:
        """Handle an action meant for the guide, going on or back a task; return whether it was one."""
        plan = followed.plan
        if action in GOES_ON and (self.task.reads or self._answer(plan)):
            if plan is not None:
                plan.set_message()
            self._go_on()
            return True
        if action == "back" and self._goes_back(plan):
            self.go(self.at - 1)
            return True
        return False

    def _goes_back(self, plan: Plan | None) -> bool:
        """Return whether going back is the guide's: while something is being chosen, it first cancels that."""
        return self.at > 0 and not (plan is not None and (plan.typed or plan.begun))

    def _answer(self, plan: Plan | None) -> str:
        """Return the table's answer to the task, while the table shows it."""
        return plan.message if self._told and plan is not None and not plan.wrong else ""

    def did(self, action: str, followed: FollowedGame) -> None:
        """Note that an action of the table was done; an answer in words is to be read before the guide goes on."""
        if self.task.action == action:
            self._told = action == ANSWERED and followed.plan is not None and bool(followed.plan.said)
            if not self._told:
                self._go_on()

    def sent(self) -> None:
        """Note that the turn, or a part of it, was ended."""
        if self.task.sends:
            self._go_on()

    def clears_table(self, followed: FollowedGame) -> bool:
        """Return whether the plan completes the task, and the next one is played at another table."""
        plan, task = followed.plan, self.task
        if plan is None or self.last or self._restoring or not task.chooses:
            return False
        following = self._course.tasks[self.at + 1]
        return (
            plan.draft.base.position is task.position
            and plan.draft.steps == task.goal
            and following.position is not task.position
        )

    def check_task(self, followed: FollowedGame) -> None:
        """Inspect the plan: go on if it completes the task, and undo whatever does not belong to it."""
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
        """Choose again the steps that were chosen before the task."""
        followed.renew_plan()
        plan = followed.plan
        for step in self.task.before if plan is not None else ():
            assert plan is not None
            # A step that would lose a recipe has to be chosen twice.
            _ = plan.add(step) or plan.add(step)

    def _button(self, texts: Texts, plan: Plan | None) -> str | None:
        """Return the label of Enter; "" where the task wants another key, None where the table decides."""
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
        """Return what to show now, for a table on a screen or in `plain` lines."""
        task, plan = self.task, followed.plan
        reached, said = self._course.reached(self.at), task.plain if plain else task.instruction
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
    """Return whether Enter would choose this step, or its next part."""
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
    """Return the progress to save at the guide's present task; a finished course begins again."""
    # Past events cannot be shown again next time, so resume with the move before them.
    at = guide.at - 1 if guide.task.action == HAPPENED else guide.at
    lessons = {**progress.lessons, guide.course: 0 if guide.last else at}
    learned = progress.learned | {guide.course} if guide.last else progress.learned
    return replace(progress, lessons=lessons, learned=learned)


def with_tiles(sentence: str, rules: AnyRules, texts: Texts) -> str:
    """Return a sentence with its tiles marked: `{Cu}` is Cucumber."""
    edition = rules.edition

    def name(match: re.Match[str]) -> str:
        number = edition.tile_numbers[match[1]]
        return mark("tile", edition.ingredients[number - 1].names[texts.language], match[1])

    return _TILE.sub(name, sentence)
