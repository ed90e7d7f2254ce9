"""Greedy beats random nearly always, easy lies between them, hard above: a sample of what the ladder measures."""

from __future__ import annotations

import pytest

from tests.bots.games import wins
from tests.speeds import budget
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.editions import PACKAGED


@pytest.mark.parametrize("edition", PACKAGED)
def test_greedy_beats_random(edition: str) -> None:
    assert wins(edition, [find_bot("greedy"), find_bot("random")], games=budget(10, 40)) >= budget(9, 38)


@pytest.mark.parametrize("edition", PACKAGED)
def test_easy_beats_random_and_loses_to_normal(edition: str) -> None:
    assert wins(edition, [find_bot("easy"), find_bot("random")], games=budget(4, 12)) >= budget(3, 10)
    assert wins(edition, [find_bot("normal"), find_bot("easy")], games=budget(4, 12)) >= budget(3, 9)


@pytest.mark.long
@pytest.mark.parametrize("edition", PACKAGED)
def test_hard_beats_normal(edition: str) -> None:
    assert wins(edition, [find_bot("hard"), find_bot("normal")], games=24) >= 15
