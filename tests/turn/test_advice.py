"""Advice is the best there is, and a recipe that cannot be completed says why on itself."""

from __future__ import annotations

import pytest

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position_text import parse_position
from wasabi_tx.engine.step import Step
from wasabi_tx.games.game import Player
from wasabi_tx.text import Texts
from wasabi_tx.text.marks import unmarked
from wasabi_tx.turn.action_bar import action_bar
from wasabi_tx.turn.hint import advise
from wasabi_tx.turn.plan import Plan
from wasabi_tx.turn.planned_hand import recipe_strips
from wasabi_tx.turn.preview import preview_of
from wasabi_tx.turn.prompt_choices import question_of
from wasabi_tx.turn.recipe_card import recipe_cards
from wasabi_tx.view.table.defaults import best_square, draw_default
from wasabi_tx.view.table.table import TableView, describe_table

EN = Texts("en")
PLAYERS = (Player("Ana"), Player("Udon", "normal"))
EMPTY = "\n".join(f"{row}    .  .  .  .  ." for row in range(1, 7))


def _classic(board: str, seat: str, more: str = "", turn: str = "turn: 9, seat 1, play, first 1") -> Observation:
    return _known(
        f"position: classic, 2 players\n{turn}\nboard:\n     a  b  c  d  e\n{board}\n{more}"
        f"seat 1 | {seat}\nseat 2 | tiles - | cards - | recipes - | claimed -\n"
    )


def _known(text: str) -> Observation:
    rules, position, faces = parse_position(text, rules_for)
    return observe(rules, position, 0, faces)


def _view(known: Observation) -> TableView:
    return describe_table(known, PLAYERS, EN)


def test_no_recipe_is_drawn_for_which_there_is_no_token_while_there_is_another() -> None:
    """Use tokens 1010 with a 2 and a 4 in hand: the default was once the longest recipe, which has no token."""
    claimed = "carrot-top cool-kappa green-card california-dreamer crunchy-tuna mums-bento aki-roll tuna-turner"
    known = _classic(
        EMPTY,
        f"tiles Ri Ma Tu | cards - | recipes tekkamaki green-dragon | claimed {claimed}",
        turn="turn: 24, seat 1, restock, first 1",
    )
    default = draw_default(known, EN)
    assert default is not None
    assert default.step in (Step("draw", (2,)), Step("draw", (4,)))


BEST = """\
1    .  .  .  .  .
2    .  Ma .  .  .
3    Sq To Ma .  .
4    .  .  .  .  .
5    .  .  .  .  .
6    .  .  .  .  ."""


def test_the_line_under_the_question_names_what_is_worth_most() -> None:
    known = _classic(BEST, "tiles Ye Da Pi | cards - | recipes hello-yellowtail ink-positive in-a-pickle | claimed -")
    plan = Plan(known, EN)
    assert "Da on d3 completes Ink Positive" in question_of(plan, _view(known), EN).note
    plan.accept()
    assert plan.rules.code(plan.begun.args[0]) == "Da"
    assert plan.rules.grid.names[plan.cursor] == "d3"


def test_where_nothing_can_be_completed_enter_takes_a_tile_that_brings_a_recipe_nearer_to_its_place() -> None:
    board = EMPTY.replace("3    .  .  .  .  .", "3    .  Te .  .  .")
    known = _classic(board, "tiles Sc Ur Tu | cards - | recipes crunchy-tuna seas-the-day | claimed -")
    plan = Plan(known, EN)
    plan.accept()
    assert plan.rules.code(plan.begun.args[0]) == "Tu"
    assert plan.rules.grid.names[plan.cursor] in ("d3", "b1", "b5")
    assert best_square(known, known.rules.edition.tile_numbers["Sc"]) is None


