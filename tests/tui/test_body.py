"""The body of a table: it paints only what changed, and nobody can tell."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from unittest.mock import patch

import pytest

from wasabi_tx.tui.canvas import Canvas, Click, Row
from wasabi_tx.tui.draw import board, recipes
from wasabi_tx.tui.widgets.board import BoardWidget
from wasabi_tx.tui.widgets.body import TableBody
from wasabi_tx.tui.widgets.painting import Painting

from .memory_games import app_at
from .on_screen import table_of

KEYS = (*"1234567890abcdefg", "right", "down", "up", "escape", *["enter"] * 12, *["backspace"] * 5)
PARTS = ((board, "_row"), (board, "_square"), (recipes, "_card"))
"""Painters that keep what they have painted."""


def pictures(body: TableBody) -> dict[str | None, tuple[list[Row], list[Click]]]:
    """What every panel shows, and where it can be clicked."""
    found: dict[str | None, tuple[list[Row], list[Click]]] = {}
    for panel in body.query(Painting):
        if panel.display and panel.canvas is not None:
            found[panel.id] = panel.canvas.rows, panel.canvas.clicks
    return found


def paint_anew(body: TableBody) -> None:
    """Paints everything with nothing that was kept, which is kept on."""
    meant = body._meant
    with ExitStack() as kept:
        for module, name in PARTS:
            kept.enter_context(patch.object(module, name, getattr(module, name).__wrapped__))
        body.query_one(BoardWidget).picture = None
        body.redraw(body.texts, body._keys)
    body._meant = meant


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["large", "small"])
@pytest.mark.parametrize("edition", ["classic", "master"])
async def test_every_panel_shows_what_it_would_show_if_it_were_painted_anew(
    edition: str, size: tuple[int, int]
) -> None:
    random = Random(f"{edition} {size}")
    app = app_at(6, edition=edition, seed="anew")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        table, turns = table_of(app), set()
        for _ in range(120):
            key = random.choice(KEYS)
            await pilot.press(key)
            await pilot.pause()
            table.draw()
            shown = pictures(table.body)
            paint_anew(table.body)
            assert pictures(table.body) == shown, key
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
