"""5. to 7. Serve, prep, and gaining action cards."""

from __future__ import annotations

import pytest

from tests.engine.described_table import Table
from tests.engine.master.table import table
from wasabi_tx.engine.errors import Illegal
from wasabi_tx.engine.position import NOBODY
from wasabi_tx.engine.step import Bundle

# 5. Serve


def test_all_recipes_are_served_from_one_board_and_a_sequence_broken_earlier_in_the_turn_is_lost() -> None:
    before = table("board:\n Av . To\n seat 1 | cards Ch | recipes avocado-nigiri tofu-fighters")
    placed = before.do("place Ri b1")
    assert len(placed.legal("serve")) == 2
    assert placed.do("chop c1").legal("serve") == ["serve 2.0 avocado-nigiri"]


def test_what_was_not_changed_this_turn_is_not_served() -> None:
    before = table("board:\n Av Ri\n seat 1 | recipes avocado-nigiri").do("place To e5")
    before.refuses("serve avocado-nigiri", "not-on-the-board", recipe="avocado-nigiri")


def test_a_recipe_that_is_not_held_is_not_served() -> None:
    placed = table("board:\n Av .\n seat 1 | recipes 2.3\n seat 2 | recipes avocado-nigiri").do("place Ri b1")
    placed.refuses("serve avocado-nigiri", "recipe-not-held", recipe="avocado-nigiri")


def test_a_recipe_served_before_cannot_be_what_a_card_shows() -> None:
    placed = table("board:\n Av .\n seat 1 | recipes 2.3\n seat 2 | claimed avocado-nigiri").do("place Ri b1")
    placed.refuses("serve 2.3 avocado-nigiri", "recipe-claimed-before", recipe="avocado-nigiri")


def test_the_order_of_the_strip_gives_style_wasabi_from_the_supply_and_the_claim_takes_the_best_window() -> None:
    before = table("board:\n Sa Av .\n .  .  Av\n .  .  Sa\n seat 1 | recipes sake-avo-maki\n pool: 3")
    after = before.do("place No c1; serve sake-avo-maki")
    assert (after.seat(1).cubes, after.position.pool) == (1, 3)


def test_serving_ends_by_the_authors_explicit_step_even_with_an_empty_hand() -> None:
    served = table("board:\n Sa Av .\n seat 1 | recipes sake-avo-maki").do("place No c1; serve sake-avo-maki")
    assert (served.phase, served.legal()) == ("serve", ["done"])
    table("board:\n Sa Av .").refuses("place No c1; done", "phase", now="play")


def test_length_two_gives_an_action_card_resolved_before_the_next_recipe_is_served() -> None:
    before = table("board:\n Av . To\n seat 1 | cards Sw Sw | recipes avocado-nigiri tofu-fighters")
    served = before.do("place Ri b1; serve avocado-nigiri")
    served.refuses("serve tofu-fighters", "phase", now="gain")
    turned = served.do("gain Ch")
    assert (turned.phase, turned.position.mover) == ("refill", NOBODY)
    full = turned.do("turn Sp")
    assert full.legal() == ["discard Ch", "discard Sw"]
    full.refuses("serve tofu-fighters", "phase", now="discard")
    again = full.do("discard Sw; serve tofu-fighters; gain St; turn Sp; discard St; done")
    assert (again.cards(1), again.discards) == ("Ch Sw", "St Sw")


def test_draws_after_serving_obey_the_backs() -> None:
    before = table("board:\n Sa Av .\n seat 1 | recipes sake-avo-maki\n pool: 1")
    drawing = before.do("place No c1; serve sake-avo-maki; done")
    assert drawing.legal() == ["draw 2", "draw 3", "draw 4", "draw 5"]
    cubes, pool = drawing.seat(1).cubes, drawing.position.pool
    given = {}
    for deck in (2, 3, 4, 5):
        drawn = drawing.do(f"draw {deck}")
        given[deck] = (drawn.seat(1).cubes - cubes, drawn.position.pool - pool)
    assert given == {2: (0, 0), 3: (0, 1), 4: (0, 2), 5: (1, 1)}


def test_draws_go_on_one_at_a_time_to_three_and_then_the_turn_ends() -> None:
    drawing = table("board:\n Sa Av .\n seat 1 | recipes sake-avo-maki").do("place No c1; serve sake-avo-maki; done")
    two = drawing.do("draw 2; draw 5")
    assert (two.mover, two.phase) == (1, "restock")
    assert (two.do("draw 2").mover, two.do("draw 2").phase) == (2, "play")


def test_a_bundle_is_cut_where_a_card_is_drawn_or_turned_up() -> None:
    before = table("board:\n Cl .\n seat 1 | recipes mirugai")
    rules = before.rules

    def bundled(at: Table, text: str) -> Table:
        steps = tuple(at._step(part) for part in text.split(";"))
        return Table(rules, rules.apply_bundle(at.position, Bundle(at.position.mover, steps)), at.faces)

    gained = bundled(before, "place Ri b1; serve mirugai; gain Ch")
    assert gained.phase == "refill"
    after = bundled(bundled(gained, "turn 1.0 Sw"), "done; draw 2")
    assert bundled(after, "draw 2").phase == "restock"
    with pytest.raises(Illegal, match="bundle-too-short"):
        bundled(before, "place Ri b1; serve mirugai")


# 6. Prep