FULL_MASTER = """\
position: master, 2 players
turn: 29, seat 1, play, first 1
board:
     a  b  c  d  e
1    Av Ri To Sa Ri
2    Pi Oy Ri Tu Ee
3    Cu Da Ca Te Eg
4    Sh Cr Sc Oc Sa
5    Ye Ye Tu Ee Cu
6    Da Ca Te Eg .
cups: c6 d6
display: Ch Sp St
discards: -
pool: 1
seat 1 | cards Sw | recipes caviar-emptor happy-as-a-clam emperors-new-rolls | claimed - | cubes 0
seat 2 | cards - | recipes - | claimed - | cubes 0
""".replace("6    Da Ca Te Eg .", "6    Da Ca .  .  .")


def test_where_no_recipe_has_room_tiles_are_still_offered() -> None:
    known = _known(FULL_MASTER)
    plan, view = Plan(known, EN), _view(known)
    assert not any(item.missing for item in view.pantry), "the example must be one without any use"
    labels = [choice.label for choice in question_of(plan, view, EN).choices]
    assert len([label for label in labels if label in plan.offered_codes]) == 4
    plan.accept()
    assert plan.begun.args, "Enter takes one of them"


def _status(known: Observation, texts: Texts = EN) -> tuple[str, str]:
    plan, view = Plan(known, texts), _view(known)
    card = recipe_cards(recipe_strips(plan, view), view, known.rules, texts, "p")[0]
    return unmarked(card.status), card.short


LYING = EMPTY.replace("3    .  .  .  .  .", "3    .  Tu Ma .  .")


@pytest.mark.parametrize(
    ("board", "more", "claimed", "words", "short"),
    [
        (LYING, "", "-", "Already on b3–c3: change one square", "change b3–c3"),
        (LYING, "", "carrot-top cool-kappa green-card pinch-me", "No token for 2 tiles left", "no token"),
        (EMPTY, "", "-", "Not begun", "not begun"),
    ],
)
def test_a_recipe_says_why_not(board: str, more: str, claimed: str, words: str, short: str) -> None:
    known = _classic(board, f"tiles Ri Sa Pi | cards - | recipes tekkamaki | claimed {claimed}", more)
    found = _status(known)
    assert words in found[0]
    assert found[1] == short


@pytest.mark.parametrize(("board", "words"), [(EMPTY, "mancano Tempura, Maki, Tonno"), (LYING, "manca Tempura")])
def test_what_a_recipe_needs_agrees_in_number(board: str, words: str) -> None:
    known = _classic(board, "tiles Ri Sa Pi | cards - | recipes crunchy-tuna | claimed -")
    assert words in _status(known, Texts("it"))[0]


ROOMLESS = """\
1    Ri Ca Ri Ca Ri
2    Ca Ri Oc Ri Oc
3    Ri Eg {} {} Eg
4    Oc Sc {} {} Sc
5    Ri Sc Ri Te Ri
6    Te Eg Te Sa ."""


def test_a_recipe_whose_only_lines_are_covered_says_so_and_one_without_any_does_not() -> None:
    seat = "tiles Da Sq Pi | cards - | recipes tekkamaki | claimed -"
    covered = _classic(ROOMLESS.format(*[".", ".", ".", "."]), seat, "wasabi: c3\n")
    assert "Its line is covered by Wasabi!" in _status(covered)[0]
    assert _status(covered)[1] == "covered"
    filled = ROOMLESS.format("Ye", "Ye", "Cr", "Cr")
    assert "No free line" in _status(_classic(filled, seat))[0]


def test_a_hint_that_passes_over_what_the_table_shows_says_that_it_is_worth_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = _classic(BEST, "tiles Ye Da Pi | cards - | recipes hello-yellowtail ink-positive in-a-pickle | claimed -")
    best, *_ = advise(known, EN)
    assert any(step.verb == "claim" for step in best.steps)
    assert not any("is worth more than" in reason for reason in best.reasons)
    from wasabi_tx.bots.greedy import Advice
    from wasabi_tx.bots.levels import WARY
    from wasabi_tx.engine.step import Bundle

    passing = Advice(Bundle(0, (Step("pass", (known.position.seats[0].recipes[0],)),)), ())
    monkeypatch.setattr(type(WARY), "advise", lambda *_: [passing])
    (other,) = advise(known, EN)
    assert other.reasons == ("That is worth more than Ink Positive now.",)


