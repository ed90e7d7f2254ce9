"""Input of the wrong shape, from callers rather than from text."""

from __future__ import annotations

from typing import Any, cast

import pytest

from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.errors import Malformed, RulesError
from wasabi_tx.engine.step import Step


@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.parametrize("first", [-1, 3, 99])
def test_a_game_starts_with_a_seat_that_exists(edition: str, first: int) -> None:
    with pytest.raises(Malformed, match="seat"):
        rules_for(edition, 3).start(first)


@pytest.mark.parametrize("edition", PACKAGED)
def test_a_number_that_only_equals_one_of_the_game_does_no_harm(edition: str) -> None:
    rules = rules_for(edition, 2)
    position = rules.start(0)
    step = rules.legal(position, {})[0]
    odd = Step(step.verb, cast("Any", tuple(float(arg) for arg in step.args)))
    try:
        after = rules.apply(position, odd)
    except RulesError:
        return
    assert rules.canonical(after) == rules.canonical(rules.apply(position, step))
