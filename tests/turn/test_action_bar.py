"""The action bar at each moment of a turn: the question, the effect of Enter, and the gain."""

from __future__ import annotations

from tests.view.tables import PLAYERS, seen
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.sealed_card import format_card
from wasabi_tx.text import Texts
from wasabi_tx.text.marks import unmarked
from wasabi_tx.turn.action_bar import ActionBar, action_bar
from wasabi_tx.turn.plan import Plan
from wasabi_tx.turn.preview import preview_of
from wasabi_tx.turn.prompt_choices import question_of
from wasabi_tx.view.table.table import describe_table

TEXTS = Texts("en")


def bar_of(plan: Plan) -> ActionBar:
    view = describe_table(plan.draft.observation, PLAYERS[: plan.rules.players], TEXTS, base=plan.draft.base)
    return action_bar(plan, question_of(plan, view, TEXTS), preview_of(plan), TEXTS)


def labels(bar: ActionBar) -> list[str]:
    return [choice.label for choice in bar.choices]


def rewarded(cards: str = "Ch", more: str = "") -> Observation:
    """Return a position after somebody has completed a recipe and may take a card."""
    mine = f"tiles Tu Av Ri | cards {cards} | recipes tekkamaki crunchy-tuna"
    return seen(turn="7, seat 1, restock", mine=mine, more=f"this turn: rewards 1\n{more}".strip())


def type_all(plan: Plan, text: str) -> None:
    for char in text:
        plan.type_char(char)


def planned(observation: Observation, steps: str = "") -> Plan:
    plan = Plan(observation, TEXTS)
    for step in observation.rules.parse(steps) if steps else ():
        assert plan.add(step)
    return plan


def test_while_a_code_is_half_typed_only_what_begins_so_is_offered_and_enter_takes_nothing() -> None:
    plan = planned(rewarded("-"))
    assert bar_of(plan).button == "Chop!"
    plan.type_char("s")
    bar = bar_of(plan)
    assert (bar.lead, bar.button, bar.press) == ("s_", "", None)
    assert labels(bar) == ["Spicy!", "Stack!", "Switch!"]
    plan.accept()
    assert not plan.draft.steps
    assert plan.typed == "s", "one more letter is enough"
    assert unmarked(bar_of(plan).lead) == "s_  That is not complete yet."
    assert labels(bar_of(plan)) == ["Spicy!", "Stack!", "Switch!"]
    plan.type_char("t")
    assert plan.rules.format(plan.draft.steps) == "take St"


def test_a_half_typed_square_names_its_column_and_enter_places_nothing() -> None:
    plan = planned(seen())
    plan.type_char("1")
    plan.type_char("c")
    bar = bar_of(plan)
    assert (bar.lead, bar.button, labels(bar)) == ("c_", "", [])
    assert unmarked(bar.more) == "A square: c1 to c6."
    plan.accept()
    assert not plan.draft.steps
    plan.type_char("2")
    assert plan.rules.format(plan.draft.steps) == "place Ri c2"


def test_a_half_typed_letter_keeps_enter_from_ending_the_turn() -> None:
    plan = planned(seen(), "place Tu d3; done; tile Cu; draw 3")
    assert plan.ready
    plan.type_char("d")
    assert not plan.ready
    assert bar_of(plan).button == ""
    plan.back()
    assert plan.ready


def test_a_click_forgets_what_was_half_typed() -> None:
    plan = planned(rewarded("-"))
    plan.type_char("s")
    plan.pick_code(plan.offered_codes["Ch"])
    assert (plan.typed, plan.rules.format(plan.draft.steps)) == ("", "take Ch")


def test_a_wrong_key_changes_what_is_said_and_neither_the_button_nor_the_warning() -> None:
    plan = planned(seen(), "place Tu d3; done; tile Cu; draw 3")
    before = bar_of(plan)
    assert (before.button, unmarked(before.more)) == ("Draw the recipe", "This can't be undone.")
    plan.pick_number(1)
    assert plan.wrong
    bar = bar_of(plan)
    assert (unmarked(bar.lead), bar.answers) == (plan.message, True)
    assert (bar.button, bar.press, bar.more) == (before.button, before.press, before.more)


def test_what_is_said_while_a_tile_is_held_leaves_the_button_as_it_is() -> None:
    plan = planned(seen("b3=Te"))
    plan.type_char("1")
    before = bar_of(plan)
    plan.pick_number(9)
    assert bar_of(plan).button == before.button


def test_a_tile_that_is_placed_while_a_recipe_is_complete_completes_nothing_and_lets_it_be_served() -> None:
    observation = seen(
        "a1=Ri b2=Cl",
        edition="master",
        mine="cards Sw | recipes mirugai",
        theirs="cards -",
        more="cups: e5 e6\ndisplay: Ch Sp St",
    )
    plan = planned(observation, "switch a2 b2")
    assert unmarked(bar_of(plan).more) == "Mirugai is complete: first place your tile."
    plan.accept()
    assert plan.begun.verbs == ("place",)
    preview = preview_of(plan)
    assert preview is not None
    assert preview.completes == ()
    assert unmarked(bar_of(plan).more) == "then Mirugai can be yours"
    plan.accept()
    assert bar_of(plan).button == "Serve Mirugai"


