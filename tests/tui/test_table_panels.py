"""The panels of a table: with caches in use, each looks the same as when painted from scratch."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from unittest.mock import patch

import pytest

from wasabi_tx.tui.canvas import Canvas, Click, Row
from wasabi_tx.tui.draw import board
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.widgets.painted import Painted
from wasabi_tx.tui.widgets.table import recipes

from .memory_games import app_at
from .on_screen import drawn, table_of

KEYS = (*"1234567890abcdefg", "right", "down", "up", "escape", *["enter"] * 12, *["backspace"] * 5)
PARTS = ((board, "_row"), (board, "_square"), (recipes, "_card"))
"""Painters that keep what they have painted."""

Shown = dict[str | None, tuple[list[Row], list[Click]]]


def shown(table: TableScreen) -> Shown:
    """Return the cells of every panel, and where it can be clicked."""
    return {
        panel.id: (panel.canvas.rows, panel.canvas.clicks)
        for panel in table.query(Painted)
        if panel.display and panel.size
    }


def painted_anew(table: TableScreen) -> Shown:
    """Return the same for a fresh view, painted without any cache."""
    moment = table.moment()
    found: Shown = {}
    with ExitStack() as kept:
        for module, name in PARTS:
            kept.enter_context(patch.object(module, name, getattr(module, name).__wrapped__))
        table.table.show(moment)
        for panel in table.query(Painted):
            if panel.display and panel.size:
                canvas = panel._painted()
                found[panel.id] = canvas.rows, canvas.clicks
    return found


@pytest.mark.grid
@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["large", "small"])
@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.long
async def test_every_panel_shows_what_it_would_show_if_it_were_painted_anew(
    edition: str, size: tuple[int, int]
) -> None:
    random = Random(f"{edition} {size}")
    app = app_at(6, edition=edition, seed="anew")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        table, turns = table_of(app), set()
        for _ in range(60):
            key = random.choice(KEYS)
            await pilot.press(key)
            await drawn(pilot, table)
            assert shown(table) == painted_anew(table), key
            turns.add(table.followed.game.position.turn)
        assert len(turns) > 1, "nothing was played"


def test_pasting_and_writing_leave_what_lies_outside_as_it_is() -> None:
    random = Random("outside")
    for _ in range(300):
        whole, part = Canvas(9, 4, 1), Canvas(random.randint(1, 12), random.randint(1, 6), 2)
        words = "".join(random.choice("ab▌寿") for _ in range(random.randint(1, 12)))
        part.text(0, 0, "x" * part.width, 3)
        x, y = random.randint(-12, 12), random.randint(-6, 6)
        whole.paste(part, x, y)
        for row in range(whole.height):
            for column in range(whole.width):
                inside = 0 <= column - x < part.width and 0 <= row - y < part.height
                assert whole.pixels[2 * row][column] == (2 if inside else 1)
                assert whole.rows[row][2][column] == ("x" if inside and row == y else "")
        before = [[layer.copy() for layer in row] for row in whole.rows]
        end = whole.text(x, y, words, 4)
        assert end == x + sum(2 if char == "寿" else 1 for char in words)
        for row, layers in enumerate(whole.rows):
            for column in range(whole.width):
                if row != y or not x <= column < end:
                    assert [layer[column] for layer in layers] == [layer[column] for layer in before[row]]
