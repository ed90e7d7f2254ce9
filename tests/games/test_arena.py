"""Tournaments: the same games however the work is distributed."""

from __future__ import annotations

import pytest

from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.position import Outcome
from wasabi_tx.games.arena import ArenaResult, Tally, tournament
from wasabi_tx.games.transcript import read_transcript


@pytest.mark.parametrize("edition", PACKAGED)
def test_results_do_not_depend_on_the_number_of_workers(edition: str) -> None:
    rules = rules_for(edition, 3)
    alone = list(tournament(rules, ("random",) * 3, "s", 12, record=True, workers=1))
    shared = list(tournament(rules, ("random",) * 3, "s", 12, record=True, workers=2))
    assert alone == shared
    assert [result.number for result in alone] == list(range(12))


def test_a_transcript_of_every_game_holds() -> None:
    rules = rules_for("classic", 2)
    for result in tournament(rules, ("greedy", "random"), "t", 4, record=True, workers=1):
        told = read_transcript(result.transcript, rules_for)
        assert told.last.outcome == result.outcome
        assert told.last.turn == result.turns


def test_a_tally_counts_wins_from_the_seat_that_started() -> None:
    tally = Tally(3)
    for winners, first in (((0,), 2), ((1,), 0), ((2,), 2), ((0, 1), 0)):
        tally.add(ArenaResult(0, Outcome("board", winners, (5, 5, 5)), first, 30, ""))
    assert tally.wins == [1, 1, 1]
    assert tally.wins_by_turn_order == [1, 2, 0], "seat 1 was second where seat 3 started"
    assert tally.draws == 1


def test_a_tally_adds_up() -> None:
    tally = Tally(2)
    for result in tournament(rules_for("classic", 2), ("greedy", "random"), "u", 10, workers=1):
        tally.add(result)
    assert tally.games == sum(tally.wins) + tally.draws == sum(tally.endings.values()) == 10
    assert tally.scores[0] > tally.scores[1]
