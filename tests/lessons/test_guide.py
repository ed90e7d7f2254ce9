"""The guide of a lesson: it advances when its task is done, tolerates anything else, and goes back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import pytest

from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.step import Step
from wasabi_tx.lessons.course import COURSES, LEARNER, find_course
from wasabi_tx.lessons.guide import Guide, GuideView, progress_with
from wasabi_tx.lessons.progress import Progress
from wasabi_tx.text import Texts
from wasabi_tx.turn.followed_game import FollowedGame
from wasabi_tx.turn.plan import Plan
from wasabi_tx.view.table.recipe_progress import openings

EN = Texts("en")
ACTIONS = ("accept", "hint", "book", "since", "close", "return")
"""Keys that tasks name; all others are letters and digits."""
PLACES = 2
"""The task of the first course that places a tile."""


class Lesson:
    """A learner at a table without a screen, who presses the keys that tasks name."""

    def __init__(self, course: str, at: int = 0) -> None:
        self.course = find_course(course)
        self.guide = Guide(self.course, "Ana", "Udon", at)
        self.followed = FollowedGame(self.guide.game, EN, lesson=True)
        self.followed.renew_plan()
        self.look()

    @property
    def plan(self) -> Plan:
        assert self.followed.plan is not None
        return self.followed.plan

    def look(self) -> None:
        """Do as a screen does after every key."""
        self.guide.check_task(self.followed)
        while events := self.guide.game.happened():
            for event in events:
                self.followed.handle(event)
            self.followed.renew_plan()
            self.guide.check_task(self.followed)

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
                self.guide.did(key, self.followed)
        self.look()

    def do(self) -> None:
        for key in self.guide.task.press:
            self.press(key)

    @property
    def view(self) -> GuideView:
        return self.guide.view(EN, self.followed)

    @property
    def mistake(self) -> str:
        return self.view.mistake


@pytest.mark.parametrize("course", COURSES)
def test_the_keys_of_each_task_do_it_and_no_other(course: str) -> None:
    lesson = Lesson(course)
    for number in range(len(lesson.course.tasks)):
        assert lesson.guide.at == number
        lesson.do()
    assert lesson.guide.over


@pytest.mark.parametrize("course", COURSES)
def test_enter_has_a_button_only_where_it_does_what_the_task_asks_for(course: str) -> None:
    for number, task in enumerate(find_course(course).tasks):
        keys = [char for key in task.press for char in ((key,) if key in ACTIONS else key)]
        for pressed in range(len(keys)):
            lesson = Lesson(course, number)
            for key in keys[:pressed]:
                lesson.press(key)
            button = lesson.view.button
            if keys[pressed] == "accept":
                assert button != ""
            if lesson.guide.at == number and button != "":
                held = lesson.followed.plan and lesson.plan.begun
                lesson.press("accept")
                assert not lesson.mistake
                assert lesson.guide.over or lesson.guide.at > number or lesson.plan.begun != held


@pytest.mark.parametrize("course", COURSES)
def test_enter_says_where_it_leads_when_there_is_only_something_to_read(course: str) -> None:
    lesson = Lesson(course)
    while not lesson.guide.last:
        if lesson.guide.task.reads:
            assert lesson.view.button == "Go on"
        lesson.do()
    assert lesson.view.button == "Play a real game"


@pytest.mark.parametrize("course", COURSES)
def test_a_task_that_places_a_tile_asks_for_what_the_table_shows_in_gold(course: str) -> None:
    rules = find_course(course).rules
    for task in find_course(course).tasks:
        wanted = task.goal[len(task.before) :][:1]
        if any(step.verb == "place" for step in wanted):
            before = reduce(rules.apply, task.before, task.position)
            found = openings(observe(rules, before, LEARNER, task.faces))
            # The first recipe of each length is explained beside it.
            gold = {won.recipe: step for step, won in reversed(found)}
            assert not gold or wanted[0] in gold.values()


def test_no_recipe_can_be_served_where_the_course_says_so() -> None:
    course = find_course("master")
    (task,) = (task for task in course.tasks if "No tile completes a recipe" in task.instruction["en"])
    assert not openings(observe(course.rules, task.position, LEARNER, task.faces))


def test_a_hint_is_read_before_the_lesson_goes_on() -> None:
    lesson = Lesson("classic", next(n for n, task in enumerate(find_course("classic").tasks) if task.action == "hint"))
    at = lesson.guide.at
    lesson.plan.set_message("I would pass.", "Nothing else can be done.")
    lesson.press("hint")
    view = lesson.view
    assert lesson.guide.at == at
    assert (view.words, view.press, view.button) == ("I would pass. Nothing else can be done.", ("accept",), "Go on")
    lesson.press("accept")
    assert lesson.guide.at == at + 1
    assert not lesson.plan.message


def test_a_hint_that_is_gone_can_be_asked_for_again() -> None:
    lesson = Lesson("classic", next(n for n, task in enumerate(find_course("classic").tasks) if task.action == "hint"))
    lesson.plan.set_message("I would pass.")
    lesson.press("hint")
    lesson.plan.drop()
    lesson.look()
    assert lesson.view.press == ("hint",)
    assert not lesson.guide.takes("accept", lesson.followed)


def _other(legal: Sequence[Step], goal: tuple[Step, ...]) -> Step | None:
    """Return a legal step that the task does not ask for."""
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
    lesson = Lesson("classic", PLACES)
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
    lesson = Lesson("classic", PLACES)
    assert lesson.view.back
    lesson.press("2")
    assert not lesson.view.back
    assert not lesson.guide.takes("back", lesson.followed)
    assert lesson.guide.at == PLACES


def test_a_step_that_is_undone_at_the_table_is_asked_for_again() -> None:
    lesson = Lesson("classic", PLACES)
    lesson.do()
    lesson.plan.back()
    lesson.look()
    assert lesson.guide.at == PLACES
    lesson.do()
    assert lesson.guide.at == PLACES + 1


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


def test_what_has_just_happened_happens_again_when_a_lesson_is_taken_up_there() -> None:
    tasks = find_course("classic").tasks
    since = next(number for number, task in enumerate(tasks) if task.action == "since")
    assert tasks[since - 1].sends
    assert progress_with(Progress(), Lesson("classic", since).guide).lessons == {"classic": since - 1}


def test_what_is_remembered_is_the_place_and_at_the_end_that_it_was_taken() -> None:
    before = Progress(frozenset({"master"}), {"master": 0})
    count = len(find_course("classic").tasks)
    assert progress_with(before, Lesson("classic", 5).guide) == Progress(before.learned, {"master": 0, "classic": 5})
    assert progress_with(before, Lesson("classic", count - 1).guide) == Progress(
        frozenset({"master", "classic"}), {"master": 0, "classic": 0}
    )
