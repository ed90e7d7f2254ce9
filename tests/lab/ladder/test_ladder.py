"""The ladder's table agrees with its data, and its matches are fair and repeatable."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wasabi_tx.bots.level_names import is_offered
from wasabi_tx.engine.editions import PACKAGED

from .matches import Match, run, wilson
from .table import PAGE, load, page


def test_the_page_shows_the_data() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(load().values())


def test_a_match_is_the_same_again_and_seats_rotate() -> None:
    match = Match("classic", 2, "easy", "normal", 4, "test")
    assert match.deal(0) == match.deal(1) != match.deal(2)
    equals = replace(match, challenger="normal")
    assert len({equals.deal(game) for game in range(equals.games)}) == equals.games
    one, other = run(match), run(match)
    assert replace(one, median=0, late=0) == replace(other, median=0, late=0)
    assert sum(one.by_order) == pytest.approx(match.games)


def test_wilson_intervals_are_the_published_ones() -> None:
    """Compare with Newcombe 1998, table I: 81 of 263, and 0 of 20."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


def test_the_levels_are_as_far_apart_as_their_names_promise() -> None:
    """Check the measurements: hard is offered where the lower end of the interval is above par, and only there."""
    results = load()
    for (edition, seats, challenger, field), result in results.items():
        low, high = result.interval
        if (challenger, field) == ("hard", "normal"):
            assert result.match.games >= 400
            assert is_offered("hard", edition, seats) == (low > 1 / seats), (edition, seats)
            assert result.late < 1000
        if (challenger, field) == ("easy", "normal"):
            assert result.match.games >= 400
            assert high < 0.25, (edition, seats)


LEAST = {("classic", 2): 0.78, ("classic", 3): 0.50, ("classic", 4): 0.33, ("master", 2): 0.66, ("master", 3): 1 / 3}
"""Least share that hard wins against normal, at the lower end of the interval."""


def test_hard_wins_as_much_as_it_has_to() -> None:
    results = load()
    for (edition, seats), least in LEAST.items():
        result = results[edition, seats, "hard", "normal"]
        assert result.interval[0] >= least, (edition, seats)
        assert result.median < 300
    for edition in PACKAGED:
        for seats in (2, 3, 4):
            assert (edition, seats, "easy", "normal") in results


def test_every_seat_of_the_second_edition_at_four_wins_its_share() -> None:
    result = load()["master", 4, "normal", "normal"]
    assert result.match.games >= 1000
    assert all(0.2 <= won / result.match.games <= 0.3 for won in result.by_order)
