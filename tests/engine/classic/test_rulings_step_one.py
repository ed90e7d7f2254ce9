"""Step 1: the tile, passing, claims."""

from __future__ import annotations

import pytest

from tests.engine.classic.table import pile_of_all_but, table

HAND = "seat 1 | tiles Tu Av Av | recipes 2.1 2.2 2.3"


# 3. The tile


def test_exactly_one_tile_is_placed() -> None:
    before = table(HAND)
    before.refuses("done", "tile-owed")
    before.refuses("place Tu a1; place Av a2", "no-tile-owed")
    assert before.do("place Tu a1").legal() == ["done"]


def test_the_tile_comes_from_the_hand() -> None:
    table(HAND).refuses("place Ri a1", "tile-not-held", tile="Ri")
    after = table(HAND).do("place Av a1")
    assert after.tiles(1) == "Tu Av"
    assert after.line("pantry") == table(HAND).line("pantry")


def test_the_square_is_empty() -> None:
    before = table("board:\n Ri\n" + HAND)
    before.refuses("place Tu a1", "square-taken", square="a1")


def test_the_square_is_uncovered() -> None:
    before = table("wasabi: b2\n" + HAND)
    for square in ("b2", "c2", "b3", "c3"):
        before.refuses(f"place Tu {square}", "square-covered", square=square)
    assert len(before.legal("place")) == 2 * (30 - 4), "two kinds of tile, every other square"


@pytest.mark.parametrize(("players", "squares"), [(2, 30), (3, 36), (4, 42)])
def test_the_square_is_any_of_the_play_area(players: int, squares: int) -> None:
    assert len(table("seat 1 | tiles Tu", players).legal("place")) == squares


def test_at_most_one_action_card_a_turn() -> None:
    before = table("board:\n Ri Ma\n seat 1 | tiles Tu Av Av | cards Sp Sw")
    assert before.legal("spicy")
    before.refuses("switch a1 b1; spicy", "one-card-a-turn")
    before.refuses("spicy; switch a1 b1", "one-card-a-turn")
    before.refuses("switch a1 b1; place Tu c1; spicy", "one-card-a-turn")


def test_an_action_card_is_played_from_ones_own_hand() -> None:
    before = table("board:\n Ri Ma\n seat 1 | tiles Tu\n seat 2 | cards Ch Sw")
    before.refuses("switch a1 b1", "card-not-held", card="Sw")
    before.refuses("chop a1", "card-not-held", card="Ch")
    before.refuses("wasabi a1", "card-not-held", card="Wa")


def test_action_cards_are_played_in_step_1_only() -> None:
    before = table("board:\n Ri Ma\n seat 1 | tiles Tu | cards Sw | recipes 2.1 2.2 2.3")
    before.refuses("place Tu c1; done; switch a1 b1", "phase", now="restock")


# 4. Passing

THREE = """
    seat 1 | tiles Tu Av Av | cards Sp | recipes tekkamaki pickle-barrel cool-kappa
    seat 2 | tiles Tu Av Ma | recipes carrot-top crunchy-tuna aki-roll
"""


def test_a_pass_skips_step_1_and_goes_on_with_step_2() -> None:
    after = table(THREE).do("pass tekkamaki")
    assert (after.mover, after.position.phase, after.line("this turn")) == (1, "restock", "passes 1")
    assert after.legal() == ["discard Sp", "draw 2", "draw 3", "draw 4", "draw 5"]
    assert after.do("draw 5").mover == 2


def test_a_pass_returns_one_or_more_recipes() -> None:
    before = table(THREE)
    before.refuses("pass", "pass-returns-nothing")
    assert len(before.legal("pass")) == 3 + 3 * 2 + 3 * 2 * 1, "every order of every choice"
    before.refuses("pass 2.1 2.1", "recipe-not-held")
    before.refuses("pass 2.9", "recipe-not-held")
    before.refuses("pass carrot-top", "recipe-not-held")


def test_a_pass_returns_none_only_if_you_hold_none() -> None:
    before = table("seat 1 | tiles Tu Av Av")
    assert before.legal("pass") == ["pass"]
    assert before.do("pass").position.phase == "restock"


def test_the_recipes_go_to_the_bottom_of_their_decks_in_the_order_given() -> None:
    before = table(THREE)
    assert before.line("deck 2") == "3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
    one = before.do("pass tekkamaki pickle-barrel cool-kappa")
    assert one.line("deck 2") == "3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 0 1"
    assert one.line("deck 3").endswith(" 14 0")
    other = before.do("pass cool-kappa tekkamaki")
    assert other.line("deck 2") == "3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 1 0"


