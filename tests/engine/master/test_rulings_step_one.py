"""2. to 4. Tiles, teacups, action cards, and when a tile is owed."""

from __future__ import annotations

import pytest

from tests.engine.master.table import pile_of_all_but, table
from tests.engine.master.test_rulebook_examples import FULL

# 2. One tile, and the cups


def test_one_tile_comes_straight_from_the_pantry_to_an_empty_space() -> None:
    before = table("board:\n Ri .")
    before.refuses("place Av a1", "square-taken", square="a1")
    before.refuses("place Av d6", "square-has-cup", square="d6")
    placed = before.do("place Av b1")
    assert placed.pantry("Av") == 2
    placed.refuses("place Av c1", "no-tile-owed")


def test_a_tile_that_the_pantry_lacks_cannot_be_placed() -> None:
    before = table("board:\n Ro .")
    assert not [step for step in before.legal("place") if " Ro " in step]
    before.refuses("place Ro b1", "pantry-empty", tile="Ro")


def test_a_cup_may_be_moved_to_any_empty_space_before_or_after_the_tile() -> None:
    before = table("board:\n Ri .\n cups: c3 d3")
    empty = 6 * 5 - 3
    assert len(before.legal("cup")) == 2 * empty
    before.refuses("cup c3 a1", "square-taken", square="a1")
    before.refuses("cup c3 d3", "square-has-cup", square="d3")
    before.refuses("cup b1 b2", "no-cup", square="b1")
    moved = before.do("place Av b1; cup c3 e5")
    assert (moved.square("c3"), moved.square("e5")) == ("", "cup")


def test_between_two_changes_of_the_board_each_cup_is_moved_at_most_once() -> None:
    before = table("board:\n Ri .\n cups: c3 d3\n seat 1 | cards Ch Sp")
    moved = before.do("cup c3 c4")
    moved.refuses("cup c4 c5", "cup-moved-before", square="c4")
    both = moved.do("cup d3 c3")
    assert both.legal("cup") == []
    for change in ("place Av b1", "chop a1", "spicy Av b1"):
        assert both.do(change).do("cup c4 c5").square("c5") == "cup"


def test_moved_cups_are_marked_in_the_position_until_serve_or_prep_is_chosen() -> None:
    moved = table("board:\n Ri .\n cups: c3 d3").do("place Av b1; cup c3 c4")
    assert moved.position.moved == 1 << moved.rules.grid.parse_square("c4")
    following = moved.do("pool")
    assert (following.mover, following.position.moved) == (2, 0)
    assert "cup c4 c5" in following.legal("cup")


def test_a_cup_move_is_no_contribution() -> None:
    before = table("board:\n Av Ri .\n cups: c1 d6\n seat 1 | recipes avocado-nigiri")
    moved = before.do("cup c1 c2; place To e5")
    assert moved.legal("serve") == []
    moved.refuses("serve avocado-nigiri", "not-on-the-board", recipe="avocado-nigiri")


# 3. Action cards


def test_any_number_of_action_cards_a_turn_two_of_a_kind_too() -> None:
    before = table("board:\n Ri No\n seat 1 | cards Ch Ch")
    after = before.do("chop a1; place Av a1; chop b1")
    assert (after.cards(1), after.discards, after.square("b1")) == ("", "Ch Ch", "")


@pytest.mark.parametrize("step", ["chop a1", "spicy Av c1", "stack Av a1", "switch a1 b1"])
def test_a_card_that_is_not_held_cannot_be_played(step: str) -> None:
    codes = {"chop": "Ch", "spicy": "Sp", "stack": "St", "switch": "Sw"}
    table("board:\n Ri .").refuses(step, "card-not-held", card=codes[step.split()[0]])


def test_none_of_the_cards_gained_this_turn_may_be_played() -> None:
    """Every card is gained after Serve or Prep was chosen, and from then on no card may be played."""
    before = table("board:\n Cl .\n seat 1 | recipes mirugai small-fry")
    gained = before.do("place Ri b1; serve mirugai; gain Ch; turn Sw")
    assert (gained.cards(1), gained.phase) == ("Ch", "serve")
    gained.refuses("chop a1", "phase", now="serve")


def test_chop_returns_the_top_tile_of_a_space_to_the_pantry() -> None:
    before = table("board:\n Ri/Av\n seat 1 | cards Ch")
    after = before.do("chop a1")
    assert (after.square("a1"), after.pantry("Av")) == ("Ri", 3)
    before.refuses("chop b1", "square-empty", square="b1")