CROWDED = """\
1    Ri Ca Ri Ca Ri
2    Ca Ri Oc Ri Oc
3    Ri Eg Ye Ye Eg
4    Oc Sc Cr Cr Sc
5    Ri Sc Ri Te .
6    Te Eg .  .  ."""
"""A board with no room for a recipe of five, and one line for a recipe of four."""


def test_a_recipe_is_drawn_for_which_there_is_a_token_and_a_free_line() -> None:
    seat = "tiles Ri Ma Tu | cards - | recipes tekkamaki crunchy-tuna | claimed {}"
    turn = "turn: 24, seat 1, restock, first 1"
    roomy = draw_default(_classic(EMPTY, seat.format("-"), turn=turn), EN)
    assert roomy is not None
    assert (roomy.step, roomy.why) == (Step("draw", (2,)), "4 tokens, 49 free lines")
    crowded = draw_default(_classic(CROWDED, seat.format("carrot-top cool-kappa"), turn=turn), EN)
    assert crowded is not None
    assert (crowded.step, crowded.why) == (Step("draw", (2,)), "2 tokens, 8 free lines")
    without = draw_default(_classic(CROWDED, seat.format("carrot-top cool-kappa green-card pinch-me"), turn=turn), EN)
    assert without is not None
    assert (without.step, without.why) == (Step("draw", (3,)), "3 tokens, 3 free lines")


def test_a_length_without_a_token_or_a_line_says_so_where_it_is_offered() -> None:
    seat = "tiles Ri Ma Tu | cards - | recipes tekkamaki | claimed carrot-top cool-kappa green-card pinch-me"
    known = _classic(CROWDED, seat, turn="turn: 24, seat 1, restock, first 1")
    labels = [choice.label for choice in question_of(Plan(known, EN), _view(known), EN).choices]
    assert labels == ["2 (no token)", "3", "4", "5 (no free line)"]


def test_in_the_second_edition_a_recipe_is_drawn_that_has_room_too() -> None:
    text = FULL_MASTER.replace("seat 1, play", "seat 1, exchange")
    known = _known(text.replace("caviar-emptor happy-as-a-clam emperors-new-rolls", "mirugai"))
    default = draw_default(known, EN)
    assert default is not None
    assert default.step == Step("draw", (2,))


DEAD = "tiles Da Sq Pi | cards - | recipes green-dragon garden-variety | claimed -"


def test_who_has_no_recipe_left_to_hope_for_is_offered_to_pass_and_swap_them_all() -> None:
    known = _classic(CROWDED, DEAD)
    plan = Plan(known, EN)
    bar = action_bar(plan, question_of(plan, _view(known), EN), preview_of(plan), EN)
    assert (bar.lead, bar.button) == ("No recipe of yours can be completed:", "Pass and swap recipes")
    plan.accept()
    assert (plan.begun.verbs, plan.begun.args) == (("pass",), known.position.seats[0].recipes)
    plan.accept()
    assert plan.draft.steps == (Step("pass", known.position.seats[0].recipes),)
    plan = Plan(known, EN)
    plan.begin_return()
    assert plan.begun.args == (), "by its key one picks them oneself"


@pytest.mark.parametrize("recipes", ["green-dragon tekkamaki", "-"])
def test_with_hope_for_one_recipe_a_tile_is_offered(recipes: str) -> None:
    known = _classic(CROWDED, f"tiles Da Sq Pi | cards - | recipes {recipes} | claimed -")
    plan = Plan(known, EN)
    plan.accept()
    assert plan.begun.verbs == ("place",)


def test_a_recipe_whose_line_is_only_covered_is_not_given_up() -> None:
    seat = "tiles Da Sq Pi | cards - | recipes tekkamaki | claimed -"
    plan = Plan(_classic(ROOMLESS.format(*[".", ".", ".", "."]), seat, "wasabi: c3\n"), EN)
    plan.accept()
    assert plan.begun.verbs == ("place",)


