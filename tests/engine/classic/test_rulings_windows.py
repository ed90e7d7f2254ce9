"""Rules common to both editions: changed squares, windows, style."""

from __future__ import annotations

import pytest

from tests.engine.classic.table import table

CROSS = """
    board:
    .  Tu .
    Tu .  .
    .  .  .
"""


# A square is changed this turn


def test_if_a_tile_was_laid_on_it() -> None:
    assert table("seat 1 | tiles Tu").do("place Tu c2").changed == "c2"


def test_even_if_it_shows_the_same_tile_as_before() -> None:
    """A Tuna on a Tuna, and a Tuna lifted and put back, create a line through them anew."""
    line = "board:\n Tu Ma\n seat 1 | tiles Tu | cards {card} | recipes tekkamaki"
    stacked = table(line.format(card="St")).do("stack; place Tu a1")
    assert (stacked.changed, stacked.legal("claim")) == ("a1", ["claim 2.0 tekkamaki"])
    laid_back = table(line.format(card="Ch")).do("chop a1 a1")
    assert (laid_back.changed, laid_back.legal("claim")) == ("a1", ["claim 2.0 tekkamaki"])


def test_or_if_a_switch_lets_it_show_another_tile() -> None:
    before = table("board:\n Tu .\n seat 1 | tiles Av | cards Sw")
    assert before.do("switch a1 b1").changed == "a1 b1"


def test_or_if_a_chop_lets_it_show_another_tile() -> None:
    before = table("board:\n Tu/Av Sa Ma/Ma\n seat 1 | tiles Av | cards Ch")
    assert before.do("chop a1").changed == "a1"
    assert before.do("chop b1").changed == "b1", "it shows none any more, and no line runs through it"
    assert before.do("chop c1").changed == "", "it shows a Maki as before"


def test_a_change_that_is_undone_makes_nothing_claimable() -> None:
    before = table("board:\n Tu .\n seat 1 | tiles Av | cards Ch")
    restored = before.do("place Av b1; chop b1")
    assert restored.position.board.stacks == before.position.board.stacks
    assert restored.changed == ""
    lying = "board:\n Tu Ma Ma/Ma\n seat 1 | tiles Av | cards {card} | recipes tekkamaki"
    switched = table(lying.format(card="Sw")).do("switch b1 c1")
    assert (switched.changed, switched.legal("claim")) == ("", [])
    chopped = table("board:\n Tu Ma/Ma\n seat 1 | tiles Av | cards Ch | recipes tekkamaki").do("chop b1")
    assert (chopped.changed, chopped.legal("claim")) == ("", [])


def test_a_tile_placed_this_turn_counts_where_a_switch_has_moved_it() -> None:
    """b1 shows a Tuna as when the turn began, but now it is this turn's."""
    before = table("board:\n .  Tu Ma\n seat 1 | tiles Tu | cards Sw | recipes tekkamaki")
    placed = before.do("place Tu a1")
    assert (placed.changed, placed.legal("claim")) == ("a1", [])
    switched = placed.do("switch a1 b1")
    assert (switched.changed, switched.legal("claim")) == ("a1 b1", ["claim 2.0 tekkamaki"])
    equal = table("board:\n Tu Tu Ma\n seat 1 | tiles Av | cards Sw | recipes tekkamaki").do("switch a1 b1")
    assert (equal.changed, equal.legal("claim")) == ("", []), "neither was placed this turn"


def test_a_line_in_another_order_is_created_anew() -> None:
    """Pickle Barrel lies out of order; swapping two of its tiles puts it in order, with style."""
    before = table("board:\n Da Pi Ma\n seat 1 | tiles Av | cards Sw | recipes pickle-barrel")
    after = before.do("switch a1 b1")
    assert after.changed == "a1 b1"
    assert after.do("claim pickle-barrel").claimed(1) == [("pickle-barrel", 1)]


def test_the_text_of_a_position_tells_what_was_laid_and_what_a_square_showed_before() -> None:
    before = table("board:\n Tu/Av Sa .\n seat 1 | tiles Av Av | cards Sw")
    placed = before.do("place Av c1")
    assert (placed.line("laid"), placed.line("was")) == ("c1", "")
    switched = placed.do("switch b1 c1")
    assert (switched.line("laid"), switched.line("was"), switched.changed) == ("b1", "b1=Sa c1=.", "b1 c1")
    again = table("board:\n Tu/Av Av Sa\n laid: b1\n was: b1=Sa c1=.\n this turn: played Sw\n seat 1 | tiles Av")
    assert again.rules.digest(again.position) == switched.rules.digest(switched.position)


