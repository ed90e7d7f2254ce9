"""The guide of a lesson: it goes on when its task is done, bears with everything else, and goes back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from wasabi_tx.engine.step import Step
from wasabi_tx.table.learn.course import COURSES, find_course
from wasabi_tx.text import Texts
from wasabi_tx.view.guide import Guide, progress_with
from wasabi_tx.view.log.followed_game import FollowedGame
from wasabi_tx.view.progress import Progress
from wasabi_tx.view.turn.plan import Plan

EN = Texts("en")
ACTIONS = ("accept", "hint", "book", "since", "close", "return")
"""What tasks ask for by name; the others are letters and digits."""


class Lesson:
    """A learner at a table without a screen, who presses what tasks say."""

    def __init__(self, course: str, at: int = 0) -> None:
        self.course = find_course(course)
        self.guide = Guide(self.course, "Ana", "Nori", at)
        self.followed = FollowedGame(self.guide.game, EN, lesson=True)
        self.followed.renew_plan()
        self.look()

    @property
    def plan(self) -> Plan:
        assert self.followed.plan is not None
        return self.followed.plan

    def look(self) -> None:
        """What a screen does after every key."""
        self.guide.look(self.followed)
        while events := self.guide.game.happened():
            for event in events:
                self.followed.take(event)
            self.followed.renew_plan()
            self.guide.look(self.followed)

    def press(self, key: str) -> None:
        if key not in ACTIONS:
            for char in key:
                assert self.plan.type_char(char), key
                self.look()
        elif not self.guide.takes(key, self.followed):
            if key == "accept" and self.plan.ready:
                bundle = self.followed.bundle()
                assert bundle is not None
                self.guide.game.play(bundle)
                self.guide.sent()
            elif key == "accept":
                self.plan.accept()
            elif key == "return":
                self.plan.begin_return()
            else:
                self.guide.did(key)
        self.look()

    def do(self) -> None:
        for key in self.guide.task.press:
            self.press(key)

    @property
    def mistake(self) -> str:
        return self.guide.view(EN, self.followed).mistake


@pytest.mark.parametrize("course", COURSES)
def test_the_keys_of_each_task_do_it_and_no_other(course: str) -> None:
    lesson = Lesson(course)
    for number in range(len(lesson.course.tasks)):
        assert lesson.guide.at == number
        lesson.do()
    assert lesson.guide.over


def _other(legal: Sequence[Step], goal: tuple[Step, ...]) -> Step | None:
    """A legal step that is none of the task's."""
    return next((step for step in legal if step not in goal), None)


@pytest.mark.parametrize("course", COURSES)
def test_every_other_step_at_each_task_is_explained_and_taken_back(course: str) -> None:
    lesson, tried = Lesson(course), 0
    for number, task in enumerate(lesson.course.tasks):
        if lesson.followed.plan is not None:
            wrong = [step for step in lesson.plan.draft.legal() if step not in task.goal]
            for step in {one.verb: one for one in wrong}.values():
                # One that would lose a recipe has to be chosen twice.
                assert lesson.plan.add(step) or lesson.plan.add(step)
                lesson.look()
                assert lesson.guide.at == number
                assert lesson.mistake == (task.wrong["en"] if task.wrong else EN.say("learn.not-yet"))
                assert lesson.plan.draft.steps == task.before
                tried += 1
        lesson.do()
    assert lesson.guide.over
    assert tried > len(lesson.course.tasks)


@pytest.mark.parametrize("course", COURSES)
def test_keys_that_mean_nothing_are_explained_by_the_table_and_change_nothing(course: str) -> None:
    lesson = Lesson(course)
    for number, task in enumerate(lesson.course.tasks):
        if lesson.followed.plan is not None and "9" not in task.press:
            lesson.plan.type_char("9")
            lesson.look()
            assert lesson.mistake
            assert lesson.guide.at == number
            lesson.plan.drop()
        lesson.do()
    assert lesson.guide.over


def test_a_mistake_is_forgotten_when_one_begins_again() -> None:
    lesson = Lesson("classic", 1)
    for key in ("2", "a", "1"):
        lesson.press(key)
    assert lesson.mistake
    lesson.press("2")
    assert not lesson.mistake


@pytest.mark.parametrize("course", COURSES)
def test_from_every_task_one_step_back_and_on_again(course: str) -> None:
    lesson = Lesson(course)
    for number in range(len(lesson.course.tasks)):
        if number:
            assert lesson.guide.takes("back", lesson.followed)
            lesson.look()
            assert lesson.guide.at == number - 1
            lesson.do()
        assert lesson.guide.at == number
        lesson.do()
    assert lesson.guide.over


@pytest.mark.parametrize("course", COURSES)
def test_from_the_last_task_back_to_the_first(course: str) -> None:
    tasks = find_course(course).tasks
    lesson = Lesson(course, len(tasks) - 1)
    for number in range(len(tasks) - 1, 0, -1):
        assert lesson.guide.at == number
        assert lesson.guide.takes("back", lesson.followed)
        lesson.look()
    assert lesson.guide.at == 0
    assert not lesson.guide.takes("back", lesson.followed)
    while not lesson.guide.over:
        lesson.do()


def test_back_with_something_in_hand_puts_only_that_down() -> None:
    lesson = Lesson("classic", 1)
    lesson.press("2")
    assert not lesson.guide.takes("back", lesson.followed)
    assert lesson.guide.at == 1


def test_a_step_that_is_undone_at_the_table_is_asked_for_again() -> None:
    lesson = Lesson("classic", 1)
    lesson.do()
    lesson.plan.back()
    lesson.look()
    assert lesson.guide.at == 1
    lesson.do()
    assert lesson.guide.at == 2


@pytest.mark.parametrize("course", COURSES)
def test_a_lesson_goes_on_from_any_task_with_the_steps_that_were_chosen(course: str) -> None:
    tasks = find_course(course).tasks
    for number, task in enumerate(tasks):
        lesson = Lesson(course, number)
        assert lesson.guide.at == number
        if task.position.outcome is None:
            assert lesson.plan.draft.steps == task.before
        lesson.do()
        assert lesson.guide.over if lesson.guide.last and number == len(tasks) - 1 else lesson.guide.at == number + 1


@pytest.mark.parametrize("wrong", [-1, 10_000])
def test_a_place_that_is_none_begins_anew(wrong: int) -> None:
    assert Lesson("classic", wrong).guide.at == 0


def test_what_is_remembered_is_the_place_and_at_the_end_that_it_was_taken() -> None:
    before = Progress(frozenset({"master"}), {"master": 0})
    count = len(find_course("classic").tasks)
    assert progress_with(before, Lesson("classic", 5).guide) == Progress(before.learned, {"master": 0, "classic": 5})
    assert progress_with(before, Lesson("classic", count - 1).guide) == Progress(
        frozenset({"master", "classic"}), {"master": 0, "classic": 0}
    )
