"""The five action cards."""

from __future__ import annotations

import pytest

from tests.engine.classic.table import ONE_LEFT, table
from wasabi_tx.engine.board import stack_tiles

RICE, MAKI, TUNA, AVOCADO = 1, 2, 3, 11

# 6. Stack!

STACK = "board:\n Ri Tu/Av .\n wasabi: a5\n seat 1 | tiles Ma Cu Cu | cards St | recipes 2.1 2.2 2.3"


def test_stack_lets_this_turns_tile_go_on_another_tile() -> None:
    table(STACK).refuses("place Ma a1", "square-taken", square="a1")
    after = table(STACK).do("stack; place Ma a1")
    assert stack_tiles(after.position.board.stacks[0]) == (RICE, MAKI)


def test_stack_leaves_an_empty_square_allowed() -> None:
    assert table(STACK).do("stack; place Ma c1; done").position.phase == "restock"


def test_stack_has_no_height_limit() -> None:
    at = table("board:\n Ri/Ri/Ri/Ri/Ri/Ri/Ri/Ri/Ma/Ma/Ma/Ma/Ma/Ma/Ma/Ma\n seat 1 | tiles Ma | cards St")
    after = at.do("stack; place Ma a1")
    assert stack_tiles(after.position.board.stacks[0]) == (RICE,) * 8 + (MAKI,) * 9


def test_stack_comes_before_the_tile() -> None:
    table(STACK).refuses("place Ma c1; stack", "nothing-to-stack")


def test_stack_is_for_this_turns_tile_alone() -> None:
    after = table(STACK).do("stack; place Ma a1")
    assert after.legal() == ["done"]
    next_turn = after.do("done; tile Ri; pass; tile Ri; tile Ri; tile Ri; draw 3; draw 3; draw 3")
    next_turn.refuses("place Cu a1", "square-taken", square="a1")


def test_stack_needs_an_uncovered_tile_on_the_board() -> None:
    table("seat 1 | tiles Ma | cards St").refuses("stack", "nothing-to-stack")
    table("board:\n Ri\n wasabi: a1\n seat 1 | tiles Ma | cards St").refuses("stack", "nothing-to-stack")


def test_stack_does_not_reach_under_wasabi() -> None:
    before = table("board:\n Ri . Tu\n wasabi: a1\n seat 1 | tiles Ma | cards St")
    before.refuses("stack; place Ma a1", "square-covered", square="a1")
    before.refuses("stack; place Ma b1", "square-covered", square="b1")


def test_a_stacked_tile_completes_and_breaks_recipes_like_any_other() -> None:
    before = table("board:\n Tu Pi\n seat 1 | tiles Ma | cards St | recipes tekkamaki in-a-pickle")
    after = before.do("stack; place Ma b1")
    assert after.legal("claim") == ["claim 2.0 tekkamaki"], "the Pickle is no longer in play"


# 7. Chop!

CHOP = """
    board:
    Ri Tu/Av .
    Pi .     Da
    wasabi: d5
    seat 1 | tiles Ma Cu Cu | cards Ch | recipes 2.1 2.2 2.3
"""


def test_chop_may_come_before_or_after_the_tile() -> None:
    assert table(CHOP).do("chop a1; place Ma c1; done").position.phase == "restock"
    assert table(CHOP).do("place Ma c1; chop a1; done").position.phase == "restock"


def test_chop_sends_the_top_tile_of_an_uncovered_square_to_the_pantry() -> None:
    after = table(CHOP).do("chop b1")
    assert ("Av3" in after.line("pantry"), "Tu2" in after.line("pantry")) == (True, True)
    assert after.position.board.stacks[1] == TUNA, "the Tuna lies open"
    assert after.position.board.stacks[0] == RICE


def test_chop_needs_a_tile_on_an_uncovered_square() -> None:
    table(CHOP).refuses("chop c1", "square-empty", square="c1")
    covered = table("board:\n Ri . Tu\n wasabi: a1\n seat 1 | tiles Ma | cards Ch")
    covered.refuses("chop a1", "square-covered", square="a1")
    assert "chop c1" in covered.legal()


def test_the_chopped_tile_may_be_placed_at_once_as_this_turns_tile() -> None:
    before = table(CHOP)
    after = before.do("chop b1 e4")
    assert after.position.board.stacks[19] == AVOCADO
    assert after.line("this turn") == "played Ch"
    assert after.changed == "b1 e4"
    assert after.line("pantry") == before.line("pantry")
    after.refuses("place Ma c1", "no-tile-owed")


def test_the_hand_then_stays_at_3() -> None:
    after = table(CHOP).do("chop a1 c1; done")
    assert (after.mover, after.tiles(1)) == (2, "Ma Cu Cu"), "nothing to restock: the turn is over"


def test_the_chopped_tile_is_placed_only_if_no_tile_has_been_placed_yet() -> None:
    table(CHOP).refuses("place Ma c1; chop a1 b2", "no-tile-owed")
    assert all(len(line.split()) == 2 for line in table(CHOP).do("place Ma c1").legal("chop"))


