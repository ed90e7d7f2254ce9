"""An expert in haste plays like the same expert with time, except for what it does not think through."""

from __future__ import annotations

import pytest

from tests.bots.games import walk
from wasabi_tx.bots.greedy import Option, best
from wasabi_tx.bots.levels import PLANNERS, find_bot
from wasabi_tx.engine.editions import PACKAGED
from wasabi_tx.engine.observe import Observation


def seen(edition: str) -> list[Observation]:
    bots = [find_bot("normal")] * 3
    return [moment.seen for moment in walk(edition, bots, seed=4)]


def steps_of(options: list[Option]) -> set[object]:
    return {option.steps for option in options}


@pytest.mark.parametrize("edition", PACKAGED)
def test_in_haste_nothing_is_thought_of_that_there_is_no_time_for_otherwise(edition: str) -> None:
    fewer = 0
    for observation in seen(edition):
        expert = PLANNERS[edition]
        options, quick = expert.options(observation), expert.in_haste(observation).options(observation)
        assert steps_of(quick) <= steps_of(options)
        fewer += len(quick) < len(options)
    assert fewer


@pytest.mark.parametrize("edition", PACKAGED)
def test_in_haste_the_same_is_mostly_best(edition: str) -> None:
    same, observations = 0, seen(edition)
    for observation in observations:
        expert = PLANNERS[edition]
        quick = best(expert.in_haste(observation).options(observation))
        same += bool(steps_of(quick) & steps_of(best(expert.options(observation))))
    assert same >= 0.8 * len(observations)


@pytest.mark.parametrize("edition", PACKAGED)
def test_a_position_is_worth_the_same_in_haste_where_the_haste_began(edition: str) -> None:
    for observation in seen(edition)[::5]:
        expert = PLANNERS[edition]
        assert expert.in_haste(observation).worth(observation) == pytest.approx(expert.worth(observation))
