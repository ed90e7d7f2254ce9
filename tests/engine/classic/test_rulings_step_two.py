"""Step 2: rewards, tiles, recipes, in this order."""

from __future__ import annotations

import re

from tests.engine.classic.table import opening, pile_of_all_but, table
from tests.engine.described_table import Table
from wasabi_tx.engine.editions import edition_text, rules_from_text
from wasabi_tx.engine.position_text import format_position, parse_position

TWO = """
    board:
    .  .  Tu
    Pi Da .
    seat 1 | tiles Ma Cu Cu | recipes tekkamaki pickle-barrel 2.5
"""
"""A Maki on c2 completes two recipes."""
BOTH = "place Ma c2; claim tekkamaki; claim pickle-barrel; done"


# 12. Rewards


def test_one_action_card_for_each_recipe_completed() -> None:
    after = table(TWO).do(BOTH)
    assert after.line("this turn") == "rewards 2"
    assert after.do("take Ch; take Sw").legal("take") == []
    assert after.do("take Ch; take Sw").cards(1) == "Ch Sw"


def test_no_recipe_no_reward() -> None:
    table(TWO).refuses("place Ma c2; done; take Ch", "no-reward")
    table(TWO).refuses("place Ma c2; done; forgo", "no-reward")


def test_one_pick_at_a_time() -> None:
    """The first pick's card is not available to the second."""
    table(TWO).refuses(f"{BOTH}; take Ch; take Ch", "card-not-there", card="Ch")


def test_the_card_comes_from_the_kitchen_or_is_a_wasabi_card_lying_on_the_board() -> None:
    after = table(TWO + "wasabi: d5\n", 3).do(BOTH)
    assert after.legal() == ["take Ch", "take Sp", "take St", "take Sw", "take Wa", "take Wa d5"]
    after.refuses("take Wa a1", "card-not-there", card="Wa")
    after.refuses("take Ch d5", "card-not-there", card="Ch")
    from_board = after.do("take Wa d5")
    assert (from_board.line("wasabi"), from_board.line("kitchen")) == ("", after.line("kitchen"))
    from_kitchen = after.do("take Wa")
    assert (from_kitchen.line("wasabi"), "Wa" in from_kitchen.line("kitchen")) == ("d5", False)


def test_any_player_may_take_a_wasabi_card_whoever_placed_it() -> None:
    before = table("""
        turn: 9, seat 2, play
        board:
        Tu .
        seat 1 | tiles Ma Ma Ma | recipes tekkamaki 2.1 2.2
        seat 2 | tiles Ri Ri Ri | cards Wa | recipes 2.3 2.4 2.5
    """).do("wasabi d5; place Ri a3; done; tile Ri; place Ma b1; claim tekkamaki; done")
    assert before.do("take Wa d5").cards(1) == "Wa"


def test_not_the_type_played_this_turn() -> None:
    before = table(TWO.replace("| recipes", "| cards Ch | recipes").replace("Tu", "Tu Ri"))
    after = before.do("place Ma c2; claim tekkamaki; chop d1; done")
    assert after.legal() == ["take Sp", "take St", "take Sw", "take Wa"]
    after.refuses("take Ch", "type-played-this-turn", card="Ch")


def test_a_wasabi_card_played_this_turn_is_not_taken_back_from_the_board() -> None:
    before = table(TWO.replace("| recipes", "| cards Wa | recipes"), 3)
    after = before.do("place Ma c2; claim tekkamaki; wasabi d5; done")
    assert after.legal() == ["take Ch", "take Sp", "take St", "take Sw"], "nor its twin from the kitchen"
    after.refuses("take Wa d5", "type-played-this-turn", card="Wa")
    after.refuses("take Wa", "type-played-this-turn", card="Wa")


def test_unless_nothing_else_is_there() -> None:
    """Three players have all cards except the two Spicy!, one of which was just played."""
    before = table(
        TWO.replace("| recipes", "| cards Sp Ch | recipes") + "seat 2 | cards St Sw\nseat 3 | cards Wa Wa", 3
    )
    after = before.do("spicy; place Ma c2; claim tekkamaki; claim pickle-barrel; done")
    assert after.line("kitchen") == "Sp2"
    assert after.legal() == ["discard Ch", "take Sp"]


def test_that_is_tested_at_each_pick() -> None:
    """Switch! is available at the first pick; at the second only Spicy!, the type that was played."""
    before = table(TWO.replace("| recipes", "| cards Sp | recipes") + "seat 2 | cards St Ch\nseat 3 | cards Wa Wa", 3)
    first = before.do("spicy; place Ma c2; claim tekkamaki; claim pickle-barrel; done")
    assert (first.line("kitchen"), first.legal()) == ("Sp2 Sw1", ["take Sw"])
    assert first.do("take Sw").legal("take") == ["take Sp"]