def test_prep_is_an_action_card_or_the_pool_or_an_exchange() -> None:
    before = table("board:\n Ri\n seat 1 | recipes 2.4 3.4 4.4").do("place Av b1")
    assert [verb for verb in before.verbs() if verb != "cup"] == ["exchange", "gain", "pool"]
    assert (before.do("gain St; turn Ch").mover, before.do("gain St; turn Ch").cards(1)) == (2, "St")


def test_the_whole_pool_is_taken_and_then_holds_one() -> None:
    after = table("board:\n Ri\n pool: 7\n seat 1 | cubes 2").do("place Av b1; pool")
    assert (after.seat(1).cubes, after.position.pool, after.mover) == (9, 1, 2)


def test_an_exchange_returns_recipes_in_the_order_given_and_draws_to_three_ignoring_the_backs() -> None:
    before = table("board:\n Ri\n pool: 4\n seat 1 | recipes 2.9 3.9 2.8").do("place Av b1")
    returned = before.do("exchange 2.8 2.9")
    assert returned.position.decks[2][-2:] == (2 << 8 | 8, 2 << 8 | 9)
    after = returned.do("draw 3; draw 5")
    assert (after.seat(1).cubes, after.position.pool, after.mover) == (0, 4, 2)
    assert len(after.seat(1).recipes) == 3


def test_an_exchange_returns_at_least_one_recipe_of_three() -> None:
    before = table("board:\n Ri\n seat 1 | recipes 2.9 3.9 2.8").do("place Av b1")
    assert len(before.legal("exchange")) == 3 + 6 + 6
    before.refuses("exchange", "exchange-returns-nothing")
    before.refuses("exchange 2.7", "recipe-not-held")
    before.refuses("exchange 2.8 2.8", "recipe-not-held")


def test_an_exchange_may_return_none_if_fewer_than_three_are_held() -> None:
    before = table("board:\n Ri\n seat 1 | recipes 2.9").do("place Av b1")
    assert before.legal("exchange") == ["exchange", "exchange 2.9"]
    after = before.do("exchange; draw 2; draw 2")
    assert (len(after.seat(1).recipes), after.mover) == (3, 2)


# 7. Gaining a card


def test_gaining_takes_from_the_display_then_refills_it_then_discards_one_of_three() -> None:
    before = table("board:\n Ri\n seat 1 | cards Sw Sw").do("place Av b1")
    before.refuses("gain Sw", "card-not-there", card="Sw")
    taken = before.do("gain Ch")
    assert (taken.display, taken.cards(1), taken.phase) == ("Sp St", "Ch Sw Sw", "refill")
    refilled = taken.do("turn Sp")
    assert (refilled.display, refilled.phase, refilled.mover) == ("Sp Sp St", "discard", 1)
    refilled.refuses("discard Sp", "card-not-held", card="Sp")
    after = refilled.do("discard Ch")
    assert (after.cards(1), after.discards, after.mover) == ("Sw Sw", "Ch", 2), "it may be the new one"


def test_a_card_turned_up_is_the_top_one_and_of_a_kind_that_can_still_be_hidden() -> None:
    waiting = table("board:\n Ri\n display: Sw Sw Sw\n seat 2 | cards Ch Ch\n discards: Ch2").do("place Av b1; gain Sw")
    assert waiting.legal() == ["turn 1.0 Sp", "turn 1.0 St", "turn 1.0 Sw"]
    waiting.refuses("turn 1.1 Sp", "not-the-top-card")
    waiting.refuses("turn 1.0 Ch", "card-not-in-deck", card="Ch")
    waiting.refuses("place Av c1", "phase", now="refill")
    waiting.refuses("pool", "phase", now="refill")


def test_whoever_knows_the_top_card_sees_what_will_be_turned_up() -> None:
    waiting = table("board:\n Ri").do("place Av b1; gain Ch")
    assert Table(waiting.rules, waiting.position, {1 << 8: 2}).legal() == ["turn 1.0 St"]


DECK_OF_NONE = "display: Ch Sp St\n seat 2 | cards Ch Ch\n discards: Ch1 Sp3 St3 Sw4"


def test_the_discards_are_reshuffled_only_when_a_card_is_needed_and_the_deck_is_empty() -> None:
    before = table(f"board:\n Ri\n {DECK_OF_NONE}").do("place Av b1")
    assert before.position.epoch == 0
    assert before.do("pool").position.epoch == 0
    recipes = before.position.decks[2:]
    waiting = before.do("gain Ch")
    assert (waiting.position.epoch, waiting.discards) == (1, "")
    assert waiting.legal() == [f"turn 1.0@1 {code}" for code in ("Ch", "Sp", "St", "Sw")]
    assert len(waiting.position.decks[1]) == 11
    assert waiting.position.decks[2:] == recipes, "the recipes are not shuffled"


def test_the_last_card_of_the_deck_is_turned_up_without_a_reshuffle() -> None:
    before = table("board:\n Ri\n seat 2 | cards Ch Ch\n discards: Sp3 St3 Sw4 Ch1").position
    assert before.decks[1] == ()
    one = table("board:\n Ri\n seat 2 | cards Ch Ch\n discards: Sp3 St3 Sw3 Ch1").do("place Av b1; gain Ch; turn Sw")
    assert (one.position.epoch, one.position.decks[1], one.discards) == (0, (), "Ch Sp Sp Sp St St St Sw Sw Sw")
