"""Puzzles on the screen: solved by keys, one after the other, from home or straight from the command."""

from __future__ import annotations

import re

from textual.pilot import Pilot

from wasabi_tx.engine.editions.master.steps import ACTION_LENGTH
from wasabi_tx.lessons.progress import Progress
from wasabi_tx.puzzles.judge import today
from wasabi_tx.puzzles.puzzle import Puzzle, count_of, find_puzzle, puzzles_from, puzzles_of_day
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.screens.page import ListPage
from wasabi_tx.tui.screens.table.screen import TableScreen

from .learner import guide_words, settle
from .memory_games import MemoryGames
from .on_screen import screen_words, shown, table_of


async def _solve(app: WasabiApp, pilot: Pilot[None], puzzle: Puzzle) -> None:
    """Type the best turn and end it."""
    for step in puzzle.best:
        plan = table_of(app).followed.plan
        assert plan is not None
        assert plan.add(step) or plan.add(step)
    await pilot.press("space")
    await settle(pilot)


def _words(app: WasabiApp) -> str:
    return " ".join(guide_words(app).replace("▌", " ").split())


async def test_a_puzzle_is_solved_shared_and_followed_by_the_next() -> None:
    app = WasabiApp(MemoryGames(), language="en", puzzles=puzzles_from("classic", 2))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert _words(app).startswith("Puzzle classic 2 Find the best turn")
        await _solve(app, pilot, find_puzzle("classic", 2))
        assert _words(app).startswith("Puzzle classic 2 ★★★ The best turn: ")
        assert "This turn is over." in shown(app, "bar")
        await pilot.press("enter")
        await settle(pilot)
        assert _words(app).startswith("Puzzle classic 3 Find the best turn")
        assert app.shared == ["Wasabi TX puzzle classic 2 ★★★"]


async def test_a_worse_turn_is_told_what_the_best_gains_and_enter_shows_it() -> None:
    puzzle = find_puzzle("classic", 1)
    app = WasabiApp(MemoryGames(), language="en", puzzles=iter([puzzle]))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("p", "6", "enter")
        await settle(pilot)
        assert "☆☆☆ You gain 0 points; the best turn gains 5 points. Press Enter for the solution" in _words(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "The best turn gains 5 points: " in _words(app)
        plan = table_of(app).followed.plan
        assert plan is not None
        assert plan.draft.steps == puzzle.best
        await pilot.press("enter")
        await settle(pilot)
        assert app.shared == ["Wasabi TX puzzle classic 1 ☆☆☆"]
    assert app.return_code == 0, "after the last puzzle whoever came for puzzles leaves"


async def test_the_button_goes_on_although_the_turn_has_earned_a_card() -> None:
    puzzles = (find_puzzle("master", number) for number in range(1, count_of("master") + 1))
    puzzle = next(one for one in puzzles if one.rules.edition.recipes[one.best[-1].args[1]].length == ACTION_LENGTH)
    app = WasabiApp(MemoryGames(), language="en", puzzles=iter([puzzle]))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        plan = table_of(app).followed.plan
        assert plan is not None
        await pilot.press(*min(plan.offered_codes), "enter", "0")
        await settle(pilot)
        assert "Press Enter for the solution" in _words(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "The best turn gains" in _words(app)
        plan = table_of(app).followed.plan
        assert plan is not None
        assert plan.draft.steps == puzzle.best
        assert plan.moment.prompt.slot not in ("end", "send"), "it could go on with that card"
        assert shown(app, "bar").split() == ["▌", "This", "turn", "is", "over.", "Enter", "Go", "on"]


async def test_after_a_mistake_one_tries_again() -> None:
    puzzle = find_puzzle("classic", 1)
    app = WasabiApp(MemoryGames(), language="en", puzzles=iter([puzzle]))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("p", "6", "enter")
        await settle(pilot)
        assert "try again" in shown(app, "keys")
        await pilot.press("backspace")
        await settle(pilot)
        assert "Find the best turn" in _words(app)
        await _solve(app, pilot, puzzle)
        assert "★★★" in _words(app)
        assert app.shared == ["Wasabi TX puzzle classic 1 ☆☆☆"], "the first turn counts"


async def test_home_leads_to_the_puzzle_of_the_day_and_keeps_its_stars() -> None:
    games = MemoryGames()
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("p")
        await settle(pilot)
        assert isinstance(app.screen, ListPage)
        await pilot.press("enter")
        await settle(pilot)
        daily = next(puzzles_of_day("classic", today()))
        assert _words(app).startswith(f"Puzzle {daily.name} ")
        await _solve(app, pilot, daily)
        assert games.reached is not None
        assert games.reached.puzzles == {daily.name: 3}
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)


async def test_a_puzzle_in_italian_and_of_the_other_edition() -> None:
    app = WasabiApp(MemoryGames(), language="it", puzzles=puzzles_from("master", 1))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert _words(app).startswith("Rompicapo master 1 Trova il turno migliore")
        await _solve(app, pilot, find_puzzle("master", 1))
        assert re.search(r"★★★ Il turno migliore: \d+ punti", _words(app))


async def test_who_knows_the_game_says_so_with_one_key() -> None:
    games = MemoryGames(reached=Progress())
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Enter  Learn" in screen_words(app)
        assert "n I know the game" in screen_words(app)
        await pilot.press("n")
        await settle(pilot)
        assert "Enter  Play now" in screen_words(app)
        assert "I know the game" not in screen_words(app)
        assert games.reached == Progress(frozenset({"classic"}))
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, TableScreen)