def test_with_fewer_than_2_in_hand_a_card_must_be_taken() -> None:
    after = table(TWO).do(BOTH)
    after.refuses("forgo", "must-take-card")
    after.refuses("take Ch; forgo", "must-take-card")
    after.refuses("tile Ri", "reward-first")
    after.refuses("draw 2", "reward-first")


FULL_HAND = TWO.replace("| recipes", "| cards Ch Sp | recipes")


def test_with_2_discard_one_to_the_kitchen_and_take_one() -> None:
    after = table(FULL_HAND).do(BOTH)
    assert after.legal() == ["discard Ch", "discard Sp", "forgo"]
    after.refuses("take Sw", "hand-full")
    after.refuses("discard Sw", "card-not-held", card="Sw")
    exchanged = after.do("discard Ch; take St")
    assert exchanged.cards(1) == "Sp St"
    assert exchanged.line("kitchen") == "Ch1 Sw1 Wa1"


def test_or_forgo() -> None:
    after = table(FULL_HAND).do(BOTH).do("forgo; forgo")
    assert after.cards(1) == "Ch Sp"
    assert "tile Ri" in after.legal()


def test_a_card_discarded_may_be_the_one_that_is_then_taken() -> None:
    assert table(FULL_HAND).do(BOTH).do("discard Ch; take Ch; forgo").cards(1) == "Ch Sp"


def test_with_2_a_discard_makes_room_for_a_wasabi_card_off_the_board() -> None:
    after = table(FULL_HAND + "wasabi: d5\n").do(BOTH).do("discard Sp")
    assert after.legal("take") == ["take Sp", "take St", "take Sw", "take Wa d5"]
    assert after.do("take Wa d5").line("wasabi") == ""


def test_never_more_than_2_action_cards_in_hand() -> None:
    after = table(TWO.replace("| recipes", "| cards Ch | recipes")).do(BOTH)
    after.refuses("take Sp; take St", "hand-full")
    assert after.do("take Sp; discard Sp; take St").cards(1) == "Ch St"


def test_with_a_full_hand_the_type_played_comes_back_only_if_nothing_else_is_there_at_all() -> None:
    """Wasabi! was played and Switch! taken; the card discarded to make room lies in the kitchen, so it can be taken
    too.
    """
    before = table("""
        board:
        .
        .  .  .  Tu
        .  Pi Da .
        seat 1 | tiles Ma Cu Cu | cards Wa Ch | recipes pickle-barrel tekkamaki 2.5
        seat 2 | cards Sp St
    """)
    after = before.do("place Ma d3; claim pickle-barrel; claim tekkamaki; wasabi a5; done; take Sw")
    assert after.legal() == ["discard Ch", "discard Sw", "forgo"]
    after.refuses("discard Sw; take Wa a5", "type-played-this-turn", card="Wa")
    assert after.do("discard Sw").legal("take") == ["take Sw"]
    assert after.do("discard Ch; take Ch").line("wasabi") == "a5", "it stays on the board"


# Discarding at any time


def test_action_cards_may_be_discarded_into_the_kitchen_at_any_time() -> None:
    """Cards can be discarded before, between and after all steps of the turn, whenever their owner is to move."""
    before = table(TWO.replace("| recipes", "| cards Ch Sp | recipes"))
    steps = ["place Ma c2", "claim tekkamaki", "claim pickle-barrel", "done", "forgo", "forgo", "tile Ri", "draw 3"]
    for count in range(len(steps)):
        after = before.do("; ".join([*steps[:count], "discard Ch"]))
        assert (after.mover, after.cards(1), after.line("kitchen")) == (1, "Sp", "Ch1 St1 Sw1 Wa1")
        before.refuses("; ".join([*steps[:count], "discard Ch", "discard Ch"]), "card-not-held", card="Ch")
    both = before.do("discard Ch; discard Sp")
    assert (both.cards(1), both.legal("discard"), both.line("this turn")) == ("", [], "owed")


def test_a_discard_is_no_play_of_the_card() -> None:
    before = table("board:\n Tu Ma\n seat 1 | tiles Cu | cards Ch Sp | recipes 2.1")
    after = before.do("discard Sp; chop a1")
    assert after.line("this turn") == "owed, played Ch", "one card a turn may still be played"
    assert before.do("discard Ch; pass 2.1").line("this turn") == "passes 1", "and a turn may still be passed"


def test_a_discard_belongs_to_its_owners_turn() -> None:
    before = table("seat 1 | tiles Cu\nseat 2 | cards Ch")
    before.refuses("discard Ch", "card-not-held", card="Ch")
    opening().refuses("discard Ch", "phase", now="give")


