"""Output to the terminal: never a blank frame, always the same as a full redraw, and little for each key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import pyte
import pytest
from rich.console import Console
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from wasabi_tx.app.settings import Settings
from wasabi_tx.games.game import Player
from wasabi_tx.tui.app import WasabiApp

from .memory_games import MemoryGames, app_at, seats
from .on_screen import drawn, table_of

SIZE = (120, 40)
KEYS = ("1", "right", "down", "escape", "3", "f", "3", "enter", "backspace", "v")
WIDE = (Player("寿司 Ana"), Player("Nori 海苔", "normal"), Player("餅", "normal"), Player("味噌", "normal"))
_PRIVATE = re.compile(r"\x1b\[[<>=?][0-9;$]*[a-zA-Z]")
"""Requests that the emulator does not know and would print."""

Cells = list[tuple[object, ...]]


class Terminal(HeadlessDriver):
    """A terminal in memory, and what was written to it."""

    seen: ClassVar[Seen]

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        Terminal.seen.feed(data)


class Seen:
    def __init__(self, size: tuple[int, int]) -> None:
        self.screen = pyte.Screen(*size)
        self._stream = pyte.Stream(self.screen)
        self.written: list[int] = []
        """Bytes of each frame."""
        self.blank = 0
        """Number of frames that were blank."""

    def feed(self, text: str) -> None:
        shown = _PRIVATE.sub("", text)
        if shown:
            self._stream.feed(shown)
            self.written.append(len(text.encode()))
            self.blank += not "".join(self.screen.display).strip()

    def cells(self) -> Cells:
        """Return the visible properties of every cell; blank cells have no ink."""
        found: Cells = []
        for y in range(self.screen.lines):
            for x in range(self.screen.columns):
                one = self.screen.buffer[y][x]
                blank = not one.data.strip() and not one.reverse and not one.strikethrough
                found.append((y, x, one.data, one.bg, *(() if blank else (one.fg, one.bold, one.strikethrough))))
        return found


@contextmanager
def watched(app: WasabiApp, size: tuple[int, int] = SIZE) -> Iterator[Seen]:
    """Let the app write to a terminal in memory."""
    app.driver_class = Terminal
    app.console = Console(color_system="truecolor", force_terminal=True, legacy_windows=False)
    Terminal.seen = Seen(size)
    yield Terminal.seen


async def settle(pilot: Pilot[None]) -> None:
    """Wait until nothing more is written."""
    quiet = 0
    while quiet < 3:
        before = len(Terminal.seen.written)
        await pilot.pause()
        quiet = quiet + 1 if len(Terminal.seen.written) == before else 0


async def drawn_anew(pilot: Pilot[None]) -> Cells:
    """Return the cells of one whole frame on a fresh terminal, without touching the present one."""
    kept = Terminal.seen
    Terminal.seen = Seen((kept.screen.columns, kept.screen.lines))
    pilot.app.screen.refresh()
    await settle(pilot)
    fresh, Terminal.seen = Terminal.seen, kept
    return fresh.cells()


@pytest.mark.grid
@pytest.mark.parametrize(
    ("theme", "players"),
    [("omakase", seats(1, 3)), ("hinoki", WIDE), ("terminal", WIDE), ("monochrome", seats(1, 3))],
    ids=["dark", "wide", "terminal", "bare"],
)
@pytest.mark.long
async def test_the_terminal_shows_what_it_would_show_if_all_were_drawn_anew(
    theme: str, players: tuple[Player, ...]
) -> None:
    settings = Settings("en", theme, reduced_motion=True, bell=False)
    app = app_at(21, seed="picture", settings=settings, players=players)
    with watched(app) as seen:
        async with app.run_test(size=SIZE, headless=False) as pilot:
            await settle(pilot)
            for key in KEYS:
                await pilot.press(key)
                await drawn(pilot, table_of(app))
                app.clear_notifications()  # One that goes between the two frames would make them differ.
                await settle(pilot)
                if app.screen is table_of(app):
                    assert seen.cells() == await drawn_anew(pilot), key


@pytest.mark.long
async def test_what_changes_under_a_notification_is_drawn_around_it() -> None:
    app = app_at(21, seed="picture")
    with watched(app) as seen:
        async with app.run_test(size=SIZE, headless=False) as pilot:
            await settle(pilot)
            app.notify("Nobody must miss this.", timeout=60)
            await settle(pilot)
            for key in ("1", "right", "down", "escape", "2"):
                await pilot.press(key)
                await settle(pilot)
                assert seen.cells() == await drawn_anew(pilot), key


async def test_a_moved_cursor_costs_a_slow_line_little() -> None:
    app = app_at(21, seed="picture")
    with watched(app) as seen:
        async with app.run_test(size=SIZE, headless=False) as pilot:
            await pilot.press("1")
            await settle(pilot)
            seen.written.clear()
            for key in ("right", "down", "left", "up"):
                await pilot.press(key)
                await settle(pilot)
            assert sum(seen.written) / 4 < 8500, seen.written


async def test_a_click_costs_a_slow_line_what_a_key_costs() -> None:
    app = app_at(21, seed="picture")
    with watched(app) as seen:
        async with app.run_test(size=SIZE, headless=False) as pilot:
            await settle(pilot)
            seen.written.clear()
            await pilot.press("1")
            await settle(pilot)
            by_key = sum(seen.written)
            await pilot.press("escape")
            await settle(pilot)
            seen.written.clear()
            await pilot.click("#hand", offset=(5, 2))
            await settle(pilot)
            plan = table_of(app).followed.plan
            assert plan is not None
            assert plan.begun
            assert 0 < sum(seen.written) <= 1.1 * by_key


@pytest.mark.parametrize("size", [SIZE, (80, 24), (30, 10)], ids=["wide", "small", "too small"])
async def test_no_blank_frame_comes_between_two_screens(size: tuple[int, int]) -> None:
    app = WasabiApp(MemoryGames(Settings("en", reduced_motion=True, bell=False, notes=False)), language="en")
    with watched(app, size) as seen:
        async with app.run_test(size=size, headless=False) as pilot:
            await settle(pilot)
            home, seen.blank = app.screen, 0
            await pilot.press("enter")
            while app.screen is home:
                await settle(pilot)
            await settle(pilot)
            assert table_of(app) is app.screen
            assert seen.cells() == await drawn_anew(pilot)
            assert seen.blank == 0


@pytest.mark.long
async def test_no_blank_frame_comes_while_the_table_is_arranged_anew() -> None:
    app = app_at(21, seed="picture")
    with watched(app) as seen:
        async with app.run_test(size=SIZE, headless=False) as pilot:
            await settle(pilot)
            seen.blank = 0
            for size in ((80, 24), (40, 15), (200, 50), (120, 40)):
                seen.screen.resize(size[1], size[0])
                await pilot.resize_terminal(*size)
                await settle(pilot)
            assert seen.blank == 0
