"""Prompts: the question, what Enter takes, and what would be lost."""

from __future__ import annotations

import pytest

from tests.view.tables import PLAYERS, seen
from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.sealed_card import format_card
from wasabi_tx.games.draft import Draft
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.text.topics import find_topic
from wasabi_tx.turn.prompt import Prompt, ask, lost_by
from wasabi_tx.turn.prompt_lines import TOPICS, prompt_lines
from wasabi_tx.view.table.plain_table import WIDTH

MINE = "tiles Tu Av Ri | recipes tekkamaki crunchy-tuna green-dragon"
EN = Texts("en")


def drafted(observation: Observation, text: str = "") -> Draft:
    draft = Draft(observation)
    for step in observation.rules.parse(text) if text else ():
        draft.add(step)
    return draft


def prompt(observation: Observation, text: str = "", declined: bool = False) -> Prompt:
    return ask(drafted(observation, text), EN, declined)


def default(found: Prompt, observation: Observation) -> str:
    assert found.default is not None
    return observation.rules.grammar.format(found.default.step)


def said(observation: Observation, text: str = "", language: str = "en") -> str:
    draft, texts = drafted(observation, text), Texts(language)
    return "\n".join(prompt_lines(ask(draft, texts), draft, PLAYERS[: observation.rules.players], texts))


def claimable() -> Observation:
    return seen("b3=Te c3=Ma", mine=MINE)


def test_a_turn_starts_with_a_tile_and_no_default() -> None:
    found = prompt(claimable())
    assert (found.slot, found.default) == ("place", None)
    assert "such as Ri a1" in said(claimable())
    assert "pass 6" in said(claimable())


def test_completions_are_offered_before_anything_else_the_best_one_by_enter() -> None:
    found = prompt(claimable(), "place Tu d3")
    assert found.slot == "claim"
    assert default(found, claimable()).endswith("crunchy-tuna")
    text = said(claimable(), "place Tu d3")
    assert "7 Crunchy Tuna b3–d3: 3 points, 1 for style" in text
    assert "6 Tekkamaki c3–d3: 2 points" in text


def test_declined_completions_are_not_asked_for_again() -> None:
    assert prompt(claimable(), "place Tu d3", declined=True).slot == "tile"


def test_the_tile_that_the_nearest_recipe_misses_is_the_default() -> None:
    observation = seen("a1=Av b1=Cu", mine="tiles Tu Ri To | recipes green-dragon")
    found = prompt(observation, "place To e6")
    rules = observation.rules
    strip = {rules.code(t) for t in rules.strips[rules.edition.recipe_numbers["green-dragon"]].tiles}
    assert found.slot == "tile"
    assert default(found, observation).removeprefix("tile ") in strip - {"Av", "Cu", "Ri"}
    assert "Green Dragon needs it" in said(observation, "place To e6")


def test_rewards_come_first_and_a_full_hand_is_not_filled() -> None:
    more = "this turn: rewards 1\nwasabi: a5"
    room = seen(turn="7, seat 1, restock", mine="tiles Tu Av Ri | cards Ch", more=more)
    assert default(prompt(room), room) == "take Sp"
    assert "Sp, St, Sw, Wa a5" in said(room)
    full = seen(turn="7, seat 1, restock", mine="tiles Tu Av Ri | cards Ch St", more=more)
    assert default(prompt(full), full) == "forgo"
    assert "discard St" in said(full)


def test_the_length_of_which_most_tokens_wait_is_the_default() -> None:
    observation = seen(turn="7, seat 1, restock", mine="tiles Tu Av Ri | recipes tekkamaki carrot-top")
    assert default(prompt(observation), observation) == "draw 3"


def test_a_gift_names_the_neighbour_and_proposes_what_few_recipes_need() -> None:
    start = seen(turn="0, seat 1, give", mine="tiles -", theirs="tiles -")
    assert prompt(start).slot == "gift"
    assert "starting tile for Bo" in said(start)
    assert "recipes use it" in said(start)


def test_a_second_tile_is_offered_and_may_be_declined() -> None:
    observation = seen(mine="tiles Tu Av Ri | cards Sp | recipes green-dragon")
    assert prompt(observation, "spicy; place Tu a1").slot == "extra"
    assert prompt(observation, "spicy; place Tu a1", declined=True).slot == "tile"


def test_a_turn_in_which_nothing_is_left_is_ended_by_enter() -> None:
    observation = seen("b3=Te", mine="tiles Tu Av Ri | cards Ch | recipes tekkamaki crunchy-tuna green-dragon")
    found = prompt(observation, "chop b3 b3")
    assert found.slot == "end"
    assert default(found, observation) == "done"


def test_sending_says_so_when_it_cannot_be_undone() -> None:
    hidden = said(seen(), "place Tu d3; done; tile Cu; draw 3")
    assert "no undo after that" in hidden
    open_information = said(claimable(), "place Tu e6; done; tile Cu")
    assert "no undo" not in open_information
    assert "Ready: put Tuna on e6, took Cucumber." in open_information