def test_who_may_hold_one_more_card_may_discard_first_and_take_that_card_back() -> None:
    """The only other reward lies on the board; taking it would keep a full board from ending the game."""
    before = table(
        f"""
        board:
        {"Ri " * 5}
        {"Ma " * 5}
        Tu Sa Ye Ee Sh
        Cr Sc Oc Av Cu
        Ca Da Eg .  Te
        To Pi Tu Sa Ye
        wasabi: d5
        seat 1 | tiles Ma Cu Cu | cards Ch Sw | recipes tekkamaki 2.5 2.6 | cubes 15
        seat 2 | cards Sp St
    """.replace(f"{'Ma ' * 5}", "Ma Ma Ma Ma Tu", 1).replace(f"{'Ri ' * 5}", "Ri Ri Ri Ri .", 1)
    )
    after = before.do("place Ma e1; claim tekkamaki; switch a1 b1; done")
    assert after.legal() == ["discard Ch", "take Wa d5"], "Switch! was played this turn"
    on = after.do("take Wa d5; tile Ri; draw 2")
    assert on.position.outcome is None, "four squares are uncovered, one of them empty"
    back = after.do("discard Ch")
    assert back.legal() == ["take Ch", "take Wa d5"]
    over = back.do("take Ch; tile Ri; draw 2").position.outcome
    assert (over.ending, over.winners) == ("board", (0,))


def test_rewards_lapse_where_no_card_lies_in_the_kitchen_or_on_the_board() -> None:
    """In the printed edition hands never contain all cards; in an edition with fewer cards they can."""
    bare = re.sub(r"count = \{ 2 = \d", "count = { 2 = 0", edition_text("classic"))
    before = table(TWO)
    text = format_position(before.rules, before.position, before.faces).replace("kitchen: Ch1 Sp1 St1 Sw1 Wa1\n", "")
    after = Table(*parse_position(text, lambda _, players: rules_from_text(bare, players))).do(BOTH)
    assert (after.line("kitchen"), after.line("this turn")) == ("-", "-")
    assert after.legal() == after.legal("tile")


# 13. Tiles


def test_then_tiles_to_3_from_the_pantry_free_choice_among_what_is_left() -> None:
    after = table("board:\n Na\n seat 1 | tiles Ma | recipes 2.1 2.2 2.3").do("place Ma b1; done")
    pantry = after.line("pantry").split()
    assert after.legal() == [f"tile {counted.rstrip('0123456789')}" for counted in pantry]
    assert ("tile Ro" in after.legal(), "tile Na" in after.legal()) == (True, False)
    full = after.do("tile Ro; tile Ri; tile Ri")
    assert (full.mover, full.tiles(1)) == (2, "Ri Ri Ro")


def test_tiles_come_before_recipes() -> None:
    after = table("seat 1 | tiles Ma Cu Cu | recipes 2.1 2.2").do("place Ma b1; done")
    after.refuses("draw 2", "tile-first")
    after.do("tile Ma").refuses("tile Ma", "no-tile-wanted")


def test_with_fewer_tiles_left_than_wanted_hold_fewer() -> None:
    before = table(f"""
        board:
        {pile_of_all_but("Ri Ma Ma")}
        seat 1 | tiles Ri | recipes 2.1 2.2 2.3
    """).do("place Ri b1; done")
    assert before.legal() == ["tile Ma"]
    after = before.do("tile Ma; tile Ma")
    assert (after.mover, after.tiles(1), after.line("pantry")) == (2, "Ma Ma", "-")


# 14. Recipes


def test_then_recipes_to_3_free_choice_of_length_one_at_a_time() -> None:
    after = table("seat 1 | tiles Ma Cu Cu | recipes 2.1").do("place Ma b1; done; tile Ri")
    assert after.legal() == ["draw 2", "draw 3", "draw 4", "draw 5"]
    one = after.do("draw 5")
    assert (one.mover, one.legal()) == (1, ["draw 2", "draw 3", "draw 4", "draw 5"])
    assert one.do("draw 3").mover == 2


def test_each_recipe_is_seen_before_the_next() -> None:
    at = table("seat 1 | tiles Ma Cu Cu | recipes 2.1").do("place Ma b1; done; tile Ri")
    (step,) = at.rules.parse("draw 5")
    assert at.rules.closes(at.position, step, at.do("draw 5").position)


def test_the_top_card_is_drawn_and_joins_the_hand_last() -> None:
    at = table("seat 1 | tiles Ma Ma Ma | recipes 4.5 2.1\ndeck 2: 7 3 0 2 4 5 6 8 9 10 11 12 13 14 15 16 17 18 19 20")
    after = at.do("pass 4.5; draw 2; draw 2")
    assert after.seat(1).recipes == (2 << 8 | 1, 2 << 8 | 7, 2 << 8 | 3)


def test_a_length_without_a_token_may_be_drawn() -> None:
    at = table("seat 1 | tiles Ma Cu Cu | claimed tuna-turner").do("place Ma b1; done; tile Ri")
    assert at.seat(1).tokens[5] == 0
    assert "draw 5" in at.legal()


def test_the_turn_is_over_when_nothing_is_wanted() -> None:
    after = table("seat 1 | tiles Ma Cu Cu | recipes 2.1 2.2 2.3").do("place Ma b1; done; tile Ri")
    assert (after.mover, after.position.phase, after.position.turn) == (2, "play", 10)
