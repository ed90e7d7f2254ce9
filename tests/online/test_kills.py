"""A program killed at any moment comes back to its game, and the others notice only the wait."""

from __future__ import annotations

import pytest

from .kills import chain, kill_once
from .world import World


@pytest.mark.parametrize(("edition", "every"), [("classic", 6), ("master", 7)])
@pytest.mark.long
def test_a_game_of_two_survives_kill_after_kill(edition: str, every: int) -> None:
    slots, kills = chain(edition, 2, "kills", every)
    assert slots > 40
    assert kills >= 8


@pytest.mark.parametrize(("name", "write"), [*(("p0", n) for n in range(1, 8)), *(("p1", n) for n in range(1, 6))])
def test_a_program_dies_between_any_two_words_before_the_game(name: str, write: int) -> None:
    world = World(2, seed="room")
    kill_once(world, name, write, torn=None)
    world.until(lambda: all(person.client.playing is not None for person in world.people.values()), 60)
    world.until(lambda: {person.game.session.log.head.number >= 4 for person in world.people.values()} == {True}, 60)
    assert len({person.game.session.log.slots[4].link for person in world.people.values()}) == 1
