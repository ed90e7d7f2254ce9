"""Games that continue after a seat has left."""

from __future__ import annotations

import pytest

from tests.engine.classic.table import opening, table
from tests.engine.described_table import Table

ONE_LEFT = """
    board:
    Ri Ri Ri Ri Ri Ri
    Ma Ma Ma Ma Ma Ma
    Tu Tu Tu Sa Sa Sa
    Ye Ye Ye Ee Ee Ee
    Sh Sh Sh Cr Cr Cr
    Sc Sc Sc Oc Oc .
"""

LEAVING = """
    board:
    Tu/Ri .
    wasabi: d5
    seat 1 | tiles Tu Av Av | recipes 2.1 3.2 4.3 | claimed carrot-top | cubes 1
    seat 2 | tiles Ma Ma Cu | cards Ch Sw | recipes 3.0 2.0 3.1 | claimed cool-kappa california-dreamer | cubes 2
    seat 3 | tiles Ri Ri Ri | recipes 2.4 2.5 2.6
"""


@pytest.mark.parametrize("verb", ["leave", "exclude"])
def test_the_leavers_tiles_go_to_the_pantry_and_action_cards_to_the_kitchen(verb: str) -> None:
    before = table(LEAVING, 3)
    after = before.do(f"{verb} 2")
    assert (after.tiles(2), after.cards(2), after.seat(2).recipes) == ("", "", ())
    assert [
        tuple(word for word in at.line("pantry").split() if word[:2] in ("Ma", "Cu")) for at in (after, before)
    ] == [("Ma9", "Cu3"), ("Ma7", "Cu2")]
    assert (before.line("kitchen"), after.line("kitchen")) == ("Sp2 St1 Wa1", "Ch1 Sp2 St1 Sw1 Wa1")


def test_a_leavers_recipes_go_to_the_bottom_of_their_decks() -> None:
    after = table(LEAVING, 3).do("leave 2")
    assert after.line("deck 3") == "3 4 5 6 7 8 9 10 11 12 13 0 1"
    assert after.line("deck 2") == "2 3 7 8 9 10 11 12 13 14 15 16 17 18 0"
    assert after.position.epoch == 0


def test_an_excluded_seats_recipes_are_shuffled_back_so_every_card_of_every_deck_is_new() -> None:
    before = table(LEAVING, 3)
    after = before.do("exclude 2")
    assert after.position.epoch == 1
    assert after.line("deck 3") == " ".join(f"{place}@1" for place in range(13))
    assert after.seat(1).recipes == before.seat(1).recipes, "cards in the others' hands keep their names"


@pytest.mark.parametrize("verb", ["leave", "exclude"])
def test_board_completed_recipes_and_board_size_stay(verb: str) -> None:
    before = table(LEAVING, 3)
    after = before.do(f"{verb} 2")
    assert after.position.board.stacks == before.position.board.stacks
    assert after.position.covers == before.position.covers
    assert after.claimed(2) == before.claimed(2)
    assert after.seat(2).score == before.seat(2).score
    assert len(after.position.board.stacks) == 36


def test_leaving_changes_nothing_of_anothers_turn() -> None:
    placed = table(LEAVING, 3).do("place Tu b1")
    after = placed.do("leave 2")
    assert (after.mover, after.changed, after.legal()) == (1, "b1", ["done"])


def test_the_leaver_cannot_win() -> None:
    before = table(
        ONE_LEFT
        + "seat 1 | tiles Av Av Av | recipes 2.1 2.2 2.3\nseat 2 | claimed aki-roll | cubes 9\nseat 3 | cubes 1",
        3,
    )
    over = before.do("leave 2; place Av f6; done; tile Pi")
    assert over.position.outcome == ("board", (2,), (0, 14, 1))


def test_the_seat_is_skipped() -> None:
    after = table(LEAVING, 3).do("leave 2; place Tu b1; done; tile Ri")
    assert after.mover == 3
    assert after.do("place Ri c1; done; tile Ri").mover == 1


def test_the_seat_can_leave_once() -> None:
    table(LEAVING, 3).refuses("leave 2; leave 2", "seat-gone", seat=2)
    table(LEAVING, 3).refuses("leave 2; exclude 2", "seat-gone", seat=2)


