"""Rivals' possible hands, their value to them, and the reactions of a wary bot."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.bots.games import walk
from tests.engine.classic.table import table
from tests.engine.described_table import Table
from wasabi_tx.bots.board_windows import windows_of
from wasabi_tx.bots.greedy import Advice, Greedy
from wasabi_tx.bots.levels import GREEDY, PLANNERS, WARY, find_bot
from wasabi_tx.bots.rivals import Rivals, likelihoods, unseen_recipes
from wasabi_tx.bots.wary import attention
from wasabi_tx.engine.editions import PACKAGED
from wasabi_tx.engine.observe import Observation, observe

FIT = 0.3


def rivals_of(seen: Observation) -> Rivals:
    expert = PLANNERS[seen.rules.name]
    shares = attention(seen, 2.0)
    reading = expert.read(seen.rules, seen.position.board)
    return Rivals(windows_of(seen.rules), reading, expert.rivals(seen, shares), unseen_recipes(seen), FIT)


def valued_anew(seen: Observation, board: Any) -> float:
    """Return the same sum as `Rivals.worth`, computed from every window of the new board."""
    expert, unseen = PLANNERS[seen.rules.name], unseen_recipes(seen)
    before, after = expert.read(seen.rules, seen.position.board), expert.read(seen.rules, board)
    total = 0.0
    for rival in expert.rivals(seen, attention(seen, 2.0)):
        for length, count in rival.held.items():
            likely = likelihoods([rival.prospects.value(recipe, before) for recipe in unseen[length]], FIT)
            for recipe, chance in zip(unseen[length], likely, strict=True):
                total += count * chance * rival.prospects.value(recipe, after)
    return total


@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.parametrize("players", [2, 4])
def test_a_changed_board_is_worth_what_it_is_worth_looked_at_anew(edition: str, players: int) -> None:
    compared = 0
    for moment in list(walk(edition, [find_bot("greedy"), *[find_bot("random")] * (players - 1)], seed=3))[::5]:
        seen, after = moment.seen, moment.after
        if seen.position.phase == "play":
            rivals = rivals_of(seen)
            assert rivals.now == pytest.approx(valued_anew(seen, seen.position.board))
            reading = PLANNERS[edition].read(seen.rules, after.board)
            assert rivals.worth(reading) == pytest.approx(valued_anew(seen, after.board))
            compared += after.board is not seen.position.board
    assert compared > 3


@pytest.mark.parametrize("edition", PACKAGED)
def test_what_rivals_hold_is_counted_once_and_only_among_recipes_that_nobody_has_shown(edition: str) -> None:
    for moment in list(walk(edition, [find_bot("greedy")] * 3, seed=4))[::9]:
        seen = moment.seen
        unseen = unseen_recipes(seen)
        shown = {done.recipe for seat in seen.position.seats for done in seat.claimed} | set(seen.faces.values())
        assert shown.isdisjoint(recipe for recipes in unseen.values() for recipe in recipes)
        others = {face for card, face in moment.faces.items() if card not in seen.faces and face not in shown}
        if edition == "classic":
            assert others >= {recipe for recipes in unseen.values() for recipe in recipes}
        assert sum(attention(seen, 2.0).values()) == pytest.approx(1)


def test_a_recipe_that_suits_the_board_is_thought_likelier() -> None:
    low, middle, high = likelihoods([0.0, 1.0, 3.0], FIT)
    assert low < middle < high
    assert low + middle + high == pytest.approx(1)


def test_the_leading_rival_gets_most_attention() -> None:
    at = table(
        """
        board:
        Ri .
        seat 1 | tiles Oc Sh Da | recipes kelp-wanted
        seat 2 | claimed tekkamaki
        seat 3 | claimed hanami-picnic
        """,
        3,
    )
    shares = attention(observe(at.rules, at.position, 0, at.faces), 2.0)
    assert shares[2] > 0.9
    assert 0 not in shares


def told(at: Table, bot: Greedy) -> Advice:
    return bot.explain(observe(at.rules, at.position, 0, at.faces))


def test_a_wary_bot_puts_a_tile_that_it_has_no_use_for_where_rivals_want_to_build_and_says_so() -> None:
    """Tuna and Maki lie open at one end, which suits Crunchy Tuna; the last square of the row suits nothing."""
    at = table("""
        board:
        Sa Tu Ye Ee Sh
        Cr Sc Oc Av Cu
        Tu Ma .  .  .
        Ca Da Eg Te To
        Pi Sa Ye Ee Cr
        Sc Oc Av Cu Ca
        seat 1 | tiles Oc Sh Sc | recipes street-urchin
        seat 2 | tiles Te Ri Tu | recipes crunchy-tuna aki-roll i-eel-good
    """)
    rivals = rivals_of(observe(at.rules, at.position, 0, at.faces))
    left = {
        step: rivals.worth(PLANNERS["classic"].read(at.rules, at.rules.apply(at.position, step).board))
        for step in at.rules.legal(at.position, at.faces)
        if step.verb == "place"
    }
    chosen = told(at, WARY)
    assert left[chosen.bundle.steps[0]] == min(left.values()) < max(left.values()) / 2
    assert "blocks" in [reason.code for reason in chosen.reasons]
    assert "blocks" not in [reason.code for reason in told(at, GREEDY).reasons]


def test_a_wary_bot_still_completes_its_own_recipe() -> None:
    at = table("""
        board:
        .  .  .  .  .
        .  Te Ma .  .
        seat 1 | tiles Da Oc Tu | recipes crunchy-tuna street-urchin kelp-wanted
        seat 2 | tiles Te Ri Tu | recipes aki-roll i-eel-good
    """)
    assert told(at, WARY).reasons[0].code == "completes"


def test_gifts_are_not_the_same_in_every_game() -> None:
    given = set()
    for seed in range(6):
        first = next(walk("classic", [find_bot("normal")] * 2, seed))
        given.add(tuple(first.seen.rules.code(step.args[0]) for step in first.bundle.steps))
    assert len(given) > 2


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_nobody_passes_on_the_first_turn_without_a_reason(level: str) -> None:
    """With four seats and unpromising recipes, greedy used to pass in one opening of fourteen."""
    for seed in range(8):
        for moment in walk("classic", [find_bot(level)] * 4, seed):
            if moment.after.turn > 4:
                break
            assert moment.bundle.steps[0].verb != "pass"


def test_choices_follow_the_generator_alone() -> None:
    moments = list(walk("classic", [WARY, WARY], seed=8))[:40:4]
    for moment in moments:
        assert WARY.choose(moment.seen, random.Random(2), 1) == WARY.choose(moment.seen, random.Random(2), 1)
