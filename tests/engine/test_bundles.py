"""Bundles: lists of steps cut exactly where their author learns something new or the turn to move changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.classic.table import opening, table
from tests.engine.games import Moment, walk
from wasabi_tx.engine.errors import Illegal, Malformed, Stale
from wasabi_tx.engine.step import Bundle, Step


def bundles(game: list[Moment]) -> Iterator[tuple[Any, Bundle, Any]]:
    """Cut the game where `closes` returns True; yield position before, bundle, position after."""
    begun, steps = game[0].position, list[Step]()
    for moment in game:
        steps.append(moment.step)
        if moment.rules.closes(moment.position, moment.step, moment.after):
            yield begun, Bundle(begun.mover, tuple(steps)), moment.after
            begun, steps = moment.after, []


@given(st.integers(2, 4), st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_bundles_cut_where_closes_says_are_accepted_and_no_others(players: int, seed: int) -> None:
    game = list(walk(players, seed))
    rules = game[0].rules
    cut = list(bundles(game))
    assert [step for _, bundle, _ in cut for step in bundle.steps] == [moment.step for moment in game]
    for number, (before, bundle, after) in enumerate(cut):
        as_it_was = rules.canonical(before)
        assert rules.canonical(rules.apply_bundle(before, bundle)) == rules.canonical(after)
        for length in range(1, len(bundle.steps)):
            with pytest.raises(Illegal, match="bundle-too-short") as caught:
                rules.apply_bundle(before, Bundle(bundle.seat, bundle.steps[:length]))
            assert caught.value.where == {"step": length}
        if number + 1 < len(cut):
            longer = Bundle(bundle.seat, bundle.steps + cut[number + 1][1].steps)
            with pytest.raises(Illegal, match="bundle-too-long") as caught:
                rules.apply_bundle(before, longer)
            assert caught.value.where == {"step": len(bundle.steps)}
        assert rules.canonical(before) == as_it_was


@given(st.integers(2, 4), st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_a_bundle_ends_with_a_draw_or_when_somebody_else_is_to_move(players: int, seed: int) -> None:
    for before, bundle, after in bundles(list(walk(players, seed))):
        assert all(step.verb != "draw" for step in bundle.steps[:-1])
        assert bundle.steps[-1].verb == "draw" or (after.mover, after.turn) != (before.mover, before.turn)


def test_the_three_gifts_to_a_neighbour_are_one_bundle() -> None:
    at = opening(2)
    bundle = Bundle(0, at.rules.parse("give Tu; give Sh; give Av"))
    assert at.rules.apply_bundle(at.position, bundle).mover == 1


def test_a_turn_with_nothing_to_draw_is_one_bundle_to_its_end() -> None:
    at = table("seat 1 | tiles Tu Av Av | recipes 2.1 2.2 2.3")
    bundle = Bundle(0, at.rules.parse("place Tu a1; done; tile Ri"))
    assert at.rules.apply_bundle(at.position, bundle).mover == 1


def test_a_claim_that_wins_the_game_ends_its_bundle() -> None:
    nine = "carrot-top cool-kappa eel-be-back eight-arms-to-hold california-dreamer hakuna-ma-tofu i-eel-good"
    at = table(f"""
        board:
        Tu Te . Ma Pi
        seat 1 | tiles Tu | recipes 5.0=tuna-turner | claimed {nine} aki-roll caterpillar-crawl
    """)
    won = at.rules.apply_bundle(at.position, Bundle(0, at.rules.parse("place Tu c1; claim 5.0 tuna-turner")))
    assert won.outcome.ending == "tokens"
    with pytest.raises(Stale, match="game-over"):
        at.rules.apply_bundle(won, Bundle(0, at.rules.parse("done")))


def test_a_bundle_of_another_seat_is_stale() -> None:
    at = opening(2)
    with pytest.raises(Stale) as caught:
        at.rules.apply_bundle(at.position, Bundle(1, at.rules.parse("give Tu; give Sh; give Av")))
    assert (caught.value.code, caught.value.where) == ("not-your-turn", {"seat": 2})


def test_a_bundle_of_no_steps_is_malformed() -> None:
    at = opening(2)
    with pytest.raises(Malformed, match="bundle-empty"):
        at.rules.apply_bundle(at.position, Bundle(0, ()))


def test_one_step_that_is_refused_refuses_the_bundle_and_changes_nothing() -> None:
    at = opening(2)
    before = at.rules.canonical(at.position)
    with pytest.raises(Illegal, match="category-twice"):
        at.rules.apply_bundle(at.position, Bundle(0, at.rules.parse("give Tu; give Sh; give Sh")))
    assert at.rules.canonical(at.position) == before
