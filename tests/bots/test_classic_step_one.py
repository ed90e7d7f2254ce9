"""The greedy bot in the first edition's Step 1."""

from __future__ import annotations

import random

import pytest

from tests.engine.classic.table import table
from tests.engine.described_table import Table
from wasabi_tx.bots.greedy import Advice
from wasabi_tx.bots.levels import GREEDY
from wasabi_tx.engine.editions.classic.flow import PASSES_A_SEAT
from wasabi_tx.engine.observe import observe


def advice(at: Table) -> Advice:
    """Return the greedy bot's legal advice for the mover, with reasons."""
    seen = observe(at.rules, at.position, at.position.mover, at.faces)
    found = GREEDY.explain(seen)
    at.rules.apply_bundle(at.position, found.bundle)
    chosen = GREEDY.choose(seen, random.Random(1), 1)
    at.rules.apply_bundle(at.position, chosen)
    return found


def steps(at: Table) -> list[str]:
    return at.rules.format(advice(at).bundle.steps).split("; ")


def claimed(at: Table) -> dict[str, int]:
    """Return the recipes that the bot completes, each with its style cubes."""
    after = at.rules.apply_bundle(at.position, advice(at).bundle)
    before = len(at.position.seats[at.position.mover].claimed)
    done = after.seats[at.position.mover].claimed[before:]
    return {at.rules.edition.recipes[one.recipe].id: one.cubes for one in done}


def test_takes_an_obvious_completion() -> None:
    at = table("""
        board:
        .  .  .
        .  Te Ma
        seat 1 | tiles Da Oc Tu | recipes crunchy-tuna street-urchin kelp-wanted
    """)
    assert "crunchy-tuna" in claimed(at)
    assert advice(at).reasons[0].code == "completes"


def test_prefers_the_window_that_gives_style() -> None:
    at = table("""
        board:
        Ma Te .  .  .
        .  .  .  .  .
        Te Ma .  .  .
        seat 1 | tiles Da Oc Tu | recipes crunchy-tuna street-urchin kelp-wanted
    """)
    assert claimed(at) == {"crunchy-tuna": 1}


def test_completes_two_recipes_with_one_tile() -> None:
    at = table("""
        board:
        Pi Da .  .  .
        .  .  Tu .  .
        .  .  .  .  .
        .  .  .  .  .
        Da .  Pi .  .
        seat 1 | tiles Ma Oc Sh | recipes pickle-barrel tekkamaki kelp-wanted
    """)
    assert steps(at)[0] == "place Ma c1"
    assert claimed(at) == {"pickle-barrel": 1, "tekkamaki": 0}


def test_a_token_that_is_wanted_twice_goes_to_the_recipe_with_style() -> None:
    at = table("""
        board:
        Pi Da .  Te Tu
        seat 1 | tiles Ma Oc Sh | recipes crunchy-tuna pickle-barrel | claimed mums-bento shrimp-shape | cubes 0
    """)
    assert claimed(at) == {"pickle-barrel": 1}


@pytest.mark.parametrize(
    ("card", "hand", "board"),
    [
        ("Sp", "Te Tu Oc", ". . Ma . ."),
        ("St", "Te Oc Sh", ". Sq Ma Tu ."),
        ("Ch", "Oc Sh Da", "Tu Ma . Pi Te"),
        ("Sw", "Oc Sh Da", ". Te . Ma Tu"),
        ("St", "Te Oc Sh", ". Te Ma Tu ."),
        ("Sw", "Oc Sh Da", ". Te Ma Tu ."),
        ("Ch", "Oc Sh Da", ". Te Ma Tu ."),
        ("Ch", "Te Sh Da", ". Ri Ma Tu ."),
        ("Ch", "Oc Sh Da", ". Te/Ri Ma Tu ."),
    ],
)
def test_plays_the_card_that_completes_a_recipe(card: str, hand: str, board: str) -> None:
    at = table(f"""
        board:
        {board}
        seat 1 | tiles {hand} | cards {card} | recipes crunchy-tuna
    """)
    assert "crunchy-tuna" in claimed(at)


def test_brings_a_tile_in_from_the_side_by_placing_and_switching() -> None:
    at = table("""
        board:
        .  .  .
        Oc Ma Tu
        .  .  .
        seat 1 | tiles Da Sh Te | cards Sw | recipes crunchy-tuna
    """)
    assert claimed(at) == {"crunchy-tuna": 1}
    assert [step.split()[0] for step in steps(at)[:3]] == ["place", "switch", "claim"]


