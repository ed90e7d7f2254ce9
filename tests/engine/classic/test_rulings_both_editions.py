"""Rules common to both editions: the author's choice, piles, open and hidden information, ties."""

from __future__ import annotations

import pytest

from tests.engine.classic.table import pile_of_all_but, table
from tests.engine.described_table import Table
from wasabi_tx.engine.board import stack_tiles
from wasabi_tx.engine.editions import edition_text, rules_from_text
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position_text import format_position
from wasabi_tx.engine.sealed_card import deck_of

# Choice, never automatic


def test_completing_is_the_authors_choice() -> None:
    before = table("board:\n Tu .\n seat 1 | tiles Ma Av Av | recipes tekkamaki 3.0 3.1").do("place Ma b1")
    assert before.legal() == ["claim 2.0 tekkamaki", "done"]
    silent = before.do("done")
    assert silent.claimed(1) == []
    assert silent.legal("take") == [], "no reward either"


def test_step_1_ends_only_by_the_authors_explicit_step() -> None:
    """The turn waits even when only ending it is possible, so that nobody learns what could have been done."""
    placed = table("seat 1 | tiles Tu Av Av | recipes 2.1 2.2 2.3").do("place Tu a1")
    assert (placed.position.phase, placed.mover) == ("play", 1)
    assert placed.legal() == ["done"]
    claimed = table("board:\n Tu .\n seat 1 | tiles Ma | recipes tekkamaki").do("place Ma b1; claim tekkamaki")
    assert claimed.legal() == ["done"]


def test_cubes_never_run_out() -> None:
    before = table("seat 1 | tiles Tu | cards Wa | cubes 500")
    assert before.do("wasabi a1").seat(1).cubes == 501


# Piles


def test_an_empty_pile_of_tiles_cannot_be_chosen() -> None:
    before = table("""
        board:
        Ri Ri Ri Ri Ri
        Ri Ri Ri Ri Ma
        seat 1 | tiles Tu Av Av | recipes 2.1 2.2 2.3
    """)
    restocking = before.do("place Tu a3; done")
    assert "tile Ma" in restocking.legal()
    restocking.refuses("tile Ri", "pantry-empty", tile="Ri")


def test_an_empty_deck_cannot_be_chosen() -> None:
    before = table(
        """
        turn: 9, seat 1, restock
        seat 1 | tiles Tu Tu Tu | claimed garden-variety
        seat 2 | recipes 5.0 5.1 5.2 | claimed tuna-turner
        seat 3 | recipes 5.3
        """,
        players=3,
    )
    assert before.legal() == ["draw 2", "draw 3", "draw 4"]
    before.refuses("draw 5", "deck-empty", deck=5)


def test_an_action_card_that_is_not_in_the_kitchen_cannot_be_chosen() -> None:
    before = table("""
        board:
        Tu .
        seat 1 | tiles Ma | recipes tekkamaki
        seat 2 | cards Ch St
    """).do("place Ma b1; claim tekkamaki; done")
    assert before.legal() == ["take Sp", "take Sw", "take Wa"]
    before.refuses("take Ch", "card-not-there", card="Ch")


def test_if_all_piles_of_tiles_are_empty_hold_fewer() -> None:
    before = table(f"""
        board:
        {pile_of_all_but("Ri Ri Ri Ma")}
        seat 1 | tiles Ri Ri Ri | recipes 2.1 2.2 2.3
        seat 2 | tiles Ma | recipes 2.4 2.5 2.6
    """)
    after = before.do("place Ri a2; done")
    assert (after.mover, after.tiles(1)) == (2, "Ri Ri")


def test_if_all_decks_are_empty_hold_fewer() -> None:
    head, *recipes = edition_text("classic").split("[[recipe]]")
    rules = rules_from_text("[[recipe]]".join([head, *recipes[:4]]), 2)
    drawing = Table(rules, rules.start(0), {}).do("give Tu; give Sh; give Av; give Tu; give Sh; give Av")
    after = drawing.do("draw 2; draw 2; draw 2; draw 2")
    assert after.position.phase == "play"
    assert [len(seat.recipes) for seat in after.position.seats] == [3, 1]


# Open and hidden


def test_tiles_cards_cubes_tokens_lengths_and_passes_are_open() -> None:
    seen = table("""
        this turn: owed, passes 2
        seat 1 | tiles Tu | recipes tekkamaki pickle-barrel | claimed carrot-top | cubes 4
        seat 2 | tiles Ma Ma | cards Ch Sw | recipes in-a-pickle
    """)
    position = observe(seen.rules, seen.position, None, seen.faces).position
    mine, theirs = position.seats
    assert [len(mine.tiles), len(theirs.tiles), len(theirs.cards), mine.cubes] == [1, 2, 2, 4]
    assert mine.tokens == bytes((0, 0, 3, 3, 2, 1))
    assert [deck_of(card) for card in mine.recipes] == [2, 3]
    assert seen.line("this turn") == "owed, passes 2"


