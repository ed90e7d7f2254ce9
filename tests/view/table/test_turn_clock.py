"""The clock of a turn: quiet at first, then to the second, restarted for every turn."""

from __future__ import annotations

from wasabi_tx.view.table.turn_clock import TurnClock


def test_a_quick_turn_has_no_clock_and_a_long_one_has() -> None:
    clock = TurnClock()
    told = {seconds: clock.read("a turn", 100.0 + seconds) for seconds in (0, 9.9, 10, 42.7, 600, 3661)}
    assert told == {0: "", 9.9: "", 10: "0:10", 42.7: "0:42", 600: "10:00", 3661: "1:01:01"}


def test_another_turn_starts_anew() -> None:
    clock = TurnClock()
    clock.read("a turn", 0.0)
    assert clock.read("a turn", 30.0) == "0:30"
    assert clock.read("the next", 31.0) == ""
    assert clock.read("the next", 45.0) == "0:14"


def test_a_table_with_a_clock_tells_it_beside() -> None:
    clock = TurnClock(90)
    clock.read("a turn", 0.0)
    assert clock.read("a turn", 91.0) == "1:31/1:30"


def test_with_reduced_motion_it_moves_seldom() -> None:
    clock = TurnClock()
    clock.read("a turn", 0.0, every=10)
    assert {clock.read("a turn", float(second), every=10) for second in range(20, 30)} == {"0:20"}


def test_a_clock_by_correspondence_is_told_in_hours() -> None:
    clock = TurnClock(24 * 3600)
    clock.read("a turn", 0.0)
    assert clock.read("a turn", 91.0) == "1:31/24 h"


def test_who_comes_back_sees_the_time_since_the_turn_began_and_then_that_of_each_new_one() -> None:
    clock = TurnClock(86_400, since=-7200.0)
    assert clock.read("turn 3", 5.0) == "2:00:05/24 h"
    assert clock.read("turn 4", 30.0) == ""
    assert clock.read("turn 4", 60.0) == "0:30/24 h"
