"""The packaged puzzles: a hundred and fifty an edition, each can be played, and a sample is verified anew."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from itertools import islice

import pytest

from tests.lab.puzzles.find import Wants, find_puzzles, format_puzzle
from tests.lab.puzzles.verify import verify, verify_all
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.puzzles.puzzle import (
    EDITIONS,
    count_of,
    find_puzzle,
    puzzles_by_seed,
    puzzles_from,
    puzzles_of_day,
    read_puzzle,
)
from wasabi_tx.puzzles.turn_search import TurnGain, gain_of

DAY = date(2026, 11, 17)


@pytest.mark.parametrize("edition", EDITIONS)
def test_there_are_enough_and_all_different(edition: str) -> None:
    puzzles = [find_puzzle(edition, number) for number in range(1, count_of(edition) + 1)]
    assert len(puzzles) == 150
    assert len({(one.rules.digest(one.position), one.best) for one in puzzles}) == len(puzzles)
    assert verify_all(puzzles) == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_solution_can_be_played_and_gains_what_is_stored(edition: str) -> None:
    for number in range(1, count_of(edition) + 1):
        puzzle = find_puzzle(edition, number)
        position = puzzle.position
        for step in puzzle.best:
            position = puzzle.rules.apply(position, step)
        assert gain_of(puzzle.rules, puzzle.position, position, puzzle.best) == puzzle.gain


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("number", [1, 75, 150])
def test_a_sample_has_exactly_one_best_turn_which_the_greedy_bot_misses(edition: str, number: int) -> None:
    assert verify(find_puzzle(edition, number))[0] == []


def test_a_puzzle_that_is_none_is_found_out() -> None:
    puzzle = find_puzzle("classic", 1)
    found, findings = verify(replace(puzzle, gain=TurnGain(False, 99, 0, 0)))
    assert len(found) == 1
    assert findings.tried > 10
    emptied = puzzle.position.evolve()
    emptied.seats = [seat.evolve() for seat in emptied.seats]
    emptied.seats[emptied.mover].recipes = ()
    found, _ = verify(replace(puzzle, position=emptied, faces={}))
    assert {"several turns are the best", "little to gain"} <= set(found)


def test_a_collection_that_shows_one_idea_alone_is_found_out() -> None:
    puzzle = find_puzzle("classic", 1)
    found = verify_all([puzzle] * 100)
    assert {"too few with switch", "too few with tenth", "two of one game"} <= set(found)
    assert any(fault.startswith("too many of") for fault in found)


@pytest.mark.long
def test_puzzles_are_found_and_those_found_are_puzzles() -> None:
    text = next(find_puzzles("classic", "test", 1, Wants(rules_for("classic", 2), 150)))
    puzzle = read_puzzle("new", text)
    assert verify(puzzle)[0] == []
    position = text.split("\n", 3)[3]
    turn = puzzle.gain, puzzle.rules.format(puzzle.best)
    assert format_puzzle(position, puzzle.game, puzzle.missed_by, turn) == text


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_day_has_its_puzzle_and_none_comes_again_too_soon(edition: str) -> None:
    # Weekdays have 21 or 22 puzzles each, and laps of either length begin on this day.
    start = date.fromordinal(1 + 7 * 21 * 22 * 229)
    days = [next(puzzles_of_day(edition, start + timedelta(days=number))) for number in range(400)]
    assert all(one.daily for one in days)
    assert len({one.name for one in days}) == 400
    which = [(one.rules.digest(one.position), one.best) for one in days]
    assert len(set(which)) == count_of(edition)
    assert all(len(set(which[at : 22 * 7 : 7])) >= 21 for at in range(7)), "all of a weekday's before any repeats"
    assert which[: 21 * 7] != which[21 * 7 : 42 * 7]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_puzzle_of_a_day_grows_harder_from_monday_to_sunday(edition: str) -> None:
    monday = date(2026, 1, 5)
    for week in range(20):
        days = [next(puzzles_of_day(edition, monday + timedelta(days=7 * week + number))) for number in range(7)]
        missed = [len(one.missed_by) for one in days]
        assert missed == sorted(missed)


@pytest.mark.parametrize("edition", EDITIONS)
def test_after_the_day_s_puzzle_come_all_the_others(edition: str) -> None:
    names = [one.name for one in puzzles_of_day(edition, DAY)]
    assert names[0] == ("2026-11-17" if edition == "classic" else "master 2026-11-17")
    assert len(set(names)) == count_of(edition)
    assert names == [one.name for one in puzzles_of_day(edition, DAY)]


def test_a_seed_gives_everybody_the_same_and_a_number_the_next_ones() -> None:
    one, other = (islice(puzzles_by_seed("classic", seed), 5) for seed in ("friends", "friends"))
    assert [puzzle.name for puzzle in one] == [puzzle.name for puzzle in other]
    assert [one.name for one in islice(puzzles_from("master", 149), 3)] == ["master 149", "master 150", "master 1"]
    with pytest.raises(KeyError):
        find_puzzle("classic", 151)


def test_stars_follow_points_style_and_cards() -> None:
    puzzle = replace(find_puzzle("classic", 1), gain=TurnGain(False, 9, 1, -1))
    assert [puzzle.stars(TurnGain(False, points, 1, -1)) for points in (9, 8, 6, 5, 1)] == [3, 2, 2, 1, 1]
    assert puzzle.stars(TurnGain(False, 9, 1, -2)) == 2, "a card too many"
    assert puzzle.stars(TurnGain(False, 9, 0, -1)) == 2, "less style"
    assert puzzle.stars(TurnGain(False, 0, 0, 0)) == 0


def test_lines_that_are_no_puzzle_are_refused() -> None:
    with pytest.raises(ValueError, match="many"):
        read_puzzle("bad", "gains: many\nbest: done\nposition: classic, 2 players\n")
