"""A turn as keys: what each key means at each moment, without a screen."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.games.whole_turns import whole_turn
from tests.tui.memory_games import MemoryGames, played, seats
from tests.tui.test_help import means_in
from tests.tui.test_prompts_fit import games
from tests.view.tables import PLAYERS, seen
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.step import Step
from wasabi_tx.games.plans import NO_PLANS
from wasabi_tx.text import Texts
from wasabi_tx.text.marks import unmarked
from wasabi_tx.tui.views.panel_views import HandView
from wasabi_tx.tui.widgets.table.hand import paint_hand
from wasabi_tx.turn.action_bar import action_bar
from wasabi_tx.turn.plan import Plan
from wasabi_tx.turn.planned_hand import hand_cards, recipe_strips, tiles_before
from wasabi_tx.turn.preview import preview_of
from wasabi_tx.turn.prompt_choices import question_of
from wasabi_tx.turn.prompt_lines import draft_words
from wasabi_tx.turn.recipe_card import recipe_cards
from wasabi_tx.view.table.defaults import own_seat
from wasabi_tx.view.table.hand import keys_of
from wasabi_tx.view.table.recipe import recipe_name
from wasabi_tx.view.table.recipe_progress import find_progress
from wasabi_tx.view.table.table import describe_table

TEXTS = Texts("en")


def plan_at(turn: int, edition: str = "classic", seed: str = "plan") -> Plan:
    game = MemoryGames().take_up(*played(turn, edition, seats(1, 3), seed)).game
    return Plan(game.observation, TEXTS)


def type_all(plan: Plan, text: str) -> None:
    for char in text:
        assert plan.type_char(char), char


def free_square(plan: Plan) -> str:
    return plan.rules.grid.names[plan.draft.position.board.free.index(1)]


def test_a_plain_turn_is_a_number_a_square_a_code_and_a_send() -> None:
    plan = plan_at(1)
    assert plan.moment.prompt.slot == "place"
    type_all(plan, f"1{free_square(plan)}")
    assert [step.verb for step in plan.draft.steps] == ["place"]
    assert plan.moment.prompt.slot == "tile"
    type_all(plan, "Ri")
    assert plan.draft.complete
    assert [step.verb for step in plan.draft.steps] == ["place", "done", "tile"]


def test_codes_are_read_in_any_case_and_only_while_they_are_asked_for() -> None:
    plan = plan_at(1)
    assert not plan.type_char("R"), "a tile of the hand is picked by its number"
    type_all(plan, f"1{free_square(plan)}")
    type_all(plan, "rI")
    assert plan.draft.complete


def test_a_square_at_any_time_moves_the_cursor_and_with_something_held_places_it() -> None:
    plan = plan_at(1)
    type_all(plan, "e5")
    assert plan.rules.grid.names[plan.cursor] == "e5"
    assert not plan.draft.steps
    plan.type_char("2")
    assert plan.squares
    plan.accept()
    assert plan.draft.steps[0].args[1] == plan.cursor


def test_undo_is_free_and_takes_back_the_bridge_with_its_step() -> None:
    plan = plan_at(1)
    type_all(plan, f"1{free_square(plan)}Ri")
    plan.back()
    assert [step.verb for step in plan.draft.steps] == ["place"]
    plan.back()
    assert not plan.draft.steps
    plan.back()
    assert plan.wrong


def test_a_taken_square_is_refused_in_the_words_of_the_rules() -> None:
    plan = plan_at(12)
    taken = plan.rules.grid.names[next(n for n, stack in enumerate(plan.draft.position.board.stacks) if stack)]
    type_all(plan, f"1{taken}")
    assert plan.wrong
    assert taken in plan.message
    assert plan.begun, "it is still held"


def test_the_hand_keeps_its_numbers_while_a_turn_is_chosen() -> None:
    plan = plan_at(1)
    before = [tile.code for tile in tiles_before(plan)]
    where = free_square(plan)
    type_all(plan, f"2{where}")
    assert [tile.code for tile in tiles_before(plan)] == before
    assert [tile.went for tile in tiles_before(plan)] == ["", where, ""]


def test_enter_never_completes_more_than_a_draft() -> None:
    plan = plan_at(1)
    type_all(plan, f"1{free_square(plan)}")
    for _ in range(10):
        plan.accept()
    assert plan.draft.complete
    assert plan.ready, "the screen ends the turn with the next one"


@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.long
def test_the_row_and_the_question_name_the_same_slot(edition: str) -> None:
    for turn in range(1, 20, 3):
        plan = plan_at(turn, edition)
        for _ in range(12):
            view = describe_table(plan.draft.observation, seats(1, 3), TEXTS)
            question = question_of(plan, view, TEXTS)
            assert question.title
            assert sum(choice.default for choice in question.choices) <= 1
            if plan.draft.complete:
                break
            steps = len(plan.draft.steps)
            plan.accept()
            if len(plan.draft.steps) == steps:
                plan.add(next(step for step in plan.moment.steps if step.verb in ("place", "pool", "done")))


def test_in_the_second_edition_a_tile_comes_from_the_pantry_by_its_code() -> None:
    plan = plan_at(1, "master")
    type_all(plan, f"Ri{free_square(plan)}")
    assert plan.draft.steps[0].verb == "place"


def test_a_cup_is_moved_by_its_square_and_another() -> None:
    plan = plan_at(1, "master")
    cup = plan.rules.grid.names[min(plan.draft.position.board.blocked)]
    type_all(plan, cup)
    assert plan.begun.verbs == ("cup",)
    type_all(plan, free_square(plan))
    assert [step.verb for step in plan.draft.steps] == ["cup"]


def test_taking_back_the_square_of_a_cup_leaves_empty_hands() -> None:
    observation = seen(mine="cards -", theirs="cards -", more="display: Ch Sw St", edition="master")
    plan = Plan(observation, TEXTS)
    type_all(plan, "b2")
    assert plan.begun
    plan.back()
    assert not plan.begun


def test_recipes_go_back_in_the_order_in_which_they_were_picked() -> None:
    plan = plan_at(4)
    plan.begin_return()
    type_all(plan, "86")
    plan.accept()
    held = own_seat(plan.draft.base).recipes
    assert plan.draft.steps[0].args == (held[2], held[0])


def test_a_number_that_means_nothing_is_answered_with_what_can_be_chosen() -> None:
    plan = Plan(seen(), TEXTS)
    type_all(plan, "1")
    held = plan.begun
    plan.pick_number(9)
    assert plan.message == "9 is not among the choices: a1 b1 c1 d1 e1 a2 b2 c2 …"
    assert plan.begun == held, "it is still held"
    type_all(plan, "d3Cu")
    assert plan.moment.prompt.slot == "recipe"
    for number in (1, 9):
        plan.pick_number(number)
        assert plan.message == f"{number} is not among the choices: 2 3 4 5"
    plan.pick_number(2)
    assert plan.draft.steps[-1].verb == "draw"


def test_a_square_may_be_typed_with_its_capital() -> None:
    plan = Plan(seen(), TEXTS)
    type_all(plan, "1D3")
    assert plan.draft.steps[0].verb == "place"


def noted(plan: Plan) -> str:
    """Return the line below the question."""
    view = describe_table(plan.draft.observation, seats(1, plan.rules.players - 1), TEXTS)
    return question_of(plan, view, TEXTS).note


@pytest.mark.parametrize(
    ("steps", "note"),
    [
        ("place Tu e1; gain Ch", "That turns up a card: there is no undo after it."),
        (
            "place Tu e1; exchange 2.5; draw 2",
            "That draws the recipe: there is no undo after it.",
        ),
        ("place Tu e1; pool", "You can still undo."),
    ],
)
def test_before_sending_the_note_says_what_will_come_to_light(steps: str, note: str) -> None:
    seat = "cards - | recipes 2.5 3.5 4.5"
    plan = Plan(seen(mine=seat, theirs="cards -", more="display: Ch Sp St", edition="master"), TEXTS)
    for step in plan.rules.parse(steps):
        plan.add(step)
    assert noted(plan) == note


def test_enter_exchanges_recipes_in_the_second_edition_and_passes_in_the_first() -> None:
    plan = plan_at(1, "master")
    type_all(plan, f"Ri{free_square(plan)}")
    plan.begin_return()
    assert noted(plan) == "Pick them by number, in the order they go back."
    plan = plan_at(1)
    plan.begin_return()
    assert noted(plan) == "Pick them by number, in the order they go back."


def test_a_draw_after_serving_offers_each_length_with_what_its_back_gives() -> None:
    board, seat = "a1=Sa b1=Av", "cards - | recipes sake-avo-maki"
    plan = Plan(seen(board, mine=seat, theirs="cards -", more="display: Ch Sp St", edition="master"), TEXTS)
    for step in plan.rules.parse("place No c1; serve 3.0 sake-avo-maki; done"):
        plan.add(step)
    question = question_of(plan, describe_table(plan.draft.observation, seats(1, 1), TEXTS), TEXTS)
    assert [choice.label for choice in question.choices] == ["2", "3 (pool +1)", "4 (pool +2)", "5 (+1, pool +1)"]
    assert question.note.startswith("2 (")


def test_in_the_second_edition_a_card_is_for_a_recipe_of_length_two() -> None:
    hand = "cards - | recipes mirugai"
    plan = Plan(seen("a1=Cl", mine=hand, theirs="cards -", more="display: Ch Sp St", edition="master"), TEXTS)
    for step in plan.rules.parse("place Ri b1; serve 2.0 mirugai"):
        plan.add(step)
    assert noted(plan).endswith("A served recipe of 2 tiles gives a card.")


@pytest.mark.long
def test_a_card_is_discarded_by_its_number_or_code_at_any_time_and_stays_if_asked_twice() -> None:
    plan = next(plan for plan in map(plan_at, range(10, 40)) if len(set(own_seat(plan.draft.base).cards)) == 2)
    first, second = own_seat(plan.draft.base).cards
    plan.begin_discard()
    asked = question_of(plan, describe_table(plan.draft.observation, seats(1, 3), TEXTS), TEXTS)
    assert asked.title == TEXTS.say("tui.held.discard")
    assert [choice.label for choice in asked.choices] == [plan.rules.card_code(card) for card in (first, second)]
    plan.begin_discard()
    assert not plan.begun
    plan.begin_discard()
    type_all(plan, str(keys_of(plan.rules).cards))
    assert plan.draft.steps == (Step("discard", (first,)),)
    type_all(plan, f"1{free_square(plan)}")
    while plan.moment.prompt.slot == "claim":
        plan.decline()
    plan.begin_discard()
    type_all(plan, plan.rules.card_code(second))
    assert [step.verb for step in plan.draft.steps] == ["discard", "place", "discard"]
    plan.begin_discard()
    assert (plan.message, plan.wrong) == (TEXTS.say("tui.no-discard"), True)


def test_without_a_card_nothing_is_discarded() -> None:
    plan = plan_at(1)
    plan.begin_discard()
    assert (plan.message, plan.wrong) == (TEXTS.say("tui.no-discard"), True)


def cup_on_the_line() -> Plan:
    """Return a plan in which Pearl Jammed lacks only the clam of b2, where a cup stands."""
    observation = seen(
        "b1=To b3=Pi b4=Oy",
        mine="recipes pearl-jammed | cards -",
        theirs="recipes crab-and-go",
        more="display: Ch Sw St",
        edition="master",
    )
    return Plan(observation, TEXTS)


def lacking(plan: Plan) -> str:
    observation = plan.draft.observation
    face = next(iter(observation.faces[card] for card in own_seat(plan.draft.base).recipes))
    return plan.rules.code(find_progress(plan.rules, observation.position, face).missing[0])


def test_a_cup_where_a_held_tile_is_to_go_is_moved_first_and_the_tile_is_held_again() -> None:
    plan = cup_on_the_line()
    code = lacking(plan)
    type_all(plan, f"{code}b2")
    assert not plan.wrong, plan.message
    assert (plan.begun.verbs, plan.rules.grid.names[plan.begun.args[0]]) == (("cup",), "b2")
    type_all(plan, "e6")
    assert plan.begun.verbs == ("place",), "the tile is in hand again"
    plan.accept()
    assert [step.verb for step in plan.draft.steps] == ["cup", "place"]
    assert plan.moment.prompt.slot == "claim"


def test_enter_alone_moves_the_cup_out_of_the_way_and_completes_the_recipe() -> None:
    plan = cup_on_the_line()
    view = describe_table(plan.draft.observation, PLAYERS[:2], TEXTS)
    plan.accept()
    assert plan.rules.grid.names[plan.cursor] == "b2"
    bar = action_bar(plan, question_of(plan, view, TEXTS), preview_of(plan), TEXTS)
    assert bar.button == "Move the teacup"
    assert "b2" in bar.more
    plan.accept()
    assert plan.rules.grid.names[plan.cursor] not in ("b1", "b2", "b3", "b4"), "not back onto the line"
    bar = action_bar(plan, question_of(plan, view, TEXTS), preview_of(plan), TEXTS)
    assert unmarked(bar.more) == "Then your tile can go to b2."
    plan.accept()
    plan.accept()
    assert [step.verb for step in plan.draft.steps] == ["cup", "place"]


def test_a_cup_that_was_taken_up_for_a_tile_is_taken_back_step_by_step() -> None:
    plan = cup_on_the_line()
    code = lacking(plan)
    type_all(plan, f"{code}b2")
    plan.back()
    assert plan.begun.verbs == ("place",), "the tile is still held"
    type_all(plan, "b2e6")
    plan.back()
    assert not plan.begun
    plan.back()
    assert not plan.draft.steps


def test_a_cup_that_has_been_moved_stays_and_says_so() -> None:
    plan = cup_on_the_line()
    type_all(plan, f"b2e6{lacking(plan)}e6")
    assert plan.wrong
    assert "already been moved" in plan.message


def test_one_cup_is_not_moved_for_another() -> None:
    plan = cup_on_the_line()
    other = plan.rules.grid.names[max(plan.draft.position.board.blocked)]
    type_all(plan, f"b2{other}")
    assert plan.wrong
    assert plan.message == f"There is a teacup on {other}; it can be moved to an empty square."


@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.long
def test_a_later_turn_is_planned_to_its_end_past_what_it_draws_and_undone_to_its_beginning(edition: str) -> None:
    drew = 0
    for seed in range(12):
        now = plan_at(9 + seed, edition, f"later {seed}").draft.base
        waits = observe(now.rules, now.position, (now.position.mover + 1) % len(PLAYERS), now.faces)
        foreseen = NO_PLANS.foreseen(waits)
        assert foreseen is not None
        plan = Plan(foreseen, TEXTS, later=True)
        recipes = foreseen.position.seats[foreseen.position.mover].recipes
        passing = edition == "classic" and seed % 2
        drawing = [Step("pass", recipes), *[Step("draw", (2,))] * len(recipes)]
        for step in drawing if passing else whole_turn(foreseen, Random(seed), "random"):
            assert not plan.ready
            assert plan.add(step) or plan.add(step), "what loses a recipe is chosen twice"
            view = describe_table(plan.draft.observation, PLAYERS, TEXTS, base=foreseen)
            assert recipe_cards(recipe_strips(plan, view), view, plan.rules, TEXTS, "p")
            assert draft_words(plan.draft, PLAYERS, TEXTS)
            assert question_of(plan, view, TEXTS).title
        assert plan.ready
        assert plan.moment.prompt.reveals == "", "nothing is shown when it is left"
        drew += sum(step.verb == "draw" for step in plan.draft.steps[:-1])
        while plan.draft.steps:
            plan.back()
        assert plan.draft.position is foreseen.position
    assert drew, "none of them went on after a draw"


def test_a_recipe_that_goes_back_is_still_called_by_its_name() -> None:
    plan = plan_at(3)
    number, card = next(iter(plan.hand.recipes.items()))
    plan.begin_return()
    plan.pick_number(number)
    plan.accept()
    assert plan.draft.steps == (Step("pass", (card,)),)
    view = describe_table(plan.draft.observation, PLAYERS, TEXTS, base=plan.draft.base)
    shown = recipe_cards(recipe_strips(plan, view), view, plan.rules, TEXTS, "p")[0]
    assert shown.name == recipe_name(plan.rules, TEXTS, plan.draft.base.faces[card])
    assert (shown.state, shown.short) == ("leaving", "Goes back")


def test_a_card_that_was_earned_is_seen_at_once_and_marked_for_the_next_turn() -> None:
    for plan, bundle in games("classic", 1):
        earned = [step.args[0] for step in bundle.steps if step.verb in ("take", "gain")]
        if not earned:
            continue
        before = Counter(plan.hand.cards.values())
        for step in bundle.steps:
            plan.draft.add(step)
        cards = hand_cards(plan, TEXTS)
        codes = [plan.rules.card_code(card) for card in earned]
        assert [card.code for card in cards if card.new] == codes
        assert len([card for card in cards if not card.new]) == before.total()
        assert len({card.key for card in cards}) == len(cards)
        for width, height in ((80, 2), (72, 6), (40, 2)):
            canvas = paint_hand(HandView(cards=cards), means_in("omakase", "en", "classic"), width, height)
            words = " ".join(canvas.words(row) for row in range(height))
            assert all(card.name[: 2 if width == 40 else 9] in words for card in cards), words
            assert width == 40 or "next turn" in words
        return
    raise AssertionError("nobody earns a card")