def test_claims_before_a_later_step_breaks_the_window() -> None:
    """Covering squares for a cube comes after the claim."""
    at = table("""
        board:
        Te Ma .
        seat 1 | tiles Tu Oc Sh | cards Wa | recipes crunchy-tuna
    """)
    order = [step.split()[0] for step in steps(at)]
    assert order.index("claim") < order.index("wasabi")


def test_takes_the_tenth_token() -> None:
    at = table("""
        board:
        Te Ma .
        seat 1 | tiles Tu Oc Sh | recipes crunchy-tuna | claimed carrot-top cool-kappa eel-be-back green-card \
mums-bento shrimp-shape aki-roll futo-finish kelp-wanted
        seat 2 | claimed hanami-picnic+3 green-dragon+2 | cubes 20
    """)
    bundle = advice(at).bundle
    after = at.rules.apply_bundle(at.position, bundle)
    assert after.outcome is not None
    assert (after.outcome.ending, after.outcome.winners) == ("tokens", (0,))
    assert bundle.steps[-1].verb == "claim"


FULL_BUT_ONE = """
    board:
    Ri Ri Ri Ri .
    Ma Ma Ma Ma Ri
    Sa Tu Ye Ee Sh
    Cr Sc Oc Av Cu
    Ca Da Eg Te To
    Pi Sa Tu Ye Ee
"""


def test_fills_the_last_square_when_that_wins() -> None:
    at = table(
        FULL_BUT_ONE + "seat 1 | tiles Oc Sh Da | recipes kelp-wanted hanami-picnic tuna-turner | claimed tekkamaki"
    )
    found = advice(at)
    assert at.rules.apply_bundle(at.position, found.bundle).outcome.winners == (0,)
    assert found.reasons[0].code == "ends-game"
    assert found.reasons[0].about == {"lead": 2}


def test_leaves_the_last_square_open_when_filling_it_loses() -> None:
    at = table(
        FULL_BUT_ONE
        + "seat 1 | tiles Oc Sh Da | recipes kelp-wanted hanami-picnic tuna-turner\nseat 2 | claimed tekkamaki"
    )
    assert steps(at)[0].startswith("pass ")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("own", ["leads", "is level", "lags"])
def test_completes_a_run_of_passes_only_when_leading(players: int, own: str) -> None:
    """All recipes are dead, so the bot would like to pass."""
    claims = {"leads": ("tekkamaki", "-"), "is level": ("-", "-"), "lags": ("-", "tekkamaki")}[own]
    at = table(
        f"""
        board:
        Ur .
        this turn: owed, passes {PASSES_A_SEAT * players - 1}
        seat 1 | tiles Oc Sh Da | recipes seas-the-day street-urchin | claimed {claims[0]}
        seat 2 | claimed {claims[1]}
        """,
        players,
    )
    assert steps(at)[0].startswith("pass ") == (own == "leads")


def test_dead_recipes_are_returned() -> None:
    """The only urchin lies under two other tiles, so nobody can use it."""
    at = table("""
        board:
        Ur/Ri Ma .
        seat 1 | tiles Oc Sh Da | recipes street-urchin seas-the-day
    """)
    assert steps(at)[0].startswith("pass ")
    assert advice(at).reasons[0].code == "dead-recipes"


def test_advances_a_recipe_and_names_it() -> None:
    at = table("""
        board:
        .  .  .
        .  Te .
        seat 1 | tiles Oc Sh Tu | recipes crunchy-tuna
    """)
    crunchy_tuna = at.rules.edition.recipe_numbers["crunchy-tuna"]
    reason = advice(at).reasons[0]
    assert reason.code == "advances"
    assert reason.about.items() >= {"recipe": crunchy_tuna, "have": 2, "length": 3}.items()


def test_goes_on_in_the_middle_of_a_turn() -> None:
    """A hint may be requested after the tile, while a second one may follow, or under Stack!."""
    at = table("""
        board:
        .  Te Ma
        seat 1 | tiles Oc Sh Tu | cards Sp St | recipes crunchy-tuna
    """)
    for before in ("place Tu a1", "spicy", "spicy; place Tu a1", "stack", "place Oc d1", "place Oc d1; spicy"):
        assert "crunchy-tuna" in claimed(at.do(before)), before
