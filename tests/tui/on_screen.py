"""Read the screen of an app: its table, and the words on it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from rich.cells import cell_len
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from tests.brokers import PATIENCE
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.help import HelpPage
from wasabi_tx.tui.screens.online_screen import OnlineScreen
from wasabi_tx.tui.screens.page import TextPage
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.text_lines import TextLine
from wasabi_tx.tui.views.board_view import Square
from wasabi_tx.tui.widgets.painted import Painted
from wasabi_tx.tui.widgets.table.board import Board


def text_of(lines: Iterable[TextLine]) -> str:
    """Return only the words, a row a line."""
    return "\n".join(line.text.rstrip() for line in lines)


def table_of(app: WasabiApp) -> TableScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))


async def drawn(pilot: Pilot[None], table: TableScreen) -> None:
    """Wait until a table has heard and drawn everything that has happened in its game."""
    events: asyncio.Queue[object] = table.followed.game._events  # type: ignore[attr-defined]
    async with asyncio.timeout(PATIENCE):
        while not events.empty() or table._drawing:
            await pilot.pause()


def shown(app: WasabiApp, name: str) -> str:
    """Return the words of one panel of the table."""
    return table_of(app).query_one(f"#{name}", Painted).words


def squares_on(board: Board) -> tuple[Square, ...]:
    """Return every square of a board, as it is shown."""
    assert board.view is not None
    return board.view.squares


def table_words(table: TableScreen) -> str:
    """Return the text of a whole table, with one blank between words."""
    return " ".join(" ".join(panel.words for panel in table.query(Painted) if panel.display).split())


def screen_rows(app: App[Any]) -> list[str]:
    """Return the visible words of the screen in front, row by row, without what is scrolled away."""
    screen = app.screen
    width, height = screen.size
    signs = [[" "] * width for _ in range(height)]
    for widget in screen.walk_children(Widget):
        if widget.is_on_screen:
            _write(screen, widget, signs)
    return ["".join(row).rstrip() for row in signs]


def _write(screen: Screen[Any], widget: Widget, signs: list[list[str]]) -> None:
    """Write what a widget renders over what is behind it."""
    place = screen.find_widget(widget)
    seen = place.region.intersection(place.clip)
    lines = widget.render_lines(seen.translate(-place.region.offset))
    for y, line in enumerate(lines, seen.y):
        x = seen.x
        for char in line.text:
            size = cell_len(char)
            if 0 <= y < len(signs) and size and x + size <= len(signs[y]):
                signs[y][x : x + size] = [char, *[""] * (size - 1)]
            x += size


def screen_words(app: App[Any]) -> str:
    """Return the words of the screen in front, one line per row."""
    return "\n".join(screen_rows(app))


def place_of(app: App[Any], words: str, at: int = 0) -> tuple[int, int]:
    """Return the cell where these words begin, or one some columns after it, for a click."""
    y, row = next((y, row) for y, row in enumerate(screen_rows(app)) if words in row)
    return cell_len(row[: row.index(words)]) + at, y


def rows(app: WasabiApp) -> str:
    """Return the lines of a waiting room or a lobby; nothing elsewhere."""
    return screen_words(app) if isinstance(app.screen, OnlineScreen) else ""


def every_word(app: WasabiApp) -> str:
    """Return the words of the whole screen in one line."""
    seen = app.screen
    if isinstance(seen, TableScreen):
        return table_words(seen)
    if isinstance(seen, TextPage | HelpPage):
        return " ".join(text_of(seen.lines).split())
    return " ".join(screen_words(app).split())