def test_a_wasabi_card_names_the_squares_that_it_covers_and_the_cube_that_it_brings() -> None:
    plan = planned(seen(mine="tiles Tu Av Ri | cards Wa | recipes tekkamaki"))
    plan.pick_number(4)
    plan.cursor = plan.rules.grid.names.index("c4")
    bar = bar_of(plan)
    assert (bar.button, unmarked(bar.more)) == ("Cover c4–d5", "brings a cube")


def test_a_turn_in_which_another_recipe_is_drawn_is_not_called_complete() -> None:
    recipes = seen(mine="tiles Tu Av Ri | recipes tekkamaki crunchy-tuna green-dragon")
    every = " ".join(map(format_card, recipes.position.seats[0].recipes))
    plan = planned(recipes, f"pass {every}; draw 3")
    assert (bar_of(plan).lead, bar_of(plan).button) == ("Another one follows.", "Draw the recipe")
    last = seen(turn="7, seat 1, restock", mine="tiles Tu Av Ri | recipes tekkamaki crunchy-tuna")
    assert bar_of(planned(last, "draw 3")).lead == "Your turn is complete."


def test_a_turn_that_goes_on_after_a_card_was_turned_up_is_not_called_complete() -> None:
    hand = "cards {} | recipes mirugai"
    serving = seen("a1=Cl", mine=hand.format("-"), theirs="cards -", more="display: Ch Sp St", edition="master")
    bar = bar_of(planned(serving, "place Ri b1; serve 2.0 mirugai; gain Ch"))
    assert (bar.lead, bar.button) == ("Then your turn goes on.", "Reveal the next card")
    full = seen("a1=Cl", mine=hand.format("Ch Sp"), theirs="cards -", more="display: Ch Sp St", edition="master")
    bar = bar_of(planned(full, "place Tu e6; gain Ch"))
    assert (bar.lead, bar.button) == ("Then your turn goes on.", "Reveal the next card")
    bar = bar_of(planned(serving, "place Tu e6; gain Ch"))
    assert (bar.lead, bar.button) == ("Your turn is complete.", "End turn and reveal a card")


def test_recipes_are_given_back_by_enter_only_once_one_is_picked() -> None:
    plan = planned(seen(mine="tiles Tu Av Ri | recipes tekkamaki crunchy-tuna green-dragon"))
    plan.begin_return()
    assert (bar_of(plan).button, labels(bar_of(plan))) == ("", ["6", "7", "8"])
    plan.pick_number(7)
    assert (bar_of(plan).button, labels(bar_of(plan))) == ("Pass, and return them", ["6", "7✓", "8"])
    none = planned(seen(mine="tiles Tu Av Ri | recipes -"))
    none.begin_return()
    assert bar_of(none).button == "Pass, and return them", "who holds none returns none"


def test_a_code_that_nothing_has_is_answered_with_what_is_asked_for() -> None:
    plan = planned(seen(), "place Tu d3")
    type_all(plan, "nx")
    assert plan.message == "No tile begins with nx. Type two letters, such as Ri."
    card = planned(rewarded("-"))
    type_all(card, "sx")
    assert card.message == "No card begins with sx. Type two letters, such as Ch."
    square = planned(seen())
    type_all(square, "1d9")
    assert square.message == "There is no square d9: they go from a1 to e6."


def test_a_tile_that_cannot_be_chosen_now_is_called_by_its_name() -> None:
    plan = planned(seen("a1=Tu a2=Tu a3=Tu", mine="tiles Av Ri Sa"), "place Av d3")
    type_all(plan, "tu")
    assert plan.message == "Tuna cannot be chosen now."


def test_with_a_full_hand_of_cards_the_bar_says_what_can_be_done() -> None:
    bar = bar_of(planned(rewarded("Ch St")))
    assert (bar.lead, bar.button, labels(bar)) == (
        "Your hand is full, with 2 cards:", "0 keep them", ["Chop! back", "Stack! back"],
    )  # fmt: skip
    assert unmarked(bar.more) == "Give one back to take another."


def test_each_card_that_can_be_taken_says_what_it_does() -> None:
    bar = bar_of(planned(rewarded("-", "wasabi: a5")))
    assert (bar.button, bar.about) == ("Chop!", "lift a tile")
    assert [(one.label, one.about) for one in bar.choices] == [
        ("Spicy!", "a second tile"),
        ("Stack!", "onto a tile"),
        ("Switch!", "swap two squares"),
        ("Wasabi! from a5", "cover 4 squares"),
    ]
