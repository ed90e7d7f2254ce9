"""A program that is killed at any moment comes back to its game, and nobody can tell but by the wait."""

from __future__ import annotations

import pytest

from .kills import chain, kill_at


@pytest.mark.parametrize(("edition", "every"), [("classic", 5), ("master", 7)])
def test_a_game_of_two_survives_kill_after_kill(edition: str, every: int) -> None:
    slots, kills = chain(edition, 2, "kills", every)
    assert slots > 40
    assert kills > 10


@pytest.mark.parametrize("write", [1, 2, 3, 4, 5, 6])
def test_the_host_dies_between_any_two_words_before_the_game(write: int) -> None:
    kill_at("classic", 2, "host", "p0", write, torn=False)


@pytest.mark.parametrize("write", [1, 2, 3, 4])
def test_a_guest_dies_between_any_two_words_before_the_game(write: int) -> None:
    kill_at("classic", 2, "guest", "p1", write, torn=True)
