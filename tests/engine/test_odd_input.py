"""Input of the wrong shape, from callers rather than from text."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any, cast

import pytest

from wasabi_tx.engine.edition import EditionError
from wasabi_tx.engine.editions import PACKAGED, edition_text, read_playable, rules_for
from wasabi_tx.engine.errors import Illegal, Malformed, RulesError
from wasabi_tx.engine.step import Bundle, Step


@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.parametrize("first", [-1, 3, 99])
def test_a_game_starts_with_a_seat_that_exists(edition: str, first: int) -> None:
    with pytest.raises(Malformed, match="seat"):
        rules_for(edition, 3).start(first)


@pytest.mark.parametrize("edition", PACKAGED)
def test_a_number_that_only_equals_one_of_the_game_does_no_harm(edition: str) -> None:
    rules = rules_for(edition, 2)
    chance = Random(7)
    position, verbs = rules.start(0), set()
    while position.outcome is None:
        step = chance.choice(rules.legal(position, {}))
        after = rules.apply(position, step)
        odd = Step(step.verb, cast("Any", tuple(float(arg) for arg in step.args)))
        with suppress(RulesError):
            assert rules.canonical(rules.apply(position, odd)) == rules.canonical(after)
            verbs.add(step.verb)
        position = after
    assert verbs & {"pass", "exchange"}


@pytest.mark.parametrize("edition", PACKAGED)
def test_a_seat_that_only_equals_the_first_starts_the_same_game(edition: str) -> None:
    rules = type(rules_for(edition, 2))(rules_for(edition, 2).edition, 2)
    for first in (cast("Any", 1.0), True, 1):
        assert type(rules.start(first).first) is int
        assert rules.canonical(rules.start(first)) == rules.canonical(rules_for(edition, 2).start(1))


ODD = [Step("place", cast("Any", None)), Step("pass", cast("Any", None)), Step("place", cast("Any", ([1], 0)))]
ODD += [Step(cast("Any", ["x"])), Step("place", (10**5000, 10**5000)), Step("leave", (10**5000,))]


@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.parametrize("step", ODD, ids=range(len(ODD)))
def test_a_step_of_the_wrong_shape_is_malformed(edition: str, step: Step) -> None:
    rules = rules_for(edition, 2)
    with pytest.raises(Malformed):
        rules.apply(rules.start(0), step)


@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.parametrize("text", ["leave 2", "exclude 2", "leave 1; leave 1"])
def test_a_bundle_sends_nobody_else_away(edition: str, text: str) -> None:
    rules = rules_for(edition, 3)
    position = rules.start(0)
    while position.mover != 0:
        position = rules.apply(position, rules.legal(position, {})[0])
    with pytest.raises(Illegal, match="leave-apart"):
        rules.apply_bundle(position, Bundle(0, rules.parse(text)))


@pytest.mark.parametrize("edition", PACKAGED)
def test_a_seat_says_goodbye_in_a_bundle_of_its_own_at_any_time(edition: str) -> None:
    rules = rules_for(edition, 3)
    after = rules.apply_bundle(rules.start(0), Bundle(2, rules.parse("leave 3")))
    assert after.seats[2].gone


@pytest.mark.parametrize("text", [" done", "done ", "done;done", "done\u3000", "done;  done", "done;\ndone", ""])
def test_a_line_of_steps_has_one_text(text: str) -> None:
    with pytest.raises(Malformed):
        rules_for("classic", 2).parse(text)


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000], ids=["decimal", "hexadecimal"])
def test_a_huge_number_in_an_edition_file_is_one_problem(number: str) -> None:
    with pytest.raises(EditionError):
        read_playable(edition_text("classic").replace("rows = 6", f"rows = {number}"))