def test_the_chopped_tile_goes_on_any_empty_uncovered_square() -> None:
    targets = {line.split()[2] for line in table(CHOP).legal("chop") if line.startswith("chop b1 ")}
    assert len(targets) == 30 - 4 - 4, "not on the four squares with tiles, not on the four covered ones"
    table(CHOP).refuses("chop a1 d5", "square-covered", square="d5")
    table(CHOP).refuses("chop a1 a2", "square-taken", square="a2")


def test_that_includes_the_square_it_came_from_if_that_is_now_empty() -> None:
    after = table(CHOP).do("chop a1 a1")
    assert (after.position.board.stacks[0], after.changed) == (RICE, "a1")
    table(CHOP).refuses("chop b1 b1", "square-taken", square="b1")


def test_a_recipe_may_be_completed_by_a_tile_that_chop_reveals() -> None:
    before = table("board:\n Tu/Av Ma\n seat 1 | tiles Cu | cards Ch | recipes tekkamaki")
    assert before.do("chop a1; claim tekkamaki").claimed(1) == [("tekkamaki", 0)]


def test_a_recipe_may_be_completed_by_the_chopped_tile() -> None:
    before = table("board:\n Tu . . Ma\n seat 1 | tiles Cu | cards Ch | recipes tekkamaki")
    assert before.do("chop d1 b1; claim tekkamaki").claimed(1) == [("tekkamaki", 0)]


# 8. Spicy!

SPICY = "board:\n Tu . .\n seat 1 | tiles Ma Te Cu | cards Sp | recipes tekkamaki crunchy-tuna 2.3"


def test_spicy_before_the_tile_lets_two_tiles_be_placed() -> None:
    after = table(SPICY).do("spicy; place Ma b1; place Te c1")
    assert after.changed == "b1 c1"
    after.refuses("place Cu d1", "no-tile-owed")
    assert after.do("done").legal("tile")


def test_spicy_after_the_tile_lets_a_second_be_placed() -> None:
    after = table(SPICY).do("place Ma b1; claim tekkamaki; spicy; place Te c1; claim crunchy-tuna")
    assert after.claimed(1) == [("tekkamaki", 0), ("crunchy-tuna", 1)]
    assert after.legal() == ["done"]


def test_the_second_tile_is_optional() -> None:
    for line in ("spicy; place Ma b1; done", "place Ma b1; spicy; done"):
        assert table(SPICY).do(line).position.phase == "restock"
    table(SPICY).refuses("spicy; done", "tile-owed")


def test_spicy_before_the_tile_needs_two_tiles_in_hand() -> None:
    table("seat 1 | tiles Ma | cards Sp").refuses("spicy", "no-second-tile")
    assert table("seat 1 | tiles Ma Ma | cards Sp").legal("spicy")


def test_spicy_after_the_tile_needs_one_tile_and_an_empty_uncovered_square() -> None:
    table("seat 1 | tiles Ma | cards Sp").refuses("place Ma a1; spicy", "no-second-tile")
    assert table("seat 1 | tiles Ma Ma | cards Sp").do("place Ma a1").legal("spicy")


def test_spicy_needs_a_square_for_each_tile() -> None:
    before = table(ONE_LEFT + "seat 1 | tiles Av Av Av | cards Sp")
    before.refuses("spicy", "no-second-tile")
    before.refuses("place Av e6; spicy", "no-second-tile")
    two = table(ONE_LEFT.replace("Sc .", ". .") + "seat 1 | tiles Av Av Av | cards Sp")
    assert two.do("spicy; place Av d6; place Av e6").legal() == ["done"]


def test_all_rules_hold_for_both_tiles() -> None:
    before = table(SPICY + "\n wasabi: d5")
    for line in ("spicy; place Ma b1", "place Ma b1; spicy"):
        before.refuses(f"{line}; place Te a1", "square-taken", square="a1")
        before.refuses(f"{line}; place Te d5", "square-covered", square="d5")
        before.refuses(f"{line}; place Ma c1", "tile-not-held", tile="Ma")


# 9. Switch!

SWITCH = """
    board:
    Tu Ri .
    .  Av/Ma .
    wasabi: d5
    seat 1 | tiles Cu Cu Cu | cards Sw | recipes tekkamaki 2.2 2.3
"""


def test_switch_may_come_before_or_after_the_tile() -> None:
    assert table(SWITCH).do("switch a1 b1; place Cu e1; done").position.phase == "restock"
    assert table(SWITCH).do("place Cu e1; switch a1 b1; done").position.phase == "restock"


def test_switch_exchanges_whole_contents() -> None:
    after = table(SWITCH).do("switch b1 b2")
    assert stack_tiles(after.position.board.stacks[1]) == (AVOCADO, MAKI)
    assert stack_tiles(after.position.board.stacks[6]) == (RICE,)


def test_switch_needs_at_least_one_tile() -> None:
    table(SWITCH).refuses("switch a3 a4", "nothing-to-switch", square="a3", other="a4")
    assert table(SWITCH).do("switch a1 a2").position.board.stacks[5] == TUNA, "either square may be empty"


