"""Whole games on the screen as a good player plays them, with every card, by keys alone and by clicks alone."""

from __future__ import annotations

import pytest

from wasabi_tx.games.transcript import read_transcript
from wasabi_tx.tui.screens.ending import EndPage

from .memory_games import MemoryGames, app_at
from .player import play_game
from .short import any_rules

BY = pytest.mark.parametrize(
    "mouse", [pytest.param(False, id="keyboard"), pytest.param(True, id="mouse", marks=pytest.mark.long)]
)


async def _play(edition: str, mouse: bool) -> None:
    app = app_at(people=1, bots=1, edition=edition, seed="friends")
    async with app.run_test(size=(80, 24)) as pilot:
        await play_game(pilot, mouse)
        await pilot.pause()
        assert isinstance(app.screen, EndPage)
    assert isinstance(app.games, MemoryGames)
    (text,) = (file.getvalue() for file in app.games.files.values())
    saved = read_transcript(text, any_rules)
    assert saved.last.outcome is not None, "the whole game is in its transcript"


@BY
async def test_a_classic_game_against_a_bot(mouse: bool) -> None:
    await _play("short-classic", mouse)


@BY
async def test_a_master_game_on_the_same_screen(mouse: bool) -> None:
    await _play("short-master", mouse)