def test_recipe_faces_are_hidden_from_all_but_their_owner() -> None:
    seen = table("seat 1 | tiles Tu | recipes tekkamaki\n seat 2 | recipes in-a-pickle pickle-barrel")
    names = seen.rules.edition.recipe_numbers
    views = [observe(seen.rules, seen.position, seat, seen.faces).faces for seat in (0, 1, None)]
    assert [sorted(view.values()) for view in views] == [
        [names["tekkamaki"]],
        [names["in-a-pickle"], names["pickle-barrel"]],
        [],
    ]


def test_returned_recipes_go_back_unseen() -> None:
    before = table("seat 1 | tiles Tu Tu Tu | recipes tekkamaki 3.0 3.1\n seat 2 | recipes 2.1")
    after = before.do("pass tekkamaki")
    assert after.line("deck 2").endswith(" 20 0"), "at the bottom, under its own name"
    assert "tekkamaki" not in format_position(after.rules, after.position, {})
    for seat in (0, 1, None):
        assert observe(after.rules, after.position, seat, after.faces).faces == {}


def test_anyone_may_look_at_what_lies_under_stacks_and_wasabi_cards() -> None:
    seen = table("board:\n Tu/Av/Ma Sa/Ye\n wasabi: b1\n seat 1 | tiles Tu")
    board = observe(seen.rules, seen.position, None, seen.faces).position.board
    codes = seen.rules.edition.tile_numbers
    assert stack_tiles(board.stacks[0]) == (codes["Tu"], codes["Av"], codes["Ma"])
    assert stack_tiles(board.stacks[1]) == (codes["Sa"], codes["Ye"])


# Cards and the turn's end


@pytest.mark.parametrize("card", ["Ch", "St", "Sw"])
def test_a_card_may_be_played_only_if_its_effect_can_be_carried_out_now(card: str) -> None:
    """On an empty board there is nothing to chop, to stack on or to switch."""
    before = table(f"seat 1 | tiles Tu Tu Tu | cards {card}")
    assert {line.split()[0] for line in before.legal()} == {"discard", "pass", "place"}


def test_a_card_may_be_played_only_if_the_turn_can_still_be_finished() -> None:
    """Seat 1 has no tile to place: only Chop! with the chopped tile finishes the turn."""
    before = table(f"""
        board:
        {pile_of_all_but("Tu Tu")} Tu Tu
        seat 1 | cards Ch Sw
    """)
    assert {line.split()[0] for line in before.legal()} == {"chop", "discard", "pass"}
    assert all(len(line.split()) == 3 for line in before.legal("chop"))
    before.refuses("chop b1", "turn-cannot-end")
    before.refuses("switch a1 b1", "turn-cannot-end")


# Ties


FULL = """
    board:
    Ri Ri Ri Ri Ri .
    Ma Ma Ma Ma Ma Ma
    Tu Tu Tu Sa Sa Sa
    Sc Ye Ye Ye Ee Ee
    Ee Sc Sh Sh Sh Av
    Cr Cr Cr Av Av Sc
"""


def finished(*seats: str) -> tuple[int, ...]:
    hands = [f"seat {n} | tiles Te Pi Cu | recipes 3.{3 * n} 3.{3 * n + 1} 3.{3 * n + 2} | {seat}"
             for n, seat in enumerate(seats, 1)]  # fmt: skip
    over = table(FULL + "\n".join(hands), players=3).do("place Te f1; done; tile To")
    winners: tuple[int, ...] = over.position.outcome.winners
    return winners


def test_more_cubes_decide_a_tie_among_the_tied_leaders_only() -> None:
    """Seat 3 has the most cubes but fewer points, so it has no part in the tie."""
    assert finished("claimed aki-roll | cubes 1", "claimed carrot-top cool-kappa | cubes 2", "cubes 5") == (1,)


def test_a_draw_is_among_the_tied_leaders_only_and_lists_them_in_seat_order() -> None:
    assert finished("claimed carrot-top | cubes 3", "cubes 3", "claimed cool-kappa | cubes 3") == (0, 2)


def test_a_draw_of_all_lists_all() -> None:
    assert finished("cubes 0", "cubes 0", "cubes 0") == (0, 1, 2)
