"""The worked examples of the second edition's rulebook, each under its own name."""

from __future__ import annotations

import pytest

from tests.engine.master.table import table


def test_tile_play_example_scallop() -> None:
    before = table("board:\n Ri . No")
    after = before.do("place Sc b1")
    assert after.square("b1") == "Sc"
    assert after.pantry("Sc") == before.pantry("Sc") - 1
    assert "place" not in after.verbs(), "the rest of the turn follows"


def test_tile_play_example_avocado_where_a_teacup_stood() -> None:
    before = table("board:\n Ri . No\n cups: b1 e6")
    before.refuses("place Av b1", "square-has-cup", square="b1")
    after = before.do("cup b1 c4; place Av b1")
    assert (after.square("b1"), after.square("c4")) == ("Av", "cup")


def test_serving_example_sake_avo_maki_out_of_order() -> None:
    before = table("board:\n Av Sa .\n seat 1 | recipes sake-avo-maki")
    after = before.do("place No c1; serve sake-avo-maki")
    assert after.claimed(1) == [("sake-avo-maki", 0)], "completed, but not in the order of the strip"
    assert (after.seat(1).points, after.seat(1).cubes) == (4, 0)


def test_multi_serving_example_sake_avo_maki_and_avocado_nigiri_with_one_avocado() -> None:
    before = table("""
        board:
        No Sa .
        .  .  Ri
        seat 1 | recipes sake-avo-maki avocado-nigiri
    """)
    placed = before.do("place Av c1")
    assert placed.legal("serve") == ["serve 2.0 avocado-nigiri", "serve 3.0 sake-avo-maki"]
    after = placed.do("serve sake-avo-maki; serve avocado-nigiri")
    assert after.claimed(1) == [("sake-avo-maki", 0), ("avocado-nigiri", 0)]
    assert after.seat(1).points == 6


@pytest.mark.parametrize("row", ["Tu Av Ri .", ". Ri Av Tu"])
def test_serving_with_style_example_red_dragon_gains_two_wasabi(row: str) -> None:
    """Style counts in either direction on the board; the wasabi comes from the supply, not from the pool."""
    before = table(f"board:\n {row}\n seat 1 | recipes red-dragon\n pool: 5")
    after = before.do(f"place Ee {'d1' if row.endswith('.') else 'a1'}; serve red-dragon")
    assert after.claimed(1) == [("red-dragon", 2)]
    assert (after.seat(1).points, after.seat(1).cubes, after.position.pool) == (8, 2, 5)


def test_serving_with_style_example_down_the_board() -> None:
    before = table("board:\n Ee\n Ri\n .\n Tu\n seat 1 | recipes red-dragon")
    assert before.do("place Av a3; serve red-dragon").seat(1).cubes == 2


def test_mirugai_example_length_two_gives_an_action_card_from_the_display() -> None:
    before = table("board:\n Cl .\n seat 1 | recipes mirugai")
    served = before.do("place Ri b1; serve mirugai")
    assert served.seat(1).cubes == 0, "never wasabi"
    assert served.legal() == ["gain Ch", "gain Sp", "gain St"]
    after = served.do("gain Sp; turn Sw")
    assert (after.cards(1), after.display) == ("Sp", "Ch St Sw")


def test_action_card_example_dynamite_roll_by_switch() -> None:
    """A Cucumber lies where the neighbouring Shrimp should be."""
    before = table("""
        board:
        No Te Cu Av
        .  .  Sh .
        seat 1 | cards Sw | recipes dynamite-roll
    """)
    after = before.do("switch c1 c2; place Ri e5; serve dynamite-roll")
    assert after.claimed(1) == [("dynamite-roll", 2)]
    assert (after.cards(1), after.discards) == ("", "Sw")


def test_teacups_example_one_empty_space_and_four_cups_are_five_playable_spaces() -> None:
    before = table(
        """
        board:
        Ri Ri Ri Ri Ri Ri Ri
        No No No No No Tu Tu
        Tu Sa Sa Sa Ye Ye Ye
        Ee Ee Ee Sh Sh Sh Cr
        Cr Cr Sc Sc Sc Oc Oc
        Oc Av .  .  .  .  .
        cups: d6 e6 f6 g6
        """,
        players=4,
    )
    at_once = {step.split()[2] for step in before.legal("place")}
    assert at_once == {"c6"}
    after_a_move = {
        step.split()[2] for cup in before.legal("cup") for step in before.do(cup).legal("place") if cup.endswith("c6")
    }
    assert at_once | after_a_move == {"c6", "d6", "e6", "f6", "g6"}


FULL = """
    board:
    Ri Ri Ri Ri Ri
    No No No No No
    Tu Tu Tu Sa Sa
    Sa Ye Ye Ye Ee
    Ee Ee Sh Sh Sh
    Cr Cr Cr .  .
    cups: d6 e6
"""


def test_endgame_example_the_full_two_player_board() -> None:
    """Everyone takes one final turn, in which only action cards can accomplish anything."""
    last = table(FULL.replace("Cr Cr Cr", "Cr Cr . ") + "seat 2 | cards Ch Sw")
    other = last.do("place Cr c6; pool")
    assert (other.position.trigger, other.mover) == ("board", 2)
    assert "place" not in other.verbs()
    chopped = other.do("chop a1")
    assert "pool" not in chopped.verbs(), "a space is empty again, so that a tile is played as usual"
    mine = chopped.do("place Av a1; switch a1 a2; pool")
    assert mine.mover == 1
    assert mine.verbs() == ["exchange", "gain", "pool"], "no card, no space: nothing to serve"
    over = mine.do("pool")
    assert over.position.outcome is not None
    assert over.position.outcome.ending == "board"


def test_scoring_example_33_and_11_are_44() -> None:
    served = "claimed the-maine-course caviar-emptor red-dragon sake-avo-maki | cubes 10"
    before = table(FULL + f"final round: board, waiting -\n pool: 1\n seat 1 | {served}\n seat 2 | cubes 43")
    over = before.do("pool")
    assert over.seat(1).points == 33
    assert over.seat(1).cubes == 11
    assert over.position.outcome == ("board", (0,), (44, 43))
