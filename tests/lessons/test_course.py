"""Courses: the packaged ones can be completed, and a bad file gets a message that says what is wrong."""

from __future__ import annotations

import re
from functools import reduce
from itertools import pairwise
from pathlib import Path

import pytest

import wasabi_tx.lessons.course as learn
from wasabi_tx.lessons.course import COURSES, LEARNER, MOST_WORDS, RIVAL, BadCourse, find_course, read_course

TEXT = (Path(learn.__file__).parent / "classic.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COURSES)
def test_every_course_is_played_to_its_end(name: str) -> None:
    course = find_course(name)
    assert course.tasks[0].before == ()
    assert course.tasks[-1].reads
    for task, following in zip(course.tasks, course.tasks[1:], strict=False):
        if following.position is task.position:
            assert following.before == task.goal
        elif task.sends:
            assert following.position is task.after or following.before == ()


@pytest.mark.parametrize("name", COURSES)
@pytest.mark.parametrize("language", ["en", "it"])
def test_a_task_has_at_most_25_words_with_its_keys(name: str, language: str) -> None:
    counts = [len(task.instruction[language].split()) + 1 + len(task.press) for task in find_course(name).tasks]
    assert max(counts) <= MOST_WORDS == 25


def test_the_first_edition_shows_every_card_once_and_every_idea() -> None:
    verbs = [step.verb for task in find_course("classic").tasks for step in task.goal[len(task.before) :]]
    for card in ("switch", "spicy", "stack", "chop", "wasabi", "pass"):
        assert verbs.count(card) == 1
    assert {task.action for task in find_course("classic").tasks} == {"", "hint", "book", "since"}
    last = [task.position for task in find_course("classic").tasks][-1]
    assert last.outcome is not None
    assert last.outcome.winners == (0,)


@pytest.mark.parametrize("name", COURSES)
def test_every_task_has_its_place_in_a_lesson_with_a_name(name: str) -> None:
    course = find_course(name)
    places = [course.reached(at) for at in range(len(course.tasks))]
    assert [place.lesson for place in places] == sorted(place.lesson for place in places)
    for lesson, (title, tasks) in enumerate(course.lessons, 1):
        steps = [place.step for place in places if place.lesson == lesson]
        assert steps == list(range(1, len(tasks) + 1))
        assert all(place.steps == len(tasks) and place.name == title for place in places if place.lesson == lesson)
    assert 3 < places[-1].lesson == places[0].lessons < 8
    with pytest.raises(IndexError):
        course.reached(len(course.tasks))


@pytest.mark.parametrize("name", COURSES)
def test_a_course_tells_one_game(name: str) -> None:
    """The learner must not think that something broke: the text says that time has passed, and gains stay."""
    course = find_course(name)
    for task, following in pairwise(course.tasks):
        before = reduce(course.rules.apply, task.goal, task.position)
        after = reduce(course.rules.apply, following.before, following.position)
        assert after.turn >= task.position.turn
        assert after.seats[LEARNER].score >= before.seats[LEARNER].score
        assert after.seats[RIVAL].score >= before.seats[RIVAL].score
        assert after.seats[LEARNER].claimed[: len(before.seats[LEARNER].claimed)] == before.seats[LEARNER].claimed
        if following.position is not task.position and following.position is not task.after:
            assert re.match(r"(Some|Many) turns later\.|Your next turn\.", following.instruction["en"])
            assert re.match(r"(Qualche turno|Molti turni) dopo\.|Al turno successivo\.", following.instruction["it"])


def test_the_course_of_the_second_edition_is_the_shorter_one() -> None:
    assert len(find_course("master").tasks) < len(find_course("classic").tasks) / 2


def test_there_is_no_other_course() -> None:
    with pytest.raises(KeyError):
        find_course("../classic")


def _changed(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "where", "code"),
    [
        ("edition = ", "line 1", "toml"),
        ('edition = "classic"\nplayers = 2\n', "course", "keys"),
        (_changed("players = 2", "players = 9"), "course", "edition"),
        (_changed('edition = "classic"', 'edition = "sushi"'), "course", "edition"),
        (_changed("turn: 9, seat 1", "turn: 9, seat 2"), "chapter 1", "position"),
        (_changed("1    .  .  Sc .  Sh", "1    .  .  Xx .  Sh"), "chapter 1", "position"),
        (_changed("position = '''", "situation = '''"), "chapter 1", "keys"),
        (re.sub(r"(?m)^name = .*\n", "", TEXT, count=1), "chapter 1", "no-name"),
        (_changed('name = { en = "A first turn", it', 'name = { en = "A first turn", xx'), "chapter 1", "name"),
        (_changed("Your recipes are listed last", "word " * 20), "chapter 1, task 2", "words"),
        (_changed("recipes radish-decision the-odd-couple green-dragon", "recipes 2.0 3.0 4.0"), "chapter 1", "faces"),
        (_changed('lit = "recipes"', 'lit = "recipe"'), "chapter 1, task 1", "lit"),
        (_changed('lit = "recipes"', 'lit = "z9"'), "chapter 1, task 1", "lit"),
        (_changed('press = "accept"', 'press = "x"'), "chapter 1, task 1", "press"),
        (_changed('press = "2 c 4"', "press = 2"), "chapter 1, task 3", "press"),
        (_changed("Your first recipe", "{Zz} is a first recipe"), "chapter 1, task 1", "say"),
        (_changed("Your first recipe", "{} is a first recipe"), "chapter 1, task 1", "say"),
        (_changed("Your first recipe", "word " * 20), "chapter 1, task 1", "words"),
        (re.sub(r"(?m)^it = .*\n", "", TEXT, count=1), "chapter 1, task 1", "say"),
        (_changed('do = "place Cu c4"', 'do = "place Cu c2"'), "chapter 1, task 3", "do"),
        (_changed('do = "place Cu c4"', 'do = "claim tekkamaki"'), "chapter 1, task 3", "do"),
        (_changed('do = "place Cu c4"', 'do = "sing"'), "chapter 1, task 3", "do"),
        (_changed('do = "place Cu c4"', 'does = "place Cu c4"'), "chapter 1, task 3", "keys"),
        (_changed('do = "draw 3"', 'open = "book"'), "chapter 1, task 7", "keys"),
        (_changed('reply = "place Av d3; tile Ri"', 'reply = "place Av d3"'), "chapter 1, task 8", "reply"),
        (_changed('reply = "place Av d3; tile Ri"\n', ""), "chapter 1, task 8", "reply"),
    ],
)
def test_a_course_that_cannot_be_taken_says_where_and_why(text: str, where: str, code: str) -> None:
    with pytest.raises(BadCourse) as bad:
        read_course("mine", text)
    assert (bad.value.where, bad.value.code) == (where, code)


def test_a_first_chapter_without_a_position_is_refused() -> None:
    text = re.sub(r"position = '''.*?'''\n", "", TEXT, count=1, flags=re.DOTALL)
    with pytest.raises(BadCourse) as bad:
        read_course("mine", text)
    assert (bad.value.where, bad.value.code) == ("chapter 1", "no-position")