def test_changed_squares_are_forgotten_with_the_turn() -> None:
    after = table("seat 1 | tiles Tu Av Av | recipes 2.1 2.2 2.3").do("place Tu c2; done; tile Ri")
    assert (after.mover, after.changed, after.line("laid")) == (2, "", "")


# A window counts if


@pytest.mark.parametrize("square", ["b1", "b2", "b3"])
def test_a_window_may_run_across_and_down(square: str) -> None:
    before = table("""
        board:
        Tu .  Tu
        .  .  .
        .  .  .
        .  Tu .
        seat 1 | tiles Ma | recipes tekkamaki
    """)
    touching = square != "b2"
    assert bool(before.do(f"place Ma {square}").legal("claim")) is touching


def test_a_window_is_straight() -> None:
    """Maki and Tuna touching at a corner, or a bent row of three, are not a sequence."""
    before = table(CROSS + "seat 1 | tiles Ma Te | recipes tekkamaki crunchy-tuna")
    before.refuses("place Ma c2; claim tekkamaki", "not-on-the-board", recipe="tekkamaki")
    bent = table("board:\n Te Ma\n .  .\n seat 1 | tiles Tu | recipes crunchy-tuna")
    bent.refuses("place Tu b2; claim crunchy-tuna", "not-on-the-board", recipe="crunchy-tuna")


def test_a_window_does_not_wrap_around_the_edge() -> None:
    before = table("board:\n . . . . Tu\n seat 1 | tiles Ma | recipes tekkamaki")
    before.refuses("place Ma a2; claim tekkamaki", "not-on-the-board", recipe="tekkamaki")


def test_a_window_is_gapless() -> None:
    before = table("board:\n Te Ma . .\n seat 1 | tiles Tu | recipes crunchy-tuna")
    before.refuses("place Tu d1; claim crunchy-tuna", "not-on-the-board", recipe="crunchy-tuna")
    assert before.do("place Tu c1; claim crunchy-tuna").claimed(1)


def test_a_window_holds_no_covered_square() -> None:
    before = table("""
        board:
        .  Tu .
        Pi .  .
        wasabi: b1
        seat 1 | tiles Ma | recipes tekkamaki in-a-pickle
    """)
    before.refuses("place Ma a1; claim tekkamaki", "not-on-the-board", recipe="tekkamaki")
    assert before.do("place Ma a1; claim in-a-pickle").claimed(1) == [("in-a-pickle", 0)]


def test_of_a_stack_only_the_top_tile_counts() -> None:
    before = table("""
        board:
        Tu/Pi .
        seat 1 | tiles Ma | recipes tekkamaki in-a-pickle
    """)
    before.refuses("place Ma b1; claim tekkamaki", "not-on-the-board", recipe="tekkamaki")
    assert before.do("place Ma b1; claim in-a-pickle").claimed(1)


@pytest.mark.parametrize("row", ["Te Ma .", "Ma Te .", "Te . Ma", "Ma . Te", ". Te Ma", ". Ma Te"])
def test_a_window_holds_the_ingredients_in_any_order(row: str) -> None:
    before = table(f"board:\n {row}\n seat 1 | tiles Tu | recipes crunchy-tuna")
    square = "abc"[row.split().index(".")]
    assert before.do(f"place Tu {square}1; claim crunchy-tuna").claimed(1)[0][0] == "crunchy-tuna"


def test_a_window_holds_each_ingredient_as_often_as_the_strip() -> None:
    """Tuna Turner has two Tuna: Tu Te Tu Ma Pi."""
    once = table("board:\n Sa Te . Ma Pi\n seat 1 | tiles Tu | recipes tuna-turner")
    once.refuses("place Tu c1; claim tuna-turner", "not-on-the-board", recipe="tuna-turner")
    twice = table("board:\n Tu Te . Ma Pi\n seat 1 | tiles Tu | recipes tuna-turner")
    assert twice.do("place Tu c1; claim tuna-turner").claimed(1) == [("tuna-turner", 3)]


