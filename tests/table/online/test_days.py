"""People who look in twice a day play on, and no trouble of the days between costs a move."""

from __future__ import annotations

from .days import Club


def test_with_keepers_every_look_of_the_one_to_move_finishes_their_turn() -> None:
    """Kills, cut connections and a broker that forgets included; the end is settled in every file."""
    club = Club.meet("classic", "days", troubles=True)
    club.play(1.5)
    assert club.looks == 16
    assert club.waits == 0, "no card had to wait for somebody to come back"
