"""The keyboard: keys that arrive together are taken in their order, and a typed line can be edited."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.pilot import Pilot

from tests.brokers import PATIENCE
from wasabi_tx.app.settings import Settings
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.widgets.table.action_bar import ActionBar
from wasabi_tx.turn.plan import Plan

from .memory_games import MemoryGames, app_at
from .on_screen import table_of
from .scripted import ScriptedGame, at_table

NAMES = {":": "colon", " ": "space", "\n": "ctrl+j", "\r": "enter", ";": "semicolon", "!": "exclamation_mark"}


async def arrive(pilot: Pilot[None], text: str) -> None:
    """Send all keys together, as a program or a slow connection does."""
    for char in text:
        pilot.app.post_message(events.Key(NAMES.get(char, char), char))
    await pilot.pause()


def planned(app: WasabiApp) -> Plan:
    plan = table_of(app).followed.plan
    assert plan is not None
    return plan


def placing(plan: Plan) -> str:
    """Return the keys that place the first tile on the first free square."""
    code = plan.rules.code(plan.hand.tiles[1])
    return f"place {code} {plan.rules.grid.names[plan.draft.position.board.free.index(1)]}"


@pytest.mark.parametrize("end", ["\n", "\r"])
async def test_a_line_that_arrives_at_once_is_one_line(end: str) -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        plan = planned(app)
        await arrive(pilot, f":{placing(plan)}{end}")
        assert [step.verb for step in plan.draft.steps] == ["place"]
        assert (plan.typed, plan.message) == ("", "")
        assert app.screen is table_of(app), "no letter of it was a command"


async def test_what_arrives_after_the_line_is_taken_after_it() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        plan = planned(app)
        await arrive(pilot, f":{placing(plan)}\r:undo\r:{placing(plan)}\r:nonsense\r")
        assert [step.verb for step in plan.draft.steps] == ["place"]
        assert plan.wrong


async def test_talk_that_arrives_at_once_is_one_line() -> None:
    async with at_table(ScriptedGame(seat=1)) as seen:
        await arrive(seen.pilot, "tquit now!\r")
        await seen.until(lambda: bool(seen.game.asked))
        assert seen.game.asked == [("say", "quit now!")]
        assert seen.app.screen is seen.table


async def test_a_line_has_a_cursor_and_can_be_edited_anywhere() -> None:
    async with at_table(ScriptedGame(seat=1)) as seen:
        await seen.press("t", *"one three", "ctrl+left", *"two ", "home", "delete", *"O", "end", *"!?", "backspace")
        line = seen.table.line
        assert (line.value, line.cursor_position) == ("One two three!", 14)
        await seen.press("ctrl+w", "ctrl+w", *"four", "left", "left", "enter")
        await seen.until(lambda: bool(seen.game.asked))
        assert seen.game.asked == [("say", "One four")]


async def test_a_burst_is_edited_in_its_order() -> None:
    async with at_table(ScriptedGame(seat=1)) as seen:
        for key in ("t", "a", "b", "backspace", "c", "home", "x", "enter"):
            seen.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await seen.until(lambda: bool(seen.game.asked))
        assert seen.game.asked == [("say", "xac")]


async def test_the_line_is_typed_where_it_is_drawn_at_any_size() -> None:
    async with at_table(ScriptedGame(seat=1)) as seen:
        await seen.press("t")
        line = seen.table.line
        for width, height in ((80, 24), (120, 40), (40, 15), (80, 24)):
            await seen.pilot.resize_terminal(width, height)
            await seen.pilot.pause()
            assert line.region.y == seen.table.query_one(ActionBar).region.y, "in the action bar"
            assert (line.region.x, line.region.right) == (2 + len("say: "), width - 1)
        await seen.press("escape")
        assert line.region.width == 0
        assert seen.app.focused is line, "and it takes the next key"


async def test_keys_of_a_line_do_what_the_screen_says_while_there_is_none() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        plan = planned(app)
        before = plan.cursor
        await pilot.press("left", "right", "home", "end", "delete", "left")
        assert plan.cursor == before - 1
        assert table_of(app).line.value == ""


async def test_a_name_that_arrives_at_once_is_one_name() -> None:
    app = WasabiApp(MemoryGames(preferred=Settings()), language="en", newcomer="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for key in (*"qt", "enter", "enter"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        async with asyncio.timeout(PATIENCE):
            while not isinstance(app.screen, HomeScreen):
                await pilot.pause()
        assert app.settings.name == "qt"
