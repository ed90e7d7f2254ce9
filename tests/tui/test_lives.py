"""The life of a table's screen: keys in bursts are taken in order, and it can be left or resized at any moment."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from textual import events
from textual.geometry import Size

from wasabi_tx.app.settings import Settings
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.replay import ReplayScreen
from wasabi_tx.tui.screens.table.screen import TableScreen

from .memory_games import MemoryGames, app_at, seats
from .on_screen import shown, table_of, table_words

SIZES = [(1, 1), (39, 14), (40, 15), (41, 22), (60, 20), (79, 24), (80, 24), (96, 28), (100, 32), (120, 40), (160, 50)]
TABLE_KEYS = (*"1234678abcdefg", "right", "down", "left", "up", "escape", "enter", "backspace", "v", "p")
REPLAY_KEYS = ("right", "left", "home", "end", "p", "l", "h", "v")


def key(name: str) -> events.Key:
    return events.Key(name, name if len(name) == 1 else None)


@pytest.mark.grid
@pytest.mark.parametrize("seed", range(4))
async def test_a_burst_at_the_table_does_what_the_same_keys_do_one_by_one(seed: int) -> None:
    keys = Random(f"table {seed}").choices(TABLE_KEYS, k=40)
    found = []
    for at_once in (True, False):
        app = app_at(8, seed="burst")
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            for name in keys:
                app.post_message(key(name))
                if not at_once:
                    await pilot.pause()
            await pilot.pause()
            plan = table_of(app).followed.plan
            assert plan is not None
            found.append((plan.draft.steps, plan.begun, plan.cursor, plan.typed, table_words(table_of(app))))
    assert found[0] == found[1]


@pytest.mark.grid
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.long
async def test_a_burst_at_a_replay_does_what_the_same_keys_do_one_by_one(seed: int) -> None:
    keys = Random(f"replay {seed}").choices(REPLAY_KEYS, k=30)
    found = []
    for at_once in (True, False):
        app = app_at(12, seed="burst")
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            app.open_frames(table_of(app).followed, lambda _: None)
            await pilot.pause()
            replay = app.screen
            assert isinstance(replay, ReplayScreen)
            for name in keys:
                app.post_message(key(name))
                if not at_once:
                    await pilot.pause()
            await pilot.pause()
            found.append((replay.at, replay.running))
            assert replay.table.header is not None
            assert replay.table.header.turn == replay.frames[replay.at].position.turn
    assert found[0] == found[1]


async def test_a_table_asks_for_the_first_move_at_once() -> None:
    app = app_at(8, seed="burst")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Place a tile" in shown(app, "bar"), "no event is needed for it"


async def turn_over(times: int) -> None:
    """Let the event loop run for some iterations."""
    for _ in range(times):
        await asyncio.sleep(0)


@pytest.mark.grid
@pytest.mark.parametrize("turns", [0, 1, 2, 3, 5, 8, 13, 21, 34, 55])
async def test_a_table_can_be_left_at_each_moment_of_its_life(turns: int) -> None:
    games = MemoryGames(Settings("en", reduced_motion=False, bell=False, notes=True))
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        home = app.screen
        table = TableScreen(games.open("classic", seats(1, 3), "left"))
        mounted = app.push_screen(table)
        await turn_over(turns)
        app.post_message(key("right"))
        await turn_over(turns)
        await mounted
        app.post_message(events.Resize(*[app.size] * 2))
        table.leaving.close_table()
        await turn_over(turns)
        table.refresh_table()
        table.draw_soon()
        while app.screen is not home:
            await pilot.pause()
        # What was on its way arrives at a screen that is gone.
        table.refresh_table()
        table.plan_changed()
        await pilot.pause()
        assert app.screen is home
    assert app._exception is None


@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.long
async def test_a_table_is_arranged_anew_as_often_as_one_likes(edition: str) -> None:
    random = Random(edition)
    app = app_at(14, seed="picture", edition=edition)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        table = table_of(app).table
        for _ in range(40):
            for size in random.sample(SIZES, 3):
                app.post_message(events.Resize(Size(*size), Size(*size)))
                await turn_over(random.randrange(12))
            app.post_message(key(random.choice(TABLE_KEYS)))
            await turn_over(random.randrange(12))
        await pilot.resize_terminal(120, 40)
        while table.size != (120, 40) or table.arranging:
            await pilot.pause()
        assert {one.id for one in table.query("#hand, #board, #kitchen, #story, #players")} == {
            "hand", "board", "kitchen", "story", "players",
        }  # fmt: skip
        assert app.focused is table_of(app).line
    assert app._exception is None


@pytest.mark.long
async def test_the_keys_go_on_while_the_table_is_arranged() -> None:
    app = app_at(8, seed="burst")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        plan = table_of(app).followed.plan
        assert plan is not None
        await pilot.press("1")
        for name, size in (("left", (120, 40)), ("right", (40, 15)), ("right", (200, 50)), ("down", (80, 24))):
            before = plan.cursor
            app.post_message(events.Resize(Size(*size), Size(*size)))
            app.post_message(key(name))
            await pilot.pause()
            assert plan.begun
            assert plan.cursor != before