@pytest.mark.parametrize(("one", "other"), [("a1", "b2"), ("a1", "c1"), ("a1", "a1"), ("b1", "a1"), ("e1", "a2")])
def test_switch_takes_two_orthogonally_adjacent_squares_the_first_one_first(one: str, other: str) -> None:
    table(SWITCH).refuses(f"switch {one} {other}", "not-adjacent", square=one, other=other)


def test_switch_takes_uncovered_squares_of_the_play_area() -> None:
    before = table("board:\n Tu Ma .\n wasabi: b1\n seat 1 | tiles Cu | cards Sw")
    before.refuses("switch a1 b1", "square-covered", square="b1")
    before.refuses("switch c1 d1", "square-covered", square="c1")
    assert before.legal("switch") == ["switch a1 a2"]


def test_equal_contents_may_be_switched_and_nothing_counts_as_changed() -> None:
    before = table("board:\n Tu Tu\n .  Ma\n seat 1 | tiles Cu | cards Sw | recipes tekkamaki")
    after = before.do("switch a1 b1")
    assert (after.changed, after.line("this turn")) == ("", "owed, played Sw")
    after.refuses("claim tekkamaki", "not-on-the-board", recipe="tekkamaki")


def test_a_recipe_may_be_completed_by_switching_tiles_into_place() -> None:
    assert table(SWITCH).do("switch b1 b2; claim tekkamaki").claimed(1) == [("tekkamaki", 0)]


# 10. Wasabi!

WASABI = "board:\n Tu Ri .\n . Av/Ma .\n wasabi: d5\n seat 1 | tiles Cu Cu Cu | cards Wa | recipes tekkamaki 2.2 2.3"


def test_wasabi_may_come_before_or_after_the_tile() -> None:
    assert table(WASABI, 4).do("wasabi a1; place Cu e1; done").position.phase == "restock"
    assert table(WASABI, 4).do("place Cu e1; wasabi a1; done").position.phase == "restock"


def test_wasabi_gives_one_cube_at_once() -> None:
    assert table(WASABI, 4).do("wasabi a1").seat(1).cubes == 1


def test_wasabi_covers_a_free_2_x_2_inside_the_play_area() -> None:
    before = table("seat 1 | tiles Cu | cards Wa")
    assert len(before.legal("wasabi")) == 4 * 5
    for square in ("e1", "a6", "e6"):
        before.refuses(f"wasabi {square}", "wasabi-does-not-fit", square=square)


def test_wasabi_may_cover_occupied_and_empty_squares_alike() -> None:
    after = table(WASABI, 4).do("wasabi a1")
    assert after.position.board.blocked == [0, 1, 7, 8, 31, 32, 38, 39]
    assert after.position.board.stacks == table(WASABI, 4).position.board.stacks


@pytest.mark.parametrize("square", ["c4", "d4", "e4", "c5", "d5", "e5"])
def test_wasabi_does_not_overlap_another_even_partially(square: str) -> None:
    table(WASABI, 4).refuses(f"wasabi {square}", "wasabi-does-not-fit", square=square)


def test_if_a_tile_is_still_owed_an_empty_uncovered_square_must_remain() -> None:
    before = table(ONE_LEFT + "seat 1 | tiles Av Av Av | cards Wa")
    before.refuses("wasabi d5", "wasabi-does-not-fit", square="d5")
    assert "wasabi a1" in before.legal()
    assert before.do("place Av e6; wasabi d5").legal() == ["done"]


def test_covered_squares_take_no_part_in_placing_matching_chop_switch_and_stack() -> None:
    board = "board:\n Tu Ri .\n Ma .\n wasabi: a1\n"
    before = table(board + "seat 1 | tiles Ma Cu | cards Ch St | recipes tekkamaki", 3)
    before.refuses("place Ma b2", "square-covered", square="b2")
    before.refuses("chop a1", "square-covered", square="a1")
    before.refuses("stack", "nothing-to-stack")
    before.refuses("place Ma c1; claim tekkamaki", "not-on-the-board", recipe="tekkamaki")
    switch = table(board + "seat 1 | tiles Ma Cu | cards Sw Wa", 3)
    switch.refuses("switch a1 b1", "square-covered", square="a1")
    switch.refuses("wasabi a1", "wasabi-does-not-fit", square="a1")


def test_what_lies_under_wasabi_is_in_play_again_when_it_is_taken_off() -> None:
    before = table("""
        board:
        Tu .
        .  .  Pi .
        wasabi: a1
        seat 1 | tiles Ma Ma Ma | recipes in-a-pickle 2.2 2.3
        seat 2 | tiles Ma Ri Ri | recipes tekkamaki 2.5 2.6
    """).do("place Ma d2; claim in-a-pickle; done; take Wa a1; tile Cu; draw 2")
    assert before.do("place Ma b1; claim tekkamaki").claimed(2) == [("tekkamaki", 0)]
