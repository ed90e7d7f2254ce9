"""The greedy bot in the first edition's setup and Step 2."""

from __future__ import annotations

from collections import Counter
from random import Random

from tests.bots.test_classic_step_one import advice, steps
from tests.engine.classic.table import opening, table
from wasabi_tx.bots.levels import GREEDY
from wasabi_tx.engine.observe import observe


def test_gives_the_neighbour_tiles_that_few_recipes_need() -> None:
    at = opening()
    needed: Counter[int] = Counter()
    for recipe in at.rules.edition.recipes:
        needed.update(dict.fromkeys(recipe.strip.tiles, recipe.points * 60 // recipe.length))
    offered = [step.args[0] for step in at.rules.legal(at.position, {})]
    usual = sum(needed[tile] for tile in offered) / len(offered)
    seen = observe(at.rules, at.position, at.position.mover, at.faces)
    for seed in range(20):
        given = [step.args[0] for step in GREEDY.choose(seen, Random(seed), 1).steps]
        assert max(needed[tile] for tile in given) < usual
    assert {reason.code for reason in advice(at).reasons} == {"gives"}


def test_fetches_the_tile_that_the_best_recipe_lacks_and_names_both() -> None:
    at = table("""
        turn: 9, seat 1, restock, first 1
        board:
        Te Ma .
        seat 1 | tiles Oc Sh | recipes crunchy-tuna tuna-turner over-the-rainbow
    """)
    edition = at.rules.edition
    assert steps(at) == ["tile Tu"]
    (reason,) = advice(at).reasons
    assert reason.code == "fetches"
    assert reason.about == {"tile": edition.tile_numbers["Tu"], "recipe": edition.recipe_numbers["crunchy-tuna"]}


def test_does_not_draw_a_length_whose_tokens_are_spent_or_waited_for() -> None:
    at = table("""
        turn: 9, seat 1, restock, first 1
        seat 1 | tiles Oc Sh Da | recipes kelp-wanted aki-roll | claimed futo-finish mums-bento shrimp-shape i-eel-good
    """)
    assert steps(at) == ["draw 2"]


def test_draws_short_recipes_when_little_space_is_left() -> None:
    at = table("""
        turn: 25, seat 1, restock, first 1
        board:
        Sa Tu Ye Ee Sh
        Cr Sc Oc Av Cu
        Ca Da Eg Te To
        Pi Sa Tu Ye Ee
        Ri .  .  .  Ma
        .  .  Cr .  .
        seat 1 | tiles Oc Sh Da | recipes kelp-wanted aki-roll
    """)
    assert steps(at) == ["draw 2"]


def test_takes_a_card_as_a_reward_and_says_which() -> None:
    at = table("""
        turn: 9, seat 1, restock, first 1
        this turn: rewards 1
        seat 1 | tiles Oc Sh Da | recipes kelp-wanted aki-roll | claimed tekkamaki
    """)
    reason = advice(at).reasons[0]
    assert steps(at)[0].startswith("take ")
    assert reason.code == "takes-card"
    assert reason.about == {"card": advice(at).bundle.steps[0].args[0]}


def test_takes_a_card_at_once_where_it_forgoes_one_anyway() -> None:
    at = table("""
        turn: 9, seat 1, restock, first 1
        this turn: rewards 2
        seat 1 | tiles Oc Sh Da | cards St | recipes kelp-wanted | claimed tekkamaki crunchy-tuna futo-finish
    """)
    seen = observe(at.rules, at.position, at.position.mover, at.faces)
    for seed in range(20):
        assert GREEDY.choose(seen, Random(seed), 1).steps[0].verb == "take"


FULL_UNDER_WASABI = """
    turn: 25, seat 1, restock, first 1
    this turn: rewards 1
    board:
    .  .  Ye Ee Sh
    .  .  Oc Av Cu
    Ca Da Eg Te To
    Pi Sa Tu Ye Ee
    Ri Ri Ma Ma Ma
    Ri Ma Cr Tu Ma
    wasabi: a1
"""


def test_opens_the_board_again_when_its_end_would_lose_the_game() -> None:
    at = table(
        FULL_UNDER_WASABI
        + """
        seat 1 | tiles Oc Sh Da | recipes kelp-wanted aki-roll | claimed tekkamaki
        seat 2 | claimed crunchy-tuna
        """
    )
    assert steps(at)[0] == "take Wa a1"
    assert advice(at).reasons[0].code == "uncovers"


def test_leaves_the_board_shut_when_its_end_wins_the_game() -> None:
    at = table(
        FULL_UNDER_WASABI
        + """
        seat 1 | tiles Oc Sh Da | recipes kelp-wanted aki-roll | claimed crunchy-tuna
        seat 2 | claimed tekkamaki
        """
    )
    assert steps(at)[0] != "take Wa a1"
