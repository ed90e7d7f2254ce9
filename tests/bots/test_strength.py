"""Greedy beats random nearly always, easy lies between them; a slice of what longer matches measure."""

from __future__ import annotations

from tests.bots.games import wins
from wasabi_tx.bots.registry import find_bot


def test_greedy_beats_random() -> None:
    assert wins("classic", [find_bot("greedy"), find_bot("random")], games=40) >= 38


def test_easy_beats_random_and_loses_to_normal() -> None:
    assert wins("classic", [find_bot("easy"), find_bot("random")], games=16) >= 12
    assert wins("classic", [find_bot("normal"), find_bot("easy")], games=16) >= 11
