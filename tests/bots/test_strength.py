"""Greedy beats random nearly always, easy lies between them, hard above; a slice of what the ladder measures."""

from __future__ import annotations

import pytest

from tests.bots.games import wins
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.editions import PACKAGED


@pytest.mark.parametrize("edition", PACKAGED)
def test_greedy_beats_random(edition: str) -> None:
    assert wins(edition, [find_bot("greedy"), find_bot("random")], games=40) >= 38


@pytest.mark.parametrize("edition", PACKAGED)
def test_easy_beats_random_and_loses_to_normal(edition: str) -> None:
    assert wins(edition, [find_bot("easy"), find_bot("random")], games=12) >= 10
    assert wins(edition, [find_bot("normal"), find_bot("easy")], games=12) >= 9


@pytest.mark.parametrize("edition", PACKAGED)
def test_hard_beats_normal(edition: str) -> None:
    assert wins(edition, [find_bot("hard"), find_bot("normal")], games=24) >= 15
