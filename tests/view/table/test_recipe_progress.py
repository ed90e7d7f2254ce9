"""Progress of recipes."""

from __future__ import annotations

import pytest

from tests.view.tables import PLAYERS, seen
from wasabi_tx.engine.observe import Observation
from wasabi_tx.text import Texts
from wasabi_tx.text.marks import unmarked
from wasabi_tx.turn.plan import Plan
from wasabi_tx.turn.planned_hand import recipe_strips
from wasabi_tx.turn.recipe_card import recipe_cards
from wasabi_tx.view.table.plain_table import recipe_state
from wasabi_tx.view.table.recipe import window_name
from wasabi_tx.view.table.recipe_progress import RecipeProgress, completions, find_progress, free_lines, openings
from wasabi_tx.view.table.table import describe_table


def progress(observation: Observation, recipe: str, hand: tuple[int, ...] = ()) -> RecipeProgress:
    rules = observation.rules
    return find_progress(rules, observation.position, rules.edition.recipe_numbers[recipe], hand)


def where(observation: Observation, found: RecipeProgress) -> str:
    return window_name(observation.rules, found.squares)


def test_an_empty_board_has_room_for_everything() -> None:
    found = progress(seen(), "crunchy-tuna")
    assert (found.have, found.length, found.dead) == (0, 3, False)


def test_the_window_with_most_of_the_recipe_wins() -> None:
    observation = seen("a1=Te b3=Te c3=Ma")
    found = progress(observation, "crunchy-tuna")
    assert found.have == 2
    assert [observation.rules.code(tile) for tile in found.missing] == ["Tu"]
    assert where(observation, found) in ("a3–c3", "b3–d3")


def test_a_foreign_tile_spoils_a_window() -> None:
    observation = seen("a3=Eg b3=Te c3=Ma d3=Pi b2=Pi c2=To b4=To c4=Sc")
    assert progress(observation, "crunchy-tuna").have < 2


def test_only_the_top_of_a_stack_counts() -> None:
    observation = seen("b3=Te/Eg c3=Ma")
    assert progress(observation, "crunchy-tuna").have == 1


def test_a_covered_square_spoils_a_window() -> None:
    free = seen("a1=Te b1=Ma")
    assert progress(free, "crunchy-tuna").have == 2
    covered = seen("a1=Te b1=Ma", more="wasabi: a1")
    assert progress(covered, "crunchy-tuna").have == 0


def test_a_recipe_without_a_window_is_dead() -> None:
    """Put a foreign tile in every row, and in the middle of every column."""
    foreign = "b1=Sh a2=Eg e2=Oc b3=Pi c4=Sc d5=Cr"
    assert not progress(seen(foreign), "garden-variety").dead
    dead = progress(seen(f"{foreign} c6=Tu"), "garden-variety")
    assert dead.dead
    assert len(dead.missing) == 5


def test_a_recipe_whose_tiles_are_all_gone_is_dead() -> None:
    recipe = "roe-model"
    assert not progress(seen(), recipe).dead
    assert progress(seen("a1=Ro", more="wasabi: a1"), recipe).dead
    assert not progress(seen("a1=Ro"), recipe).dead


def test_order_is_kept_while_it_can_still_be_had() -> None:
    rules = seen().rules
    strip = rules.strips[rules.edition.recipe_numbers["crunchy-tuna"]].tiles
    first, second, third = (rules.code(tile) for tile in strip)
    for squares in (f"a1={first} c1={third}", f"a1={third} c1={first}", f"b1={second}"):
        assert progress(seen(squares), "crunchy-tuna").in_order
    spoilt = seen(f"a1={second} b1={first} d1=Pi a2=Pi b2=Pi")
    assert not progress(spoilt, "crunchy-tuna").in_order


def test_a_placement_that_completes_is_found_with_its_worth() -> None:
    observation = seen("b3=Te c3=Ma", mine="tiles Tu Av Ri | recipes crunchy-tuna")
    found = openings(observation)
    assert {observation.rules.grammar.format(step) for step, _ in found} == {"place Tu a3", "place Tu d3"}
    assert all(one.points == 3 for _, one in found)


def test_the_best_completion_comes_first() -> None:
    observation = seen(
        "b3=Te c3=Ma d3=Tu", mine="tiles Av Ri | recipes tekkamaki crunchy-tuna", more="laid: c3\nthis turn: -"
    )
    assert [one.points for one in completions(observation)] == [3, 2]


