"""Whole games on the screen, by keys alone and by clicks alone."""

from __future__ import annotations

import pytest

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.table.transcript import read_transcript
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.ending import EndPage

from .player import play_game
from .world import MemoryDesk, app_at


async def _play(app: WasabiApp, mouse: bool, size: tuple[int, int] = (80, 24)) -> None:
    async with app.run_test(size=size) as pilot:
        await play_game(pilot, mouse)
        await pilot.pause()
        assert isinstance(app.screen, EndPage)
    assert isinstance(app.desk, MemoryDesk)
    (text,) = (file.getvalue() for file in app.desk.files.values())
    saved = read_transcript(text, rules_for)
    assert saved.last.outcome is not None, "the whole game is in its transcript"


@pytest.mark.parametrize("mouse", [False, True], ids=["keyboard", "mouse"])
async def test_a_classic_game_against_bots(mouse: bool) -> None:
    await _play(app_at(people=1, bots=1, seed="bots"), mouse)


async def test_a_hot_seat_game_with_a_curtain_between_two_people_by_keyboard() -> None:
    await _play(app_at(people=2, bots=0, seed="friends"), mouse=False)


async def test_a_hot_seat_game_is_taken_up_again_and_finished_by_mouse() -> None:
    await _play(app_at(turn=14, people=2, bots=0, seed="friends"), mouse=True)


async def test_a_master_game_on_the_same_screen() -> None:
    await _play(app_at(people=1, bots=1, edition="master", seed="master"), mouse=True)