def test_sending_does_not_end_a_turn_in_which_another_recipe_is_drawn() -> None:
    every = " ".join(map(format_card, claimable().position.seats[0].recipes))
    assert "Enter draws the recipe, so there is no undo" in said(claimable(), f"pass {every}; draw 3")
    serving = seen(
        "a1=Cl", mine="cards - | recipes mirugai", theirs="cards -", more="display: Ch Sp St", edition="master"
    )
    assert "Enter turns up a card, so there is no undo" in said(serving, "place Ri b1; serve 2.0 mirugai; gain Ch")


def test_what_a_step_would_lose_is_known_before() -> None:
    draft = drafted(claimable(), "place Tu d3")
    rules = claimable().rules
    lost = lost_by(draft, rules.parse("tile Cu")[0])
    assert {rules.edition.recipes[one.recipe].id for one in lost} == {"tekkamaki", "crunchy-tuna"}
    claim = next(step for step in draft.legal() if step.verb == "claim")
    assert lost_by(draft, claim) == []


def test_a_card_that_spoils_a_window_loses_what_lies_in_it() -> None:
    observation = seen("b3=Te c3=Ma", mine=f"{MINE} | cards Wa")
    draft = drafted(observation, "place Tu d3")
    rules = observation.rules
    assert len(lost_by(draft, rules.parse("wasabi c3")[0])) == 2
    assert [rules.edition.recipes[one.recipe].id for one in lost_by(draft, rules.parse("wasabi a3")[0])] == [
        "crunchy-tuna"
    ]
    assert lost_by(draft, rules.parse("wasabi a5")[0]) == []


def test_an_illegal_step_loses_nothing_and_is_refused() -> None:
    draft = drafted(claimable(), "place Tu d3")
    with pytest.raises(Exception, match="no-tile-owed"):
        lost_by(draft, claimable().rules.parse("place Ri e5")[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_second_edition_asks_for_serving_or_prep(language: str) -> None:
    observation = seen(
        "a1=Ri",
        edition="master",
        mine="cards Sp St | recipes mirugai",
        theirs="cards -",
        more="display: Ch Sw St\npool: 3",
    )
    assert prompt(observation).slot == "place"
    assert prompt(observation, "place Tu e1").slot == "prep"
    text = said(observation, "place Tu e1", language)
    assert "3" in text
    assert max(map(len, text.splitlines())) <= WIDTH
    assert prompt(observation, "place Tu e1; gain Ch").reveals == "card"
    assert prompt(observation, "place Tu e1; pool").reveals == ""
    claimed = prompt(observation, "place Cl a2")
    assert claimed.slot == "claim"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("You can serve:", "4 Mirugai a1–a2: 2 points and an action card", "Enter serves Mirugai;")),
        ("it", ("Puoi servire:", "4 Mirugai a1–a2: 2 punti e una Carta Azione", "Invio serve Mirugai;")),
    ],
)
def test_the_second_edition_serves_and_says_that_a_short_recipe_gives_a_card(
    language: str, words: tuple[str, ...]
) -> None:
    hand, display = "cards - | recipes mirugai", "display: Ch Sw St"
    observation = seen("a1=Ri", mine=hand, theirs="cards -", more=display, edition="master")
    text = said(observation, "place Cl a2", language)
    for word in words:
        assert word in text


def test_a_draw_after_serving_says_what_the_backs_of_the_cards_give_and_after_an_exchange_they_give_nothing() -> None:
    hand, display = "cards - | recipes sake-avo-maki", "display: Ch Sp St"
    serving = seen("a1=Sa b1=Av", mine=hand, theirs="cards -", more=display, edition="master")
    for steps in ("place No c1; serve 3.0 sake-avo-maki", "place No c1; serve 3.0 sake-avo-maki; done"):
        assert "how many tiles? 2, 3 (pool +1), 4 (pool +2), 5 (+1, pool +1)." in said(serving, steps)
    assert "2, 3 (piatto +1), 4 (piatto +2)," in said(serving, steps, "it")
    assert "how many tiles? 2, 3, 4, 5." in said(serving, "place Tu e1; exchange 3.0")
    drafting = seen(mine="tiles Tu Av Ri | recipes 2.3 3.3", turn="7, seat 1, restock")
    assert "how many tiles? 2, 3, 4, 5." in said(drafting)


@pytest.mark.parametrize("rules", PACKAGED)
def test_every_slot_has_a_topic(rules: str) -> None:
    """Action cards, cups and passes are never asked for; all else is, and a question mark explains it."""
    slots = {*rules_for(rules, 2).slots.values(), "end", "extra", "send"} - {"action", "cup", "pass"}
    for language in LANGUAGES:
        for slot in slots:
            assert find_topic(language, rules, TOPICS[slot]), slot
