"""People who look in twice a day can play, and no trouble in between costs a move."""

from __future__ import annotations

import pytest

from .days import Club


@pytest.mark.long
def test_with_keepers_every_look_of_the_one_to_move_finishes_their_turn() -> None:
    """Include kills, cut connections and a broker that forgets; the end is settled in every file."""
    club = Club.meet("classic", "days", troubles=True)
    club.play(1.5)
    assert club.looks == 16
    assert club.waits == 0, "no card had to wait for somebody to come back"


@pytest.mark.long
def test_what_people_plan_is_played_while_nobody_looks() -> None:
    """Kill keepers and make the broker forget meanwhile; nothing is signed twice, and all files agree."""
    club = Club.meet("classic", "left", troubles=True, turns=2)
    club.play(0.8)
    assert club.looks == 8
    assert club.played_planned
    assert club.waits == 0
