"""Learn: following the screen completes a lesson on the real table, and nothing else breaks it."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from textual.pilot import Pilot

from wasabi_tx.app.settings import Settings
from wasabi_tx.games.local import LocalGame
from wasabi_tx.lessons.course import COURSES, find_course
from wasabi_tx.lessons.guide import Guide, with_tiles
from wasabi_tx.lessons.progress import Progress
from wasabi_tx.text import Texts
from wasabi_tx.text.marks import unmarked
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.bindings import ACTIONS, BY_ID, shown_keys
from wasabi_tx.tui.canvas import Canvas
from wasabi_tx.tui.draw.sheet import Means
from wasabi_tx.tui.paints import Paints
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.textual_theme import textual_theme
from wasabi_tx.tui.views.board_view import ingredients
from wasabi_tx.tui.widgets.painted import Painted
from wasabi_tx.tui.widgets.table.guide import paint_guide
from wasabi_tx.tui.widgets.table.hand import Hand
from wasabi_tx.tui.widgets.table.panel import TablePanel
from wasabi_tx.tui.widgets.table.pantry import Pantry
from wasabi_tx.turn.followed_game import FollowedGame

from .gate import Gate
from .learner import at_home, do_task, guide_words, keys_in, settle, step_in
from .memory_games import MemoryGames
from .on_screen import screen_words, shown, table_of
from .party import until

GUIDES = {(80, 24): (80, 3), (40, 15): (40, 4), (120, 40): (64, 8), (200, 50): (56, 11)}
"""Room for the guide in a terminal."""


def _newcomer() -> MemoryGames:
    return MemoryGames(reached=Progress())


def _at(course: str, task: int) -> MemoryGames:
    return MemoryGames(reached=Progress(lessons={course: task}))


@pytest.mark.long
async def test_from_the_first_start_to_the_first_recipe_and_to_the_end_by_reading_the_screen() -> None:
    games = _newcomer()
    app = WasabiApp(games, language="en", newcomer="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        assert isinstance(app.screen, FormPage)
        await pilot.press("enter")
        await settle(pilot)
        menu = screen_words(app)
        assert "Enter  Learn" in menu
        await pilot.press("enter")
        await settle(pilot)
        pressed, first = 2, 0
        while guide_words(app):
            pressed += await do_task(app, pilot)
            if not first and re.search(r"You +3[ ▴]", table_of(app).query_one("#players", Painted).words):
                # The points of the first recipe have been counted.
                first = pressed
        assert 0 < first <= 40
        assert pressed <= 250
        assert (first, pressed) == (8, 69), "fewer are welcome, and more would be worth a thought"
        assert isinstance(table_of(app).opened.game, LocalGame)
        assert games.reached == Progress(frozenset({"classic"}), {"classic": 0})


async def _do_two_tasks(app: WasabiApp, pilot: Pilot[None]) -> None:
    """Open the course from home and do its next two tasks."""
    await pilot.press("enter")
    await settle(pilot)
    await do_task(app, pilot)
    await do_task(app, pilot)


def _last_before_another_table(course: str) -> list[int]:
    """Return the numbers of the tasks that complete a recipe and are followed by another table."""
    tasks = find_course(course).tasks
    return [
        at
        for at, (task, following) in enumerate(pairwise(tasks))
        if task.chooses and task.goal[-1].verb == "claim" and following.position is not task.position
    ]


@pytest.mark.parametrize("task", _last_before_another_table("classic"))
async def test_a_recipe_of_a_lesson_is_celebrated_on_the_board_where_it_was_made(task: int) -> None:
    games = replace(_at("classic", task), preferred=Settings(bell=False, notes=False))
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await settle(pilot)
        gate, table = Gate.at(app, pilot), table_of(app)
        position = find_course("classic").tasks[task].position
        await pilot.press(*keys_in(guide_words(app)))
        while not table.moving.celebrates:
            await gate.next()
        flash = table.moving.motion.flash
        assert flash is not None
        assert table.opened.game.position is position
        assert f"✓ {flash.recipe}"[:20] in shown(app, "recipes")
        await pilot.press("enter")
        await settle(pilot)
        assert table.opened.game.position is not position


async def test_leaving_asks_nothing_and_keeps_the_place() -> None:
    games = _newcomer()
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await _do_two_tasks(app, pilot)
        await pilot.press("q")
        await settle(pilot)
        assert at_home(app)
        assert games.reached == Progress(frozenset(), {"classic": 2})
        await pilot.press("enter")
        await settle(pilot)
        assert step_in(guide_words(app)) == (1, 3)


async def test_home_offers_the_course_first_until_it_was_taken_and_both_afterwards() -> None:
    games = _at("classic", len(find_course("classic").tasks) - 2)
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await _do_two_tasks(app, pilot)
        assert isinstance(table_of(app).opened.game, LocalGame)
        await pilot.press("q", "enter")
        await settle(pilot)
        menu = screen_words(app)
        assert "Enter  Continue with" in menu
        assert menu.index("Play now") < menu.index("Learn")
        await pilot.press("l", "down", "enter")
        await settle(pilot)
        assert isinstance(app.screen, TableScreen)
        assert app.screen.opened.game.rules.edition.id == "master"


async def test_what_a_task_is_about_is_lit_and_the_rest_steps_back() -> None:
    app = WasabiApp(_at("classic", 2), language="en", lesson="classic")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        lit = [panel.id for panel in app.screen.query(TablePanel) if panel.is_lit]
        assert [name for name in ("hand", "recipes", "pantry", "header") if name in lit] == ["hand"]
        dark = app.screen.query_one(Pantry).canvas
        table_of(app).begin(MemoryGames().open("classic", table_of(app).opened.game.players, "any"))
        await settle(pilot)
        bright = app.screen.query_one(Pantry).canvas
        assert _light(bright.pixels) > _light(dark.pixels)


def _light(rows: list[list[int]]) -> int:
    return sum(sum((colour >> shift) & 255 for shift in (0, 8, 16)) for row in rows for colour in row)


async def test_without_colours_what_steps_back_is_dim() -> None:
    games = _at("classic", 2)
    games.preferred = Settings(theme="monochrome", reduced_motion=True, bell=False)
    app = WasabiApp(games, language="en", lesson="classic")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        pantry, hand = app.screen.query_one(Pantry).canvas, app.screen.query_one(Hand).canvas
        dim = [any(segment.style and segment.style.dim for segment in one.strip(0)) for one in (pantry, hand)]
        assert dim == [True, False]


async def test_other_keys_of_the_settings_are_shown() -> None:
    games = _at("classic", 27)
    games.preferred = Settings(reduced_motion=True, bell=False, keys={"book": "f9"})
    app = WasabiApp(games, language="en", lesson="classic")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert keys_in(guide_words(app)) == ["F9", "escape"]


@pytest.mark.grid
@pytest.mark.parametrize("course", COURSES)
@pytest.mark.parametrize("size", GUIDES)
async def test_the_guide_has_this_room(course: str, size: tuple[int, int]) -> None:
    async with WasabiApp(_at(course, 0), language="en", lesson=course).run_test(size=size) as pilot:
        await settle(pilot)
        assert pilot.app.screen.query_one("#guide").size >= GUIDES[size]


@pytest.mark.parametrize("course", COURSES)
@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("size", GUIDES)
def test_every_sentence_and_every_mistake_fits(course: str, language: str, size: tuple[int, int]) -> None:
    found, texts = find_course(course), Texts(language)
    edition, (width, height) = found.rules.edition, GUIDES[size]
    keys = {one.id: shown_keys(one, {}, texts)[0] for one in ACTIONS}
    means = Means(Paints(textual_theme(MemoryGames().themes()[0][0]), "letters"), texts, ingredients(edition), {}, keys)
    for number, task in enumerate(found.tasks):
        guide = Guide(found, "Ana", "Udon", number)
        view = guide.view(texts, FollowedGame(guide.game, texts))
        words = unmarked(with_tiles(task.instruction[language], found.rules, texts))
        shown = _painted(paint_guide(view, means, width, height))
        assert words.replace(" ", "") in shown.replace(" ", "")
        assert len(keys_in(shown)) == sum(1 if press in BY_ID else len(press) for press in task.press)
        rows = _rows(paint_guide(view, means, width, height))
        assert keys_in(next(row for row in rows if texts.say("learn.press") in row)) == keys_in(shown), "in one row"
        if task.wrong is not None:
            mistaken = replace(view, mistake=task.wrong[language])
            again = _painted(paint_guide(mistaken, means, width, height))
            assert task.wrong[language].replace(" ", "") in again.replace(" ", "")
            assert keys_in(again) == keys_in(shown)


def test_a_mistake_has_rows_of_its_own() -> None:
    found, texts = find_course("classic"), Texts("en")
    guide = Guide(found, "Ana", "Udon", 3)
    view = replace(guide.view(texts, FollowedGame(guide.game, texts)), mistake="Not yet.")
    means = Means(
        Paints(textual_theme(MemoryGames().themes()[0][0]), "letters"), texts, ingredients(found.rules.edition), {}, {}
    )
    assert _rows(paint_guide(view, means, 80, 3)) == [
        "Lesson 1 of 6 · A first turn 4/8 Not yet.",
        "All three are in one line. Complete the recipe: three points! Press Enter",
        "",
    ]


def test_the_keys_are_shown_however_much_there_is_to_say() -> None:
    found, texts = find_course("classic"), Texts("en")
    guide = Guide(found, "Ana", "Udon", 3)
    view = replace(guide.view(texts, FollowedGame(guide.game, texts)), words="word " * 40)
    means = Means(
        Paints(textual_theme(MemoryGames().themes()[0][0]), "letters"), texts, ingredients(found.rules.edition), {}, {}
    )
    rows = _rows(paint_guide(view, means, 40, 4))
    assert rows[0] == "1 · 4/8 word word word word word"
    assert rows[3] == "Press Enter"


def _rows(canvas: Canvas) -> list[str]:
    return [" ".join(canvas.words(y).replace("▌", " ").split()) for y in range(canvas.height)]


def _painted(canvas: Canvas) -> str:
    return " ".join(" ".join(_rows(canvas)).split())


def _bar(app: WasabiApp) -> str:
    return " ".join(table_of(app).query_one("#bar", Painted).words.replace("▌", " ").split())


@pytest.mark.parametrize(
    ("course", "task", "bar"),
    [
        ("classic", 0, "Enter Go on"),
        ("classic", 2, "Place a tile: 1 Cr 2 Cu 3 To p pass"),
        ("classic", 3, "Complete a recipe? Enter Complete I Eel Good 0 not now for 3 points"),
        ("classic", 4, "Your reward, take a card: Chop! Spicy! Stack! Switch! Wasabi!"),
        ("classic", 6, "Draw which length? 2 3 4 5"),
        ("classic", 7, "Your turn is complete. Enter Draw the recipe This can't be undone."),
        ("classic", 34, "The game is over. Enter Play a real game"),
        ("master", 15, "Enter Play a real game"),
    ],
)
async def test_the_button_says_what_the_lesson_asks_for_or_is_not_there(course: str, task: int, bar: str) -> None:
    app = WasabiApp(_at(course, task), language="en", lesson=course)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert _bar(app) == bar


@pytest.mark.parametrize("language", ["en", "it"])
async def test_the_card_that_a_lesson_asks_for_is_listed(language: str) -> None:
    tasks = find_course("classic").tasks
    wasabi = next(number for number, task in enumerate(tasks) if task.press == ("Wa",))
    app = WasabiApp(_at("classic", wasabi), language=language, lesson="classic")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Wasabi!" in _bar(app)


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_hint_can_be_read_whole_until_a_key_is_pressed(language: str, size: tuple[int, int]) -> None:
    at = next(number for number, task in enumerate(find_course("classic").tasks) if task.action == "hint")
    app = WasabiApp(_at("classic", at), language=language, lesson="classic")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        place = step_in(guide_words(app))
        await pilot.press("i")
        plan = table_of(app).followed.plan
        assert plan is not None
        await until(pilot, lambda: len(plan.said) > 2)
        await settle(pilot)
        assert plan.message in guide_words(app)
        assert step_in(guide_words(app)) == place
        assert Texts(language).say("bar.go") in _bar(app)
        await do_task(app, pilot)
        assert step_in(guide_words(app)) == (place[0], place[1] + 1)


async def test_what_happened_is_shown_where_something_has_happened() -> None:
    at = next(number for number, task in enumerate(find_course("classic").tasks) if task.action == "since")
    app = WasabiApp(_at("classic", at - 1), language="en", lesson="classic")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await do_task(app, pilot)
        assert len(table_of(app).followed.frames_since) > 1
        assert keys_in(guide_words(app)) == ["y", "escape"]
