"""The model of votes: a short run in which every law holds, and every broken variant is caught."""

from __future__ import annotations

import pytest

from tests.model.__main__ import LARGE, search, walk
from tests.model.explore import Explorer
from tests.model.table import Rules
from tests.model.variants import SOUND, VARIANTS, Variant


@pytest.mark.parametrize("seats", [3, 4])
def test_every_law_holds_around_the_beginning(seats: int) -> None:
    explored, failure = search(seats, 1_200)
    assert failure is None
    assert explored > 700


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
