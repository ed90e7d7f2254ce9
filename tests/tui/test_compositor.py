"""The compositor: what it writes for a change leaves the terminal as if everything had been drawn anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pyte
import pytest
from textual._compositor import CompositorUpdate
from textual.screen import Screen

from wasabi_tx.table.game import Player
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.compositor import ExactUpdate
from wasabi_tx.view.settings import Settings

from .memory_games import MemoryGames, app_at, seats
from .on_screen import table_of

SIZE = (120, 40)
KEYS = ("1", "right", "down", "escape", "3", "f", "3", "enter", "backspace", "v")
WIDE = (Player("寿司 Ana"), Player("Nori 海苔", "normal"), Player("餅", "normal"), Player("味噌", "normal"))


class Seen:
    """A terminal, and what was written to it."""

    def __init__(self) -> None:
        self.screen = pyte.Screen(*SIZE)
        self._stream = pyte.Stream(self.screen)
        self.written: list[int] = []
        self.exact = 0
        self.blank = 0
        """Frames in which nothing stood."""

    def feed(self, text: str) -> None:
        self._stream.feed(re.sub(r"\x1b\[[<>=?][0-9;$]*[a-zA-Z]", "", text))

    def cells(self) -> list[tuple[object, ...]]:
        """What can be seen of every cell: without ink where nothing is written."""
        found: list[tuple[object, ...]] = []
        for y in range(SIZE[1]):
            for x in range(SIZE[0]):
                one = self.screen.buffer[y][x]
                blank = not one.data.strip() and not one.reverse and not one.strikethrough
                found.append((y, x, one.data, one.bg, *(() if blank else (one.fg, one.bold, one.strikethrough))))
        return found


@contextmanager
def watched(app: WasabiApp) -> Iterator[Seen]:
    """Feeds everything that the app would write to a terminal."""
    seen = Seen()

    def display(_screen: Screen[object], update: object) -> None:
        if isinstance(update, CompositorUpdate):
            text = update.render_segments(app.console)
            seen.written.append(len(text))
            seen.exact += isinstance(update, ExactUpdate)
            seen.feed(text)
            seen.blank += not "".join(seen.screen.display).strip()

    with patch.object(app, "_display", display):
        yield seen


def drawn_anew(app: WasabiApp) -> Seen:
    fresh = Seen()
    fresh.feed(app.screen._compositor.render_full_update().render_segments(app.console))
    return fresh


@pytest.mark.parametrize(
    ("theme", "players"),
    [("omakase", seats(1, 3)), ("hinoki", WIDE), ("terminal", WIDE), ("monochrome", seats(1, 3))],
    ids=["dark", "wide", "terminal", "bare"],
)
async def test_the_terminal_shows_what_it_would_show_if_all_were_drawn_anew(
    theme: str, players: tuple[Player, ...]
) -> None:
    settings = Settings("en", theme, reduced_motion=True, bell=False)
    app = app_at(21, seed="picture", settings=settings, players=players)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        with watched(app) as seen:
            app.refresh(layout=True)
            table_of(app).refresh()
            await pilot.pause()
            for key in KEYS:
                await pilot.press(key)
                await pilot.pause()
                if app.screen is table_of(app):
                    assert seen.cells() == drawn_anew(app).cells(), key
        assert seen.exact > len(KEYS) // 2, "nothing was written exactly"


async def test_under_a_notification_textual_arranges_what_changed() -> None:
    app = app_at(21, seed="picture")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        with watched(app) as seen:
            table_of(app).refresh()
            app.notify("Nobody must miss this.", timeout=60)
            await pilot.pause()
            for key in ("1", "right", "down", "escape", "2"):
                await pilot.press(key)
                await pilot.pause()
                assert seen.cells() == drawn_anew(app).cells(), key


async def test_a_moved_cursor_costs_a_slow_line_little() -> None:
    app = app_at(21, seed="picture")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("1")
        await pilot.pause()
        with watched(app) as seen:
            for key in ("right", "down", "left", "up"):
                await pilot.press(key)
                await pilot.pause()
        assert sum(seen.written) / 4 < 4500, seen.written


async def test_a_click_costs_a_slow_line_what_a_key_costs() -> None:
    app = app_at(21, seed="picture")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        with watched(app) as seen:
            await pilot.press("1")
            await pilot.pause()
            by_key = sum(seen.written)
            await pilot.press("escape")
            await pilot.pause()
            seen.written.clear()
            await pilot.click("#hand", offset=(5, 2))
            await pilot.pause()
        plan = table_of(app).followed.plan
        assert plan is not None
        assert plan.begun
        assert 0 < sum(seen.written) <= 1.1 * by_key


@pytest.mark.parametrize("size", [SIZE, (30, 10)], ids=["wide", "too small"])
async def test_no_blank_frame_comes_between_two_screens(size: tuple[int, int]) -> None:
    app = WasabiApp(MemoryGames(Settings("en", reduced_motion=True, bell=False, notes=False)), language="en")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        home = app.screen
        with watched(app) as seen:
            await pilot.press("enter")
            while app.screen is home:
                await pilot.pause()
            await pilot.pause()
            assert table_of(app) is app.screen
            assert seen.cells() == drawn_anew(app).cells()
        assert seen.blank == 0
