"""Whole games stay the same, unless a change is intended."""

from __future__ import annotations

import pytest

from tests.transcripts import FOLDER, GAMES, golden
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.games.transcript import read_transcript


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_played_as_it_was(name: str) -> None:
    assert golden(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_golden_transcript_holds_line_by_line() -> None:
    files = sorted(FOLDER.glob("*.txt"))
    assert {path.stem for path in files} == set(GAMES)
    for path in files:
        assert read_transcript(path.read_text(encoding="utf-8"), rules_for).last.outcome is not None
