"""Keys that arrive all at once do what they do one by one, also where they close a page or end a line.

`test_every_screen.py` has the laws of every screen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from textual import events
from textual.pilot import Pilot

from wasabi_tx.app.settings import Settings
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.page import ListPage

from .cell_scenes import SCENES
from .memory_games import MemoryGames, app_at, played, seats
from .on_screen import screen_words

QUIET = Settings(reduced_motion=True, bell=False, notes=False)


def at_home() -> WasabiApp:
    return WasabiApp(MemoryGames(QUIET), language="en")


def newcomer() -> WasabiApp:
    return WasabiApp(MemoryGames(QUIET), language="en", newcomer="Ana")


def at_table() -> WasabiApp:
    return app_at(8, settings=QUIET)


def over() -> WasabiApp:
    games = MemoryGames(QUIET)
    opened = games.take_up(*played(10_000, "short-classic", seats(1, 1), "over"))
    return WasabiApp(games, opened=opened, language="en")


Case = tuple[Callable[[], WasabiApp], tuple[str, ...], tuple[str, ...]]
BURSTS: dict[str, Case] = {
    "form": (at_home, ("2",), ("down", "right", "right", "down", "j", "l", "k", "left", "tab", "space")),
    "form-left": (at_home, ("2",), ("right", "down", "left", "escape")),
    "name": (newcomer, (), ("B", "o", "enter", "down", "right", "down", "right")),
    "name-dropped": (newcomer, (), ("B", "o", "escape", "down", "l")),
    "settings": (at_home, ("f2",), ("C", "y", "enter", "down", "down", "right", "enter")),
    "themes": (at_table, ("f3",), ("down", "down", "up", "down", "enter")),
    "themes-left": (at_table, ("f3",), ("down", "down", "escape")),
    "book": (at_table, ("r",), ("s", "a", "l", "backspace", "tab", "pagedown")),
    "book-left": (at_table, ("r",), ("s", "a", "escape", "escape")),
    "home": (at_home, (), ("down", "down", "up", "tab", "p")),
    "list": (at_table, ("q",), ("down", "down", "up", "escape")),
    "ending": (over, (), ("down", "pagedown", "home", "b")),
}


async def settle(pilot: Pilot[None]) -> None:
    for _ in range(4):
        await pilot.pause()


async def outcome(case: Case, *, at_once: bool) -> tuple[str, Settings]:
    build, opening, keys = case
    app = build()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key in opening:
            await pilot.press(key)
            await settle(pilot)
        for key in keys:
            if at_once:
                app.post_message(events.Key(key, key if len(key) == 1 else None))
            else:
                await pilot.press(key)
                await settle(pilot)
        await settle(pilot)
        return screen_words(app), app.settings


@pytest.mark.usefixtures("looked_at")
@pytest.mark.parametrize("name", BURSTS)
async def test_keys_that_arrive_together_do_what_they_do_one_by_one(name: str) -> None:
    assert await outcome(BURSTS[name], at_once=True) == await outcome(BURSTS[name], at_once=False)


@pytest.mark.parametrize("keys", [("2",), ("f2",), ("f3",), ("question_mark",), ("p",)])
async def test_a_screen_can_be_left_before_it_was_drawn(keys: tuple[str, ...]) -> None:
    app = at_home()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for _ in range(3):
            for key in (*keys, "escape"):
                app.post_message(events.Key(key, key if len(key) == 1 else None))
        app.post_message(events.Key(keys[0], keys[0] if len(keys[0]) == 1 else None))
        await pilot.resize_terminal(40, 15)
        await settle(pilot)


MOMENTS = (0, 1, 2, 3, 5, 8, 13, 21, 34)
"""Turns of the loop after which a screen is closed."""


@pytest.mark.long
@pytest.mark.parametrize("turns", MOMENTS)
@pytest.mark.parametrize("name", ["home-online", "lobby", "room", "review", "invite", "host", "book"])
async def test_a_screen_can_be_left_while_a_page_closes_over_it(name: str, turns: int) -> None:
    async with SCENES[name](QUIET) as pilot:
        app = pilot.app
        assert isinstance(app, WasabiApp)
        page = ListPage("numbers", [("1", "1")])
        app.push_screen(page)
        for _ in range(turns):
            await asyncio.sleep(0)
        app.settings = replace(app.settings, theme="hinoki", glyphs="ascii", language="it")
        app.pop_screen()
        await pilot.resize_terminal(41, 16)
        for _ in range(turns):
            await asyncio.sleep(0)
        if len(app.screen_stack) > 1:
            app.pop_screen()
        await settle(pilot)