def test_in_the_second_edition_recipes_without_hope_are_exchanged_after_the_tile() -> None:
    known = _known(FULL_MASTER.replace("5    Ye Ye", "5    .  ."))
    plan, held = Plan(known, EN), known.position.seats[0].recipes
    plan.accept()
    plan.accept()
    assert plan.moment.prompt.slot == "prep"
    bar = action_bar(plan, question_of(plan, _view(known), EN), preview_of(plan), EN)
    assert (bar.button, bar.choices[0].label) == ("Exchange recipes", "0 take the pool")
    plan.accept()
    plan.accept()
    assert plan.draft.steps[-1] == Step("exchange", held)
    plan.back()
    plan.pick_number(0)
    assert plan.draft.steps[-1] == Step("pool")


def test_a_number_and_enter_take_a_tile_up_to_the_same_square() -> None:
    board = EMPTY.replace("3    .  .  .  .  .", "3    .  Te .  .  .")
    known = _classic(board, "tiles Sc Ur Tu | cards - | recipes crunchy-tuna seas-the-day | claimed -", "wasabi: c3\n")
    by_number, by_enter = Plan(known, EN), Plan(known, EN)
    key = next(key for key, tile in by_number.hand.tiles.items() if known.rules.code(tile) == "Tu")
    by_number.pick_number(key)
    by_enter.accept()
    assert by_number.begun == by_enter.begun
    assert by_number.cursor == by_enter.cursor
    other = next(key for key, tile in by_number.hand.tiles.items() if known.rules.code(tile) == "Sc")
    by_number.cursor = known.rules.grid.names.index("c3")
    by_number.pick_number(other)
    assert by_number.cursor in by_number.squares, "not below Wasabi!"


def test_a_card_is_taken_up_where_it_may_go() -> None:
    known = _classic(EMPTY.replace("6    .", "6    Te"), "tiles Sc Ur Tu | cards Ch | recipes tekkamaki | claimed -")
    plan = Plan(known, EN)
    plan.pick_number(4)
    assert plan.begun.verbs == ("chop",)
    assert plan.rules.grid.names[plan.cursor] == "a6"


def test_on_an_empty_board_enter_takes_a_tile_that_a_recipe_needs() -> None:
    known = _classic(EMPTY, "tiles Ri Sq Tu | cards - | recipes crunchy-tuna | claimed -")
    plan = Plan(known, EN)
    assert plan.rules.code(plan.suggested) == "Tu"


def test_no_tile_is_proposed_for_a_recipe_without_a_token() -> None:
    board = EMPTY.replace("3    .  .  .  .  .", "3    .  Ma .  .  .")
    tokenless = "claimed carrot-top cool-kappa green-card pinch-me"
    known = _classic(board, f"tiles Pi Sq Tu | cards - | recipes tekkamaki squid-pro-quo | {tokenless}")
    plan = Plan(known, EN)
    assert plan.rules.code(plan.suggested) == "Sq"


def test_where_no_key_gives_recipes_back_none_is_named() -> None:
    covered = _classic(
        ROOMLESS.format(*[".", ".", ".", "."]),
        "tiles Da Sq Pi | cards - | recipes tekkamaki | claimed -",
        "wasabi: c3\n",
    )
    view = _view(covered)
    card = recipe_cards(recipe_strips(Plan(covered, EN), view), view, covered.rules, EN, "")[0]
    assert unmarked(card.status) == "Its line is covered by Wasabi!"


def test_a_recipe_whose_begun_line_is_covered_says_so_and_not_that_it_was_never_begun() -> None:
    board = EMPTY.replace("3    .  .  .  .  .", "3    .  Te .  .  .")
    seat = "tiles Sc Ur Pi | cards - | recipes crunchy-tuna | claimed -"
    assert _status(_classic(board, seat))[1].startswith("1/3 ")
    words, short = _status(_classic(board, seat, "wasabi: b3\n"))
    assert words.startswith("Its line is covered by Wasabi! · needs ")
    assert short == "1/3 covered"
