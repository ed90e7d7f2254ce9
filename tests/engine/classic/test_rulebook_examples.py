"""The worked examples of the rulebook, each under its own name."""

from __future__ import annotations

import pytest

from tests.engine.classic.table import table

LAST_SQUARE = """
    board:
    Ri Ri Ri Ri Ri
    Ma Ma Ma Ma Ma
    Tu Tu Tu Sa Sa
    Sa Ye Ye Ye Ee
    Ee .  Sh Sh Sh
    Cr Cr Cr .  .
    wasabi: d5
"""
"""Only b5 is empty: d6 and e6 lie under the Wasabi! card."""


def test_completing_example_crunchy_tuna() -> None:
    before = table("""
        board:
        .  .  .
        Ma .  Tu
        seat 1 | tiles Te | recipes crunchy-tuna
    """)
    after = before.do("place Te b2; claim crunchy-tuna")
    assert after.claimed(1) == [("crunchy-tuna", 0)], "completed, but not in the order of the strip"
    assert after.seat(1).points == 3
    assert after.seat(1).cubes == 0


@pytest.mark.parametrize(("row", "cubes"), [("Ma Da .", 1), ("Da Ma .", 0)])
def test_recipe_completion_example_pickle_barrel(row: str, cubes: int) -> None:
    """A token of length 3 is assigned to it; the order of the strip, read here from the right, gives its one cube."""
    before = table(f"""
        board:
        {row}
        seat 1 | tiles Pi | recipes pickle-barrel
    """)
    assert before.seat(1).tokens == bytes((0, 0, 4, 3, 2, 1))
    after = before.do("place Pi c1; claim pickle-barrel")
    assert after.seat(1).tokens == bytes((0, 0, 4, 2, 2, 1))
    assert after.seat(1).recipes == ()
    assert after.claimed(1) == [("pickle-barrel", cubes)]
    assert (after.seat(1).points, after.seat(1).cubes) == (3, cubes)


def test_multiple_completing_example_pickle_barrel_and_tekkamaki() -> None:
    before = table("""
        board:
        .  .  Tu
        Pi Da .
        seat 1 | tiles Ma | recipes tekkamaki pickle-barrel
    """)
    placed = before.do("place Ma c2")
    assert placed.legal("claim") == ["claim 2.0 tekkamaki", "claim 3.0 pickle-barrel"]
    after = placed.do("claim tekkamaki; claim pickle-barrel")
    assert after.claimed(1) == [("tekkamaki", 0), ("pickle-barrel", 1)], "with style: one cube"
    assert after.seat(1).tokens == bytes((0, 0, 3, 2, 2, 1))
    assert after.seat(1).score == 2 + 3 + 1


def test_game_end_b_example_23_points() -> None:
    """An Egg fills the last square; 8 + 3 + 5 + 2 + 2 and three cubes."""
    mine = "claimed tuna-turner crunchy-tuna aki-roll carrot-top cool-kappa | cubes 3"
    before = table(
        LAST_SQUARE
        + f"""
        seat 1 | tiles Eg Te To | recipes 2.5 3.5 4.5 | {mine}
        seat 2 | tiles Av Av Av | recipes 2.6 3.6 4.6 | claimed kelp-wanted futo-finish | cubes 0
        """
    )
    filled = before.do("place Eg b5; done")
    assert filled.position.outcome is None, "only at the very end: Step 2 comes first"
    over = filled.do("tile Pi")
    assert over.position.outcome is not None
    assert over.position.outcome == ("board", (0,), (23, 13))
    assert over.legal() == []


def test_game_end_b_note_a_wasabi_card_taken_as_the_reward_leaves_the_board_not_full() -> None:
    before = table(
        LAST_SQUARE.replace("Ee .  Sh Sh Sh", "Ri .  Sh Sh Sh")
        + """
        seat 1 | tiles Eg Te To | recipes sunny-side-sushi 3.5 4.5
        seat 2 | tiles Av Av Av | recipes 2.6 3.6 4.6
        """
    )
    rewarded = before.do("place Eg b5; claim sunny-side-sushi; done")
    pulled_off = rewarded.do("take Wa d5; tile Pi; draw 2")
    assert pulled_off.position.outcome is None
    assert (pulled_off.mover, pulled_off.position.phase) == (2, "play")
    assert "place Av d6" in pulled_off.legal("place"), "the square below is empty again"
    from_the_kitchen = rewarded.do("take Ch; tile Pi; draw 2")
    assert from_the_kitchen.position.outcome is not None
    assert from_the_kitchen.position.outcome.ending == "board"
