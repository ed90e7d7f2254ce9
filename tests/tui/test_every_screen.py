"""Laws of every screen: bursts of keys, any size, wheel and scrollbars, and a life that may end at each moment."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from textual import events
from textual.app import App
from textual.command import CommandPalette
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input

from wasabi_tx.app.settings import Settings
from wasabi_tx.tui.app import WasabiApp

from .cell_scenes import SCENES
from .cells import known_places
from .every_screen import watched
from .on_screen import screen_words


def different() -> list[str]:
    """Return the first scene of each screen: those that show what no scene before them does."""
    found, seen = [], set[str]()
    for name in SCENES:
        places = set(known_places().get(name, ()))
        if not places <= seen:
            found.append(name)
            seen |= places
    return found


pytestmark = [pytest.mark.long, pytest.mark.parametrize("name", different())]
QUIET = Settings("en", reduced_motion=True, bell=False, notes=False)
KEYS = ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "tab", "shift+tab", "a", "g")
"""Keys that open and close nothing."""
SIZES = [(1, 1), (39, 14), (80, 8)]
HEIGHTS = (24, 18, 13, 10, 8, 7, 6, 5, 4, 3)
MOMENTS = (0, 2)
"""Turns of the loop after which a screen is closed."""


async def settle(pilot: Pilot[None]) -> None:
    for _ in range(4):
        await pilot.pause()


async def turn_over(times: int) -> None:
    """Let the event loop run for some iterations."""
    for _ in range(times):
        await asyncio.sleep(0)


def press(app: App[Any], key: str) -> None:
    app.post_message(events.Key(key, key if len(key) == 1 else None))


async def words_after(name: str, *, at_once: bool) -> str:
    async with SCENES[name](QUIET) as pilot:
        for key in Random(name).choices(KEYS, k=6):
            press(pilot.app, key)
            if not at_once:
                await settle(pilot)
        await settle(pilot)
        return screen_words(pilot.app)


async def test_a_burst_of_keys_does_what_they_do_one_by_one(name: str) -> None:
    if name == "palette":
        pytest.skip("Textual's own: what it finds moves the cursor while one types")
    assert await words_after(name, at_once=True) == await words_after(name, at_once=False)


async def test_a_screen_is_drawn_at_every_size_in_any_order(name: str) -> None:
    async with SCENES[name](QUIET) as pilot:
        app, screen, sizes = pilot.app, pilot.app.screen, Random(name).sample(SIZES, len(SIZES))
        for size in sizes:
            await pilot.resize_terminal(*size)
            assert screen_words(app).count("\n") == app.size.height - 1
        for size in (*sizes, (80, 24)):
            app.post_message(events.Resize(Size(*size), Size(*size)))
            await turn_over(size[0] % 13)
        await settle(pilot)
        assert app.screen is screen


async def test_a_screen_can_be_left_at_each_moment_of_its_life(name: str) -> None:
    with watched() as made:
        async with SCENES[name](QUIET) as pilot:
            app = pilot.app
            assert isinstance(app, WasabiApp)
            again = next(one.again for one in made if one.screen is app.screen)
            if isinstance(app.screen, CommandPalette):
                pytest.skip("Textual's own: it is closed by itself alone")
            below = app.screen
            for turns in MOMENTS:
                app.push_screen(again())
                await turn_over(turns)
                app.settings = replace(QUIET, theme="hinoki", glyphs="ascii", language="it") if turns % 2 else QUIET
                press(app, "down")
                app.post_message(events.Resize(Size(41, 16), Size(41, 16)))
                await turn_over(turns)
                app.pop_screen()
                await settle(pilot)
                assert app.screen is below


async def test_the_wheel_and_the_scrollbar_scroll_every_list(name: str) -> None:
    async with SCENES[name](QUIET) as pilot:
        lists = {one for one in pilot.app.screen.query("*") if scrolls(one) and one.is_on_screen}
        scrolled = set[Widget]()
        for height in HEIGHTS:
            await pilot.resize_terminal(80, height)
            await settle(pilot)
            for one in lists - scrolled:
                if one.is_attached and one.max_scroll_y and one.size.height:
                    await scroll(pilot, one)
                    scrolled.add(one)
        # A list that is always whole has nothing to scroll.
        assert scrolled or not lists


def scrolls(one: Widget) -> bool:
    return one.is_scrollable and one.styles.overflow_y in ("auto", "scroll") and not isinstance(one, Input)


async def scroll(pilot: Pilot[None], one: Widget) -> None:
    """Scroll a list to its end and back by the wheel, then drag its scrollbar."""
    app, middle = pilot.app, one.region.center
    for kind, end in ((events.MouseScrollDown, one.max_scroll_y), (events.MouseScrollUp, 0)):
        for _ in range(one.virtual_size.height):
            if one.scroll_y != end:
                # At the end of a review's words the wheel turns to the next point.
                app.post_message(kind(None, int(middle[0]), int(middle[1]), 0, 0, 0, False, False, False))
                await settle(pilot)
        assert one.scroll_y == end, (one, kind)
    x, y = one.vertical_scrollbar.region.offset
    await pilot.mouse_down(offset=(x, y))
    await pilot.hover(offset=(x, y + 1))
    await pilot.mouse_up(offset=(x, y + 1))
    await settle(pilot)
    assert one.scroll_y > 0, one
