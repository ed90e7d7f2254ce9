"""8. and 9. The final round, ties, and seats that leave."""

from __future__ import annotations

import pytest

from tests.engine.described_table import Table
from tests.engine.master.table import opening, pile_of_all_but, table
from tests.engine.master.test_rulebook_examples import FULL
from wasabi_tx.engine.position import NOBODY

FULL_FOR_THREE = """
    board:
    Ri Ri Ri Ri Ri Ri
    No No No No No Tu
    Tu Tu Sa Sa Sa Ye
    Ye Ye Ee Ee Ee Sh
    Sh Sh Cr Cr Cr Sc
    Sc Sc Oc .  .  .
"""


def movers(at: Table, choice: str = "pool") -> list[int]:
    """Return who moves, turn by turn, if everyone takes the pool until the game is over."""
    order = []
    while at.position.outcome is None:
        order.append(at.mover)
        at = at.do(choice)
    return order


# 8. The end


def test_a_turn_that_ends_with_no_empty_space_starts_the_final_round_and_its_author_plays_last() -> None:
    before = table(FULL_FOR_THREE.replace("Oc", ". ") + "turn: 9, seat 2, play, first 1", players=3)
    triggered = before.do("place Oc c6; pool")
    assert triggered.position.trigger == "board"
    assert movers(triggered) == [3, 1, 2]


def test_a_space_that_is_empty_again_at_the_end_of_the_turn_starts_nothing() -> None:
    before = table(FULL.replace("Tu Tu Tu", "Tu . Tu") + "seat 1 | cards Ch")
    assert before.do("place Av b3; chop a1; pool").position.trigger == ""


def test_a_turn_that_ends_with_an_empty_pantry_starts_the_final_round() -> None:
    before = table(f"board:\n {pile_of_all_but('Av')}")
    triggered = before.do("place Av c3; pool")
    assert triggered.position.trigger == "pantry"
    assert movers(triggered) == [2, 1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_final_round_starts_after_sixty_turns_a_player(players: int) -> None:
    before = table(f"board:\n Ri\n turn: {60 * players - 1}, seat 1, play, first 1", players)
    not_yet = before.do("place Av b1; pool")
    assert not_yet.position.trigger == ""
    last = not_yet.do("place Av b2; pool")
    assert last.position.trigger == "turns"
    for n in range(players):
        last = last.do(f"place To {'abcd'[n]}3; pool" if n < 3 else "place Tu d3; pool")
    assert last.position.outcome is not None
    assert last.position.outcome.ending == "turns"


def test_the_final_round_is_not_started_again() -> None:
    before = table(FULL.replace("Tu Tu Tu", "Tu . Tu") + "final round: turns, waiting 2")
    other = before.do("place Av b3; pool")
    assert (other.position.trigger, other.position.finals) == ("turns", 0)
    assert movers(other) == [2]


def test_in_the_final_round_a_tile_is_owed_if_there_is_an_empty_space_and_serve_or_prep_is_compulsory() -> None:
    before = table("board:\n Ri\n final round: turns, waiting 2")
    before.refuses("pool", "tile-owed")
    assert before.do("place Av b1").mover == 1


@pytest.mark.parametrize(
    ("seats", "winners"),
    [
        ("seat 1 | claimed avocado-nigiri | cubes 1\n seat 2 | cubes 5", (1,)),
        ("seat 1 | claimed avocado-nigiri cuke-box | cubes 0\n seat 2 | cubes 5", (1,)),
        ("seat 1 | claimed avocado-nigiri | cubes 5\n seat 2 | claimed cuke-box | cubes 6", (0, 1)),
    ],
)
def test_values_and_wasabi_then_more_wasabi_then_the_win_is_shared(seats: str, winners: tuple[int, ...]) -> None:
    over = table(FULL + f"final round: board, waiting -\n pool: 1\n {seats}").do("pool")
    assert over.position.outcome is not None
    assert over.position.outcome.winners == winners
    assert (over.phase, over.position.mover, over.position.chef, over.legal()) == ("over", NOBODY, NOBODY, [])


# 9. Leaving


def test_a_leavers_action_cards_go_to_the_discards_and_its_recipes_to_the_bottoms_of_their_decks() -> None:
    before = table("board:\n Ri\n seat 2 | cards Ch Sw | recipes 2.9 4.9 2.8 | claimed cuke-box | cubes 3", players=3)
    after = before.do("leave 2")
    assert (after.discards, after.cards(2), after.seat(2).recipes) == ("Ch Sw", "", ())
    assert after.position.decks[2][-2:] == (2 << 8 | 9, 2 << 8 | 8)
    assert (after.claimed(2), after.seat(2).cubes, after.mover) == ([("cuke-box", 0)], 3, 1)
    assert after.do("place Av b1; pool").mover == 3


def test_leaving_in_ones_own_turn_ends_it_and_makes_the_tests_of_its_end() -> None:
    full = table(FULL_FOR_THREE + "turn: 9, seat 1, play, first 1\n pool: 4", players=3)
    after = full.do("leave 1")
    assert (after.position.trigger, after.mover, after.position.turn) == ("board", 2, 10)
    assert movers(after) == [2, 3]


def test_a_leaver_while_a_card_is_turned_up_ends_the_turn_after_the_display_is_full() -> None:
    waiting = table("board:\n Ri\n seat 1 | cards Sw Sw", players=3).do("place Av b1; gain Ch; leave 1")
    assert (waiting.phase, waiting.position.chef, waiting.discards) == ("refill", 0, "Ch Sw Sw")
    after = waiting.do("turn St")
    assert (after.phase, after.mover, after.display) == ("play", 2, "Sp St St")


def test_a_leaver_takes_no_final_turn_and_cannot_win() -> None:
    before = table(FULL_FOR_THREE + "final round: board, waiting 2 3\n seat 2 | cubes 90", players=3)
    assert movers(before.do("leave 2")) == [1, 3]
    over = before.do("leave 2; pool; pool")
    assert over.position.outcome is not None
    assert 1 not in over.position.outcome.winners
    assert over.position.outcome.scores[1] == 90


def test_one_who_vanished_makes_every_card_of_every_deck_new_but_not_those_in_hands() -> None:
    before = table("board:\n Ri\n seat 1 | recipes 2.4\n seat 2 | recipes 2.9 3.9", players=3)
    sizes = [len(deck) for deck in before.position.decks]
    after = before.do("exclude 2").position
    assert after.epoch == 1
    assert [len(deck) for deck in after.decks] == [sizes[0], sizes[1], sizes[2] + 1, sizes[3] + 1, *sizes[4:]]
    assert all(card >> 16 == 1 for deck in after.decks for card in deck)
    assert after.seats[0].recipes == (2 << 8 | 4,)


def test_with_one_seat_left_the_game_ends_as_abandoned() -> None:
    over = table("board:\n Ri\n seat 1 | cubes 5\n seat 2 | cubes 1").do("leave 1")
    assert over.position.outcome == ("abandoned", (1,), (5, 1))
    assert opening(2).do("leave 2").position.outcome == ("abandoned", (0,), (0, 1))