def test_leaving_neither_counts_as_a_pass_nor_breaks_a_run_of_passes() -> None:
    before = table("this turn: owed, passes 3\n" + LEAVING, 3)
    for verb in ("leave 1", "leave 2", "place Tu b1; leave 1"):
        assert before.do(verb).position.passes == 3


def test_leaving_in_ones_own_turn_ends_it_without_step_2() -> None:
    before = table(LEAVING, 3)
    after = before.do("place Tu b1; leave 1")
    assert (after.mover, after.position.turn, after.line("this turn"), after.changed) == (2, 10, "owed", "")


def test_leaving_in_step_2_ends_the_turn_too() -> None:
    after = table(LEAVING, 3).do("place Tu b1; done; leave 1")
    assert (after.mover, after.position.phase, after.position.turn) == (2, "play", 10)


def test_then_the_test_for_a_full_board_is_made() -> None:
    before = table(ONE_LEFT + "seat 1 | tiles Av Av Av\nseat 2 | cubes 1", 3)
    assert before.do("leave 1").position.outcome is None
    assert before.do("place Av f6; leave 1").position.outcome == ("board", (1,), (0, 1, 0))


def test_the_full_board_is_looked_at_before_the_passes() -> None:
    before = table(ONE_LEFT + "this turn: owed, passes 6\nseat 1 | tiles Av Av Av", 3)
    assert before.do("place Av f6; leave 1").position.outcome.ending == "board"
    assert before.do("leave 1").position.outcome.ending == "passes"


def test_then_the_test_for_passes_is_made_with_the_seats_still_playing() -> None:
    before = table("this turn: owed, passes 6\n" + LEAVING, 3)
    assert before.do("leave 1").position.outcome == ("passes", (1,), (3, 7, 0))
    assert before.do("leave 2").position.outcome is None, "it is made at the end of the turn"
    assert before.do("leave 2; pass 2.1; draw 2").position.outcome.ending == "passes"
    assert before.do("leave 2; place Tu b1; done; tile Ri").position.outcome is None


def test_with_one_seat_left_the_game_ends_as_abandoned() -> None:
    over = table(LEAVING, 3).do("leave 3; exclude 2")
    assert over.position.outcome == ("abandoned", (0,), (3, 7, 0))
    two = table("seat 1 | tiles Tu | cubes 5\nseat 2 | tiles Tu").do("leave 1")
    assert two.position.outcome == ("abandoned", (1,), (5, 0))


# Leaving during setup


def hands(at: Table) -> list[str]:
    return [at.tiles(n) for n in range(1, at.rules.players + 1)]


def test_a_giver_who_leaves_is_replaced_by_the_nearest_seat_to_the_right() -> None:
    at = opening(4).do("give Tu; leave 1")
    assert at.mover == 4, "seat 2 still waits for two tiles"
    at = at.do("give Sh; give Av")
    assert (hands(at), at.mover) == (["", "Tu Sh Av", "", ""], 2)


def test_a_receiver_who_leaves_is_skipped_and_its_tiles_go_back() -> None:
    at = opening(3).do("give Tu; leave 2")
    assert ("Tu3" in at.line("pantry"), at.mover) == (True, 1), "seat 1 now chooses for seat 3"
    at = at.do("give Tu; give Sh; give Av")
    assert (hands(at), at.mover) == (["", "", "Tu Sh Av"], 3)


def test_the_last_receiver_who_leaves_ends_the_gifts() -> None:
    at = opening(3).do("; ".join(["give Tu; give Sh; give Av"] * 2) + "; leave 1")
    assert (at.position.phase, at.mover) == ("draw", 2)


def test_a_starting_player_who_left_is_followed_by_the_next_for_the_first_draws_and_turn() -> None:
    at = opening(3).do("; ".join(["give Tu; give Sh; give Av"] * 3) + "; draw 2; leave 1")
    assert (at.mover, at.line("deck 2").endswith(" 20 0")) == (2, True)
    at = at.do("draw 3; draw 3; draw 3; draw 2; draw 2; draw 2")
    assert (at.position.phase, at.mover, at.position.turn) == ("play", 2, 1)


def test_a_seat_that_leaves_before_its_first_draws_is_skipped() -> None:
    at = opening(3).do("; ".join(["give Tu; give Sh; give Av"] * 3) + "; draw 2; leave 2; draw 2; draw 2")
    assert (at.position.phase, at.mover) == ("draw", 3)
    assert at.do("draw 5; draw 5; draw 5").mover == 1