def test_tiles_beside_the_sequence_are_irrelevant() -> None:
    before = table("board:\n Ri Tu . Ri\n Ri Ri Ri Ri\n seat 1 | tiles Ma | recipes tekkamaki")
    assert before.do("place Ma c1; claim tekkamaki").claimed(1)


def test_at_least_one_square_of_the_window_was_changed_by_the_author_this_turn() -> None:
    before = table("""
        board:
        Tu Ma
        seat 1 | tiles Av Cu Da | recipes tekkamaki 3.0 3.1
        seat 2 | tiles Ri Ri Ri | recipes 3.2 3.3 3.4
    """)
    before.refuses("claim tekkamaki", "not-on-the-board", recipe="tekkamaki")
    before.refuses("place Av c1; claim tekkamaki", "not-on-the-board", recipe="tekkamaki")
    theirs = table("""
        turn: 9, seat 2, play
        board:
        Tu .
        seat 1 | tiles Ma Ma Ma | recipes tekkamaki 3.0 3.1
        seat 2 | tiles Ma Ri Ri | recipes 3.2 3.3 3.4
    """).do("place Ma b1; done; tile Ri")
    assert theirs.mover == 1
    theirs.refuses("claim tekkamaki", "not-on-the-board", recipe="tekkamaki")
    assert theirs.do("place Ma a2; claim tekkamaki").claimed(1)


def test_the_other_tiles_may_be_anybodys() -> None:
    before = table("""
        turn: 9, seat 2, play
        board:
        Pi .
        seat 1 | tiles Ma Ma Ma | recipes pickle-barrel 3.4 3.1
        seat 2 | tiles Da Ri Ri | recipes 3.2 3.3 2.4
    """)
    assert before.do("place Da b1; done; tile Ri; place Ma c1; claim pickle-barrel").claimed(1)


# Several recipes, style


def test_windows_of_several_recipes_may_overlap_and_share_tiles() -> None:
    before = table("""
        board:
        Te .  Tu
        seat 1 | tiles Ma | recipes crunchy-tuna tekkamaki
    """)
    after = before.do("place Ma b1; claim crunchy-tuna; claim tekkamaki")
    assert after.claimed(1) == [("crunchy-tuna", 1), ("tekkamaki", 0)]


@pytest.mark.parametrize(
    ("rows", "square"),
    [("Pi Da . ", "c1"), (". Da Pi", "a1"), ("Pi\n Da\n .", "a3"), (".\n Da\n Pi", "a1")],
)
def test_with_style_is_the_order_of_the_strip_read_in_either_direction(rows: str, square: str) -> None:
    before = table(f"board:\n {rows}\n seat 1 | tiles Ma | recipes pickle-barrel")
    assert before.do(f"place Ma {square}; claim pickle-barrel").claimed(1) == [("pickle-barrel", 1)]


@pytest.mark.parametrize(
    ("row", "recipe", "cubes"),
    [(". Tu", "tekkamaki", 0), (". Da Pi", "pickle-barrel", 1), (". Te Sa Ca", "aki-roll", 2)],
)
def test_style_is_worth_nothing_for_2_one_cube_for_3_two_for_4(row: str, recipe: str, cubes: int) -> None:
    before = table(f"board:\n {row}\n seat 1 | tiles Ma | recipes {recipe}")
    assert before.do(f"place Ma a1; claim {recipe}").seat(1).cubes == cubes


def test_style_is_worth_three_cubes_for_5() -> None:
    before = table("board:\n . Ca Av Da To\n seat 1 | tiles Ma | recipes garden-variety")
    assert before.do("place Ma a1; claim garden-variety").seat(1).cubes == 3


@pytest.mark.parametrize("changed", ["c1", "c3"])
def test_the_claim_takes_the_best_window(changed: str) -> None:
    """One Maki lies between a window without style and one with it, whichever comes first on the board."""
    rows = {"c1": "Da Pi .  Da Pi", "c3": "Pi Da .  Pi Da"}[changed]
    empty = "\n .\n ." if changed == "c3" else ""
    before = table(f"board:{empty}\n {rows}\n seat 1 | tiles Ma | recipes pickle-barrel")
    assert before.do(f"place Ma {changed}; claim pickle-barrel").claimed(1) == [("pickle-barrel", 1)]