def test_a_pass_plays_no_action_card() -> None:
    table(THREE).refuses("spicy; pass tekkamaki", "pass-too-late")
    table(THREE).refuses("pass tekkamaki; spicy", "phase", now="restock")


def test_a_pass_is_too_late_once_anything_has_been_done() -> None:
    table(THREE).refuses("place Tu a1; pass tekkamaki", "pass-too-late")


def test_passing_gives_no_reward_and_changes_no_board() -> None:
    before = table(THREE)
    after = before.do("pass tekkamaki")
    assert after.legal("take") == []
    assert after.position.board.stacks == before.position.board.stacks


def test_after_3_passes_a_seat_in_a_row_the_game_ends_at_the_end_of_that_turn() -> None:
    before = table("this turn: owed, passes 5\n" + THREE)
    sixth = before.do("pass tekkamaki")
    assert sixth.position.outcome is None, "Step 2 comes first"
    over = sixth.do("draw 2")
    assert over.position.outcome == ("passes", (0, 1), (0, 0))


@pytest.mark.parametrize(("players", "needed"), [(2, 6), (3, 9), (4, 12)])
def test_passes_are_counted_from_the_first_and_end_the_game_at_three_rounds(players: int, needed: int) -> None:
    seats = "\n".join(f"seat {n} | tiles Tu Av Sh" for n in range(1, min(players, 3) + 1))
    at = table(seats + ("\nseat 4 | tiles Sa Cu Cr" if players == 4 else ""), players)
    for passed in range(1, needed + 1):
        assert at.position.outcome is None
        at = at.do("pass" if not at.seat(at.mover).recipes else f"pass {at.legal('pass')[0].split()[1]}")
        assert at.position.passes == passed
        while at.position.phase == "restock":
            at = at.do("draw 2")
    assert at.position.outcome is not None
    assert at.position.outcome.ending == "passes"


def test_a_turn_that_is_played_breaks_the_run_of_passes() -> None:
    before = table("this turn: owed, passes 5\n" + THREE)
    after = before.do("place Tu a1; done; tile Ri")
    assert (after.position.outcome, after.position.passes) == (None, 0)


def test_the_ending_by_passes_is_scored_as_a_full_board_is() -> None:
    over = table("""
        this turn: owed, passes 5
        seat 1 | tiles Tu Av Av | recipes 2.1 2.2 2.3 | claimed aki-roll | cubes 1
        seat 2 | tiles Tu Av Ma | recipes 2.4 2.5 2.6 | claimed carrot-top cool-kappa | cubes 2
    """).do("pass 2.1; draw 2")
    assert over.position.outcome == ("passes", (1,), (6, 6)), "equal points, more cubes"


# 5. Claims

PICKLE = """
    board:
    Pi Da .  .
    seat 1 | tiles Ma Av Av | cards Ch | recipes pickle-barrel 2.7 2.8
"""


def test_a_claim_may_be_made_at_any_moment_of_step_1() -> None:
    """A claim is legal after the tile, after the following card, and before the tile if a card made the sequence."""
    after_tile = table(PICKLE).do("place Ma c1; claim pickle-barrel")
    assert after_tile.legal("chop"), "and Step 1 goes on"
    assert table(PICKLE.replace(".  .", ". Sa")).do("place Ma c1; chop d1; claim pickle-barrel").claimed(1)
    before_tile = table("""
        board:
        Pi Da .
        .  .  Ma
        seat 1 | tiles Av Av Av | cards Sw | recipes pickle-barrel
    """).do("switch c1 c2; claim pickle-barrel")
    assert before_tile.line("this turn") == "owed, played Sw, rewards 1"
    assert before_tile.do("place Av a2; done").position.phase == "restock"


def test_claims_are_limited_by_unassigned_tokens_of_that_length() -> None:
    four = "carrot-top cool-kappa eel-be-back eight-arms-to-hold"
    before = table(f"board:\n Tu .\n seat 1 | tiles Ma | recipes tekkamaki | claimed {four}")
    before.refuses("place Ma b1; claim tekkamaki", "no-token", length=2)
    assert before.do("place Ma b1").legal("claim") == []


def test_each_claim_takes_its_own_token() -> None:
    """With two recipes and one token of their length, the first claim takes the token."""
    before = table("""
        board:
        Tu .
        .  Pi
        seat 1 | tiles Ma | recipes tekkamaki in-a-pickle | claimed carrot-top cool-kappa eel-be-back
    """)
    placed = before.do("place Ma b1")
    assert len(placed.legal("claim")) == 2
    placed.refuses("claim tekkamaki; claim in-a-pickle", "no-token", length=2)


