"""People who look in twice a day play on, and no trouble of the days between costs a move."""

from __future__ import annotations

from .days import Club


def test_with_keepers_every_look_of_the_one_to_move_finishes_their_turn() -> None:
    """Kills, cut connections and a broker that forgets included; the end is settled in every file."""
    club = Club.meet("classic", "days", troubles=True)
    club.play(1.5)
    assert club.looks == 16
    assert club.waits == 0, "no card had to wait for somebody to come back"


def test_what_people_leave_is_played_while_nobody_looks() -> None:
    """Keepers are killed meanwhile, and the broker forgets; nothing is signed twice, and all files agree."""
    club = Club.meet("classic", "left", troubles=True, turns=2, ways=3)
    club.play(0.8)
    assert club.looks == 8
    assert club.played_ahead
    assert club.waits == 0
