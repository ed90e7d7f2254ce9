"""The review on the end page: found in the bots' process while one looks, shown with boards, left at any time."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from textual.containers import VerticalScroll
from textual.pilot import Pilot

from tests.brokers import PATIENCE
from wasabi_tx.games.bot_process import WorkerProcess
from wasabi_tx.games.review import ReviewWish, lucky_draws, review_turns
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.ending import EndPage
from wasabi_tx.tui.screens.review import ReviewPage
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.view.review import review_view

from .memory_games import MemoryGames, played, seats
from .on_screen import screen_words

FEW = 4
"""Worlds: enough to find something, and quick."""


def over(edition: str = "short-classic") -> WasabiApp:
    """Return a finished game whose first player played at random."""
    games = MemoryGames()
    opened = games.take_up(*played(10_000, edition, seats(1, 1), "review", careful=False))
    return WasabiApp(games, opened=opened, language="en")


async def open_review(app: WasabiApp, pilot: Pilot[None]) -> ReviewPage:
    await pilot.pause()
    page = app.screen
    assert isinstance(page, EndPage)
    assert page.review is not None
    page.review = replace(page.review, worlds=FEW)
    await pilot.press("r")
    await pilot.pause()
    assert isinstance(app.screen, ReviewPage)
    return app.screen


async def until_done(page: ReviewPage, pilot: Pilot[None]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not page.view.done and not page._problem:
            await pilot.pause(0.01)


@pytest.mark.parametrize("edition", ["short-classic", "short-master"])
@pytest.mark.long
async def test_a_review_is_opened_from_the_end_and_shows_what_was_better(edition: str) -> None:
    app = over(edition)
    async with app.run_test(size=(80, 24)) as pilot:
        page = await open_review(app, pilot)
        assert f"of {page.view.count} turns" in screen_words(app), "how far it is"
        await until_done(page, pilot)
        wish = page._wish
        turns, draws = review_turns(wish.game, wish.seat, FEW), lucky_draws(wish.game, wish.seat)
        assert page.view == review_view(wish, list(turns), list(draws), Texts("en")), "the same as here"
        assert 1 < len(page.view.points) <= 3
        assert "Better:" in screen_words(app)
        first = screen_words(app)
        await pilot.press("enter")
        await pilot.pause()
        assert page.at == 1
        assert screen_words(app) != first
        await pilot.press("left", "left")
        assert page.at == len(page.view.points) - 1
        for size in ((120, 40), (40, 15), (100, 32), (200, 50)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert "Better:" in screen_words(app)
            assert max(map(len, screen_words(app).splitlines())) <= size[0]
        await pilot.press("t")
        await pilot.pause()
        table, turn = app.screen, page.view.points[page.at].turn
        assert isinstance(table, TableScreen), "that turn can be played again"
        assert (table.opened.game.position.turn, table.followed.my_turn) == (turn, True)
        await pilot.press("q", "enter")
        await pilot.pause()
        assert app.screen is page
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, EndPage)


@pytest.mark.long
async def test_every_word_of_a_review_can_be_read_in_the_smallest_window() -> None:
    app = over()
    async with app.run_test(size=(40, 15)) as pilot:
        page = await open_review(app, pilot)
        await until_done(page, pilot)
        await pilot.pause()
        words = page.query_one("#told", VerticalScroll)
        assert words.show_vertical_scrollbar
        reason = page.view.points[0].reasons[-1].split()[-1]
        assert reason not in screen_words(app)
        await pilot.press("end")
        await pilot.wait_for_animation()
        assert reason in screen_words(app)
        await pilot.press("enter")
        await pilot.pause()
        assert (page.at, words.scroll_y) == (1, 0), "another turning point begins at its first words"


async def test_a_review_can_be_left_at_any_time_and_its_process_ends() -> None:
    app = over()
    async with app.run_test(size=(80, 24)) as pilot:
        page = await open_review(app, pilot)
        async with asyncio.timeout(PATIENCE):
            while (worker := page._thinker._worker) is None:
                await pilot.pause(0.01)
        assert isinstance(worker, WorkerProcess)
        assert not page.view.done
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, EndPage)
        async with asyncio.timeout(PATIENCE):
            await worker.process.wait()


async def test_a_game_without_our_recipes_cannot_be_reviewed_and_the_page_says_so() -> None:
    games = MemoryGames()
    _, transcript = played(10_000, "short-classic", seats(1, 1), "review", careful=False)
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        page = ReviewPage(ReviewWish(replace(transcript.record, faces={}), 0, FEW), Texts("en"))
        await app.push_screen(page)
        await until_done(page, pilot)
        assert "This game cannot be reviewed" in screen_words(app)


async def test_a_review_whose_process_dies_says_so() -> None:
    app = over()
    async with app.run_test(size=(80, 24)) as pilot:
        page = await open_review(app, pilot)
        async with asyncio.timeout(PATIENCE):
            while (worker := page._thinker._worker) is None:
                await pilot.pause(0.01)
        assert isinstance(worker, WorkerProcess)
        worker.process.kill()
        await until_done(page, pilot)
        assert "The review has stopped" in screen_words(app)