def test_nothing_is_complete_without_a_changed_square() -> None:
    observation = seen("b3=Te c3=Ma d3=Tu", mine="tiles Av Ri | recipes tekkamaki crunchy-tuna")
    assert completions(observation) == []


def test_a_spectator_has_no_openings() -> None:
    assert openings(seen("b3=Te c3=Ma", seat=None)) == ()


def test_a_cup_can_be_moved_so_it_spoils_no_window() -> None:
    """Put one of the two players' cups on b2."""
    hands = {"mine": "recipes mirugai", "theirs": "recipes crab-and-go", "more": "display: Ch Sw St"}
    there = seen("b1=To b3=Pi b4=Oy", edition="master", **hands)  # type: ignore[arg-type]
    assert there.rules.grid.names.index("b2") in there.position.board.blocked
    found = progress(there, "pearl-jammed")
    assert (found.have, where(there, found)) == (3, "b1–b4")
    assert found.cups == (there.rules.grid.names.index("b2"),)


@pytest.mark.parametrize(
    ("language", "full", "short", "plain"),
    [
        ("en", "on b2 · move its teacup first", "cup on b2", "on b2, move the cup first"),
        ("it", "in b2 · prima sposta la tazza", "tazza b2", "in b2, prima sposta la tazza"),
    ],
)
def test_a_recipe_that_lacks_only_the_tile_of_a_cups_square_says_that_the_cup_can_go(
    language: str, full: str, short: str, plain: str
) -> None:
    hands = {"mine": "recipes pearl-jammed", "theirs": "recipes crab-and-go", "more": "display: Ch Sw St"}
    there, texts = seen("b1=To b3=Pi b4=Oy", edition="master", **hands), Texts(language)  # type: ignore[arg-type]
    view = describe_table(there, PLAYERS[:2], texts)
    card = recipe_cards(recipe_strips(Plan(there, texts), view), view, there.rules, texts, "p")[0]
    assert full in unmarked(card.status)
    assert card.short == short
    assert plain in recipe_state(view.recipes[0], there.rules, texts)


def completed_by_a_card() -> Plan:
    """Return a plan in which Switch! has brought the clam beside the rice, and the turn's tile is not placed yet."""
    observation = seen(
        "a1=Ri b2=Cl",
        edition="master",
        mine="cards Sw | recipes mirugai",
        theirs="cards -",
        more="cups: e5 e6\ndisplay: Ch Sp St",
    )
    plan = Plan(observation, Texts("en"))
    assert plan.add(observation.rules.parse("switch a2 b2")[0])
    return plan


def test_no_tile_completes_what_a_card_has_completed_before_it() -> None:
    assert openings(completed_by_a_card().draft.observation) == ()


@pytest.mark.parametrize(
    ("language", "full", "short", "plain"),
    [
        ("en", "Complete on a1–a2: first place your tile", "tile first", "complete on a1–a2, first place your tile"),
        ("it", "Completa in a1–a2: prima piazza il tassello", "prima piazza", "completa in a1–a2, prima piazza"),
    ],
)
def test_a_recipe_that_a_card_has_completed_waits_for_the_tile_of_the_turn(
    language: str, full: str, short: str, plain: str
) -> None:
    plan, texts = completed_by_a_card(), Texts(language)
    view = describe_table(plan.draft.observation, PLAYERS[:2], texts, base=plan.draft.base)
    card = recipe_cards(recipe_strips(plan, view), view, plan.rules, texts, "p")[0]
    assert (unmarked(card.status), card.short, card.state) == (full, short, "near")
    assert card.line == (0, 5)
    assert plain in recipe_state(view.recipes[0], plan.rules, texts)


def test_lines_of_a_length_are_free_while_at_most_one_tile_lies_there_and_nothing_covers_them() -> None:
    rules = seen().rules
    position = seen().position
    assert [free_lines(rules, position, length) for length in (2, 3, 4, 5)] == [49, 38, 27, 16]
    row = "a1=Te b1=Ma c1=Tu d1=Ri e1=Sa"
    assert free_lines(rules, seen(row).position, 2) == 49 - 4
    assert free_lines(rules, seen(row).position, 5) == 16 - 1
    assert free_lines(rules, seen(more="wasabi: a1").position, 5) == 16 - 2 - 4
