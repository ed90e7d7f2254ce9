"""The model of votes: every law is kept in a short run, and every broken variant is caught."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.model.beginnings import BEGINNINGS
from tests.model.explore import Explorer
from tests.model.searches import LARGE, SMALL, search, walk
from tests.model.table import Rules
from tests.model.variants import (
    SOUND,
    VARIANTS,
    HolesInRounds,
    PledgesAlone,
    TwoDoNotVote,
    Variant,
    WaitsForLeavers,
)


@pytest.mark.parametrize("seats", [3, 4])
def test_every_law_holds_around_each_beginning(seats: int) -> None:
    explored, failure = search(seats, 1_200)
    assert failure is None
    assert explored > 700


@pytest.mark.parametrize(
    ("rules", "beginning", "liar"),
    [
        (Rules(3, 3, view=HolesInRounds), "after three calls in vain", 0),
        (Rules(3, 4, view=TwoDoNotVote), "after a call", 0),
        (WaitsForLeavers(4, 3), "after a call and a leave", 3),
        (Rules(3, 4, view=PledgesAlone), "after a pledge without a ballot", 0),
    ],
    ids=["holes", "two", "leavers", "pledges"],
)
def test_a_search_from_the_middle_finds_what_is_broken_there(rules: Rules, beginning: str, liar: int) -> None:
    """A search from the middle must find the fault, not only a run known to lead there."""
    explorer = Explorer(rules, liar, replace(SMALL[rules.seats], lies=2, states=400))
    failure = explorer.search(BEGINNINGS[beginning])
    assert failure is not None
    assert failure.law.startswith("P2")


@pytest.mark.parametrize("seats", [3, 4])
def test_every_law_holds_in_long_runs(seats: int) -> None:
    _, failure = walk(seats, 6, 0)
    assert failure is None


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_broken_variant_is_caught(variant: Variant) -> None:
    caught = Explorer(variant.rules, variant.liar, LARGE).follow(variant.run)
    assert caught is not None
    assert caught.law.startswith(variant.law)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("run", SOUND.values(), ids=SOUND.keys())
def test_the_rules_as_they_are_stand_the_same_runs(run: str, seats: int) -> None:
    for liar in range(seats):
        assert Explorer(Rules(seats, 4), liar, LARGE).follow(run) is None