def test_a_tile_revealed_by_chop_counts_as_changed_and_an_emptied_space_serves_nothing() -> None:
    revealed = table("board:\n Ri/Tu Av\n seat 1 | cards Ch | recipes avocado-nigiri").do("chop a1; place To e5")
    assert revealed.legal("serve") == ["serve 2.0 avocado-nigiri"]
    emptied = table("board:\n Av Ri\n .  To\n seat 1 | cards Ch | recipes avocado-nigiri").do("chop b2; place To e5")
    assert emptied.legal("serve") == []
    same = table("board:\n Av/Av Ri\n seat 1 | cards Ch | recipes avocado-nigiri").do("chop a1; place To e5")
    assert (same.changed, same.legal("serve")) == ("e5", []), "the space shows an Avocado as before"


def test_chop_and_stack_do_not_apply_to_cups() -> None:
    before = table("board:\n Ri\n cups: c3 d3\n seat 1 | cards Ch St")
    before.refuses("chop c3", "square-has-cup", square="c3")
    before.refuses("stack Av c3", "square-has-cup", square="c3")


def test_switch_exchanges_all_that_two_adjacent_spaces_hold() -> None:
    before = table("board:\n Ri/Av No .\n .  .  Tu\n cups: d2 e6\n seat 1 | cards Sw")
    assert (before.do("switch a1 b1").square("a1"), before.do("switch a1 b1").square("b1")) == ("No", "Ri/Av")
    with_cup = before.do("switch c2 d2")
    assert (with_cup.square("c2"), with_cup.square("d2")) == ("cup", "Tu")
    with_nothing = before.do("switch b1 c1")
    assert (with_nothing.square("b1"), with_nothing.square("c1")) == ("", "No")
    before.refuses("switch d2 e2", "nothing-to-switch", square="d2", other="e2")
    before.refuses("switch a1 c1", "not-adjacent", square="a1", other="c1")
    before.refuses("switch b1 a1", "not-adjacent", square="b1", other="a1")


def test_a_switch_of_two_equal_tiles_contributes_nothing() -> None:
    before = table("board:\n Av Ri Ri\n seat 1 | cards Sw | recipes avocado-nigiri")
    after = before.do("switch b1 c1; place To e5")
    assert (after.changed, after.legal("serve")) == ("e5", [])


def test_a_tile_placed_this_turn_contributes_where_a_switch_has_moved_it() -> None:
    before = table("board:\n .  Ri Av\n seat 1 | cards Sw | recipes avocado-nigiri")
    placed = before.do("place Ri a1")
    assert (placed.changed, placed.legal("serve")) == ("a1", [])
    switched = placed.do("switch a1 b1")
    assert (switched.changed, switched.legal("serve")) == ("a1 b1", ["serve 2.0 avocado-nigiri"])


def test_a_switch_inside_a_line_contributes_its_new_order() -> None:
    before = table("board:\n Av Sa No\n seat 1 | cards Sw | recipes sake-avo-maki")
    after = before.do("switch a1 b1; place To e5; serve sake-avo-maki")
    assert after.claimed(1) == [("sake-avo-maki", 1)]


@pytest.mark.parametrize("tile", ["Tu", "Av"])
def test_a_stack_undone_by_a_chop_contributes_nothing(tile: str) -> None:
    before = table("board:\n Av Ri\n seat 1 | cards Ch St | recipes avocado-nigiri")
    stacked = before.do(f"stack {tile} a1")
    assert stacked.changed == "a1"
    after = stacked.do("chop a1; place To e5")
    assert (after.changed, after.line("laid"), after.legal("serve")) == ("e5", "e5", [])


def test_two_switches_that_undo_each_other_contribute_nothing() -> None:
    before = table("board:\n Av Ri\n seat 1 | cards Sw Sw | recipes avocado-nigiri")
    after = before.do("switch a1 a2; switch a1 a2")
    assert (after.changed, after.position.board.stacks) == ("", before.position.board.stacks)


def test_a_tile_laid_on_its_like_contributes_and_takes_that_along_when_it_is_switched() -> None:
    before = table("board:\n Ri Ri\n .  Av\n seat 1 | cards St Sw | recipes avocado-nigiri")
    stacked = before.do("stack Ri a1")
    assert stacked.changed == "a1", "no Avocado lies beside it"
    switched = stacked.do("switch a1 b1; place To e5")
    assert (switched.changed, switched.line("laid")) == ("b1 e5", "b1 e5")
    assert switched.legal("serve") == ["serve 2.0 avocado-nigiri"]