def test_a_recipe_is_claimed_once() -> None:
    placed = table(PICKLE).do("place Ma c1; claim pickle-barrel")
    placed.refuses("claim pickle-barrel", "recipe-not-held", recipe="pickle-barrel")


def test_a_claim_shows_a_recipe_of_its_decks_length_that_nobody_has_completed() -> None:
    before = table("""
        board:
        Tu .
        seat 1 | tiles Ma | recipes 2.0 3.0
        seat 2 | claimed tekkamaki
    """)
    before.refuses("place Ma b1; claim 2.0 tekkamaki", "recipe-claimed-before", recipe="tekkamaki")
    before.refuses("place Ma b1; claim 3.0 in-a-pickle", "recipe-not-held", recipe="in-a-pickle")
    before.refuses("place Ma b1; claim 2.5 in-a-pickle", "recipe-not-held", recipe="in-a-pickle")


def test_a_claim_is_judged_by_the_face_it_carries_and_not_by_the_list() -> None:
    """A step whose face is unknown is not listed, but can still be applied."""
    stranger = table("board:\n Tu .\n seat 1 | tiles Ma | recipes 2.0").do("place Ma b1")
    assert stranger.legal("claim") == []
    after = stranger.rules.apply(stranger.position, stranger.rules.parse("claim 2.0 tekkamaki")[0])
    assert after.seats[0].points == 2


def test_a_window_broken_later_in_the_turn_had_to_be_claimed_before() -> None:
    table(PICKLE).refuses("place Ma c1; chop b1; claim pickle-barrel", "not-on-the-board", recipe="pickle-barrel")
    kept = table(PICKLE).do("place Ma c1; claim pickle-barrel; chop b1")
    assert kept.claimed(1) == [("pickle-barrel", 1)], "it can never be taken away"


def test_a_window_covered_later_in_the_turn_had_to_be_claimed_before() -> None:
    before = table(PICKLE.replace("cards Ch", "cards Wa"))
    before.refuses("place Ma c1; wasabi c1; claim pickle-barrel", "not-on-the-board", recipe="pickle-barrel")
    assert before.do("place Ma c1; claim pickle-barrel; wasabi c1").seat(1).cubes == 2


def test_a_recipe_whose_sequence_lies_there_already_needs_one_of_its_squares_to_be_changed_anew() -> None:
    before = table("board:\n Tu Ma\n seat 1 | tiles Av Ma | cards St | recipes tekkamaki")
    before.refuses("place Av b2; claim tekkamaki", "not-on-the-board", recipe="tekkamaki")
    assert before.do("stack; place Ma b1; claim tekkamaki").claimed(1), "another Maki on the Maki"


def test_no_claims_in_step_2() -> None:
    table(PICKLE).refuses("place Ma c1; done; claim pickle-barrel", "phase", now="restock")


# 11. No tile in hand


def test_with_no_tile_in_hand_pass_or_chop_and_place_the_chopped_tile() -> None:
    before = table(f"""
        board:
        {pile_of_all_but("Tu Tu")} Tu .
        Tu
        seat 1 | cards Ch | recipes 2.1
    """)
    assert {line.split()[0] for line in before.legal()} == {"chop", "discard", "pass"}
    before.refuses("place Tu c1", "tile-not-held", tile="Tu")
    before.refuses("chop b1", "turn-cannot-end")
    after = before.do("chop b1 c1")
    assert after.legal() == ["done"]
    assert after.do("done; draw 3; draw 3").tiles(1) == "", "the pantry is still empty"


def test_with_no_tile_in_hand_and_no_chop_only_a_pass_is_left() -> None:
    before = table(f"""
        board:
        {pile_of_all_but("")}
        seat 1 | cards Sp Sw | recipes 2.1
        seat 2 | cards St Wa
    """)
    assert before.legal() == ["discard Sp", "discard Sw", "pass 2.1"]
    for line, code in (("spicy", "no-second-tile"), ("switch a1 b1", "turn-cannot-end")):
        before.refuses(line, code)
    other = table(f"turn: 9, seat 2, play\nboard:\n{pile_of_all_but('')}\nseat 2 | cards St Wa | recipes 2.1")
    for line, code in (("stack", "nothing-to-stack"), ("wasabi c3", "turn-cannot-end")):
        other.refuses(line, code)