@pytest.mark.parametrize("order", ["spicy Av b1; place Tu c1", "place Tu c1; spicy Av b1"])
def test_spicy_places_an_extra_tile_from_the_pantry_now(order: str) -> None:
    before = table("board:\n Ri\n seat 1 | cards Sp")
    before.refuses("spicy Av a1", "square-taken", square="a1")
    after = before.do(order)
    assert (after.square("b1"), after.square("c1"), after.pantry("Av")) == ("Av", "Tu", 2)
    assert "pool" in after.verbs()


def test_spicy_does_not_place_this_turns_tile() -> None:
    after = table("board:\n Ri\n seat 1 | cards Sp").do("spicy Av b1")
    after.refuses("pool", "tile-owed")


@pytest.mark.parametrize("order", ["stack Tu b1; place To e5", "place To e5; stack Tu b1"])
def test_stack_places_an_extra_tile_from_the_pantry_now_on_top_of_a_tile(order: str) -> None:
    """Action cards are played in addition to the mandatory ingredient from the pantry."""
    before = table("board:\n Ri Av\n seat 1 | cards St | recipes stay-tunad avocado-nigiri")
    before.refuses("stack Tu c1", "square-empty", square="c1")
    after = before.do(order)
    assert (after.square("b1"), after.square("e5"), after.pantry("Tu")) == ("Av/Tu", "To", 2)
    assert after.legal("serve") == ["serve 2.0 stay-tunad"], "what lies below is out of sight"
    after.refuses("place Tu c1", "no-tile-owed")


def test_stack_does_not_place_this_turns_tile() -> None:
    table("board:\n Ri\n seat 1 | cards St").do("stack Av a1").refuses("pool", "tile-owed")


def test_cards_and_cup_moves_only_before_serve_or_prep_is_chosen() -> None:
    before = table("board:\n Cl .\n cups: c3 d3\n seat 1 | cards Sw | recipes mirugai peter-piper crab-and-go")
    serving = before.do("place Ri b1; serve mirugai; gain Ch; turn Ch")
    serving.refuses("switch a1 b1", "phase", now="serve")
    serving.refuses("cup c3 c4", "phase", now="serve")
    prepped = before.do("place Ri b1; exchange mirugai")
    prepped.refuses("switch a1 b1", "phase", now="exchange")
    prepped.refuses("cup c3 c4", "phase", now="exchange")


# 4. When a tile is owed


def test_serve_and_prep_wait_for_the_tile() -> None:
    before = table("board:\n Av .\n .  Ri\n seat 1 | cards Sw | recipes avocado-nigiri")
    switched = before.do("switch b1 b2")
    for step in ("serve avocado-nigiri", "gain Ch", "pool", "exchange avocado-nigiri"):
        switched.refuses(step, "tile-owed")
    assert {"serve", "gain", "pool", "exchange"} <= set(switched.do("place To e5").verbs())


def test_no_tile_is_owed_without_an_empty_space() -> None:
    before = table(FULL + "final round: board, waiting 2")
    assert before.verbs() == ["exchange", "gain", "pool"]


def test_no_tile_is_owed_with_an_empty_pantry() -> None:
    before = table(f"board:\n {pile_of_all_but('')}\n final round: pantry, waiting 2")
    assert before.verbs() == ["cup", "exchange", "gain", "pool"]


def test_a_chop_that_makes_a_tile_playable_makes_it_owed_again() -> None:
    on_a_full_board = table(FULL + "final round: board, waiting 2\n seat 1 | cards Ch").do("chop c3")
    on_a_full_board.refuses("pool", "tile-owed")
    assert "place Tu c3" in on_a_full_board.legal("place")
    with_no_pantry = table(f"board:\n {pile_of_all_but('')}\n final round: pantry, waiting 2\n seat 1 | cards Ch")
    chopped = with_no_pantry.do("chop a1")
    assert {step.split()[1] for step in chopped.legal("place")} == {"Oy"}
    chopped.refuses("pool", "tile-owed")


def test_a_chop_after_the_tile_makes_no_second_tile_owed() -> None:
    assert "pool" in table("board:\n Ri\n seat 1 | cards Ch").do("place Av b1; chop a1").verbs()


def test_spicy_on_the_last_empty_space_leaves_no_tile_owed() -> None:
    after = table(FULL.replace("Tu Tu Tu", "Tu . Tu") + "seat 1 | cards Sp").do("spicy Av b3")
    assert "pool" in after.verbs()


def test_on_a_full_board_stack_is_the_way_to_play_this_turns_tile() -> None:
    before = table(FULL + "final round: board, waiting 2\n seat 1 | cards St | recipes avocado-nigiri")
    after = before.do("stack Av a2; serve avocado-nigiri")
    assert after.claimed(1) == [("avocado-nigiri", 0)]
