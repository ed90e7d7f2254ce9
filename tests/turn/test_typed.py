"""Steps as people type them."""

from __future__ import annotations

import pytest

from tests.view.tables import seen
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Step
from wasabi_tx.games.draft import Draft
from wasabi_tx.text import Texts
from wasabi_tx.turn.prompt import ask, reachable
from wasabi_tx.turn.step_groups import typed_form
from wasabi_tx.turn.typed import NotUnderstood, read_step
from wasabi_tx.view.table.hand import hand_of

MINE = "tiles Tu Av Ri | cards Ch Wa | recipes tekkamaki crunchy-tuna green-dragon"


def read(observation: Observation, text: str, language: str = "en", before: str = "") -> str:
    draft = Draft(observation)
    for step in observation.rules.parse(before) if before else ():
        draft.add(step)
    texts = Texts(language)
    step = read_step(text, draft, ask(draft, texts).slot, texts)
    return observation.rules.grammar.format(step)


@pytest.mark.parametrize(
    "text",
    ["place Tu d3", "Tu d3", "tu d3", "TU D3", "  tu   d3 ", "put tuna d3", "tuna d3", "tun d3", "2 d3", "place 2 d3"],
)
def test_placing(text: str) -> None:
    assert read(seen(mine=MINE), text) == "place Tu d3"


@pytest.mark.parametrize("text", ["metti Tu d3", "tonno d3", "piazza tonno d3", "tuna d3", "place tu d3"])
def test_placing_in_italian(text: str) -> None:
    assert read(seen(mine=MINE), text, "it") == "place Tu d3"


def claimable() -> Observation:
    return seen("b3=Te c3=Ma", mine=MINE)


@pytest.mark.parametrize(
    "text", ["claim crunchy", "claim crunchy tuna", "claim crunchy-tuna", "claim 7", "complete Cru", "7", "crunchy"]
)
def test_completing(text: str) -> None:
    assert read(claimable(), text, before="place Tu d3").endswith(" crunchy-tuna")


def test_completing_without_a_name_is_enough_when_there_is_only_one() -> None:
    only = seen("b3=Te c3=Ma", mine="tiles Tu Av Ri | recipes crunchy-tuna green-dragon")
    assert read(only, "claim", before="place Tu d3").endswith(" crunchy-tuna")
    with pytest.raises(NotUnderstood) as caught:
        read(claimable(), "claim", before="place Tu d3")
    assert caught.value.code == "several"
    assert len(caught.value.steps) == 2


def test_a_recipe_that_is_not_complete_is_understood_and_left_to_the_rules() -> None:
    assert read(claimable(), "claim green", before="place Tu d3").endswith(" green-dragon")


@pytest.mark.parametrize(
    ("text", "lengths"), [("pass 6", "2"), ("pass 8 6", "42"), ("pass green tekka", "42"), ("pass all", "234")]
)
def test_passing(text: str, lengths: str) -> None:
    step = seen(mine=MINE).rules.grammar.parse(read(seen(mine=MINE), text))
    assert step.verb == "pass"
    assert "".join(str(card >> 8) for card in step.args) == lengths


def test_passing_never_guesses_what_is_returned() -> None:
    with pytest.raises(NotUnderstood) as caught:
        read(seen(mine=MINE), "pass")
    assert caught.value.code == "several"
    with pytest.raises(NotUnderstood):
        read(seen(mine=MINE), "pass everything")
    assert read(seen(mine="tiles Tu Av Ri | recipes tekkamaki"), "pass") == "pass 2.0"
    assert read(seen(mine="tiles Tu Av Ri"), "pass") == "pass"


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("chop b3", "chop b3"),
        ("Ch b3", "chop b3"),
        ("ch b3 a1", "chop b3 a1"),
        ("4 b3", "chop b3"),
        ("wasabi d4", "wasabi d4"),
        ("Wa d4", "wasabi d4"),
    ],
)
def test_action_cards_by_verb_code_or_number(text: str, step: str) -> None:
    assert read(claimable(), text) == step


def test_two_squares_may_be_given_in_any_order() -> None:
    observation = seen("b3=Te", mine="tiles Tu Av Ri | cards Sw")
    assert read(observation, "switch c3 b3") == "switch b3 c3"
    assert read(observation, "scambia c3 b3", "it") == "switch b3 c3"


def test_a_bare_code_is_read_for_what_is_asked() -> None:
    assert read(seen(), "Cu", before="place Tu d3") == "tile Cu"
    restocking = seen(
        turn="7, seat 1, restock", mine="tiles Tu Av Ri | cards Ch", more="this turn: rewards 1\nwasabi: a5"
    )
    assert read(restocking, "sp") == "take Sp"
    assert read(restocking, "spicy") == "take Sp"
    assert read(restocking, "wa") == "take Wa a5"
    drawing = seen(turn="7, seat 1, restock", mine="tiles Tu Av Ri")
    assert read(drawing, "3") == "draw 3"
    assert read(drawing, "pesca 3", "it") == "draw 3"


def test_a_discard_is_named_because_a_bare_code_plays_a_card() -> None:
    full = seen(turn="7, seat 1, restock", mine="tiles Tu Av Ri | cards Ch St", more="this turn: rewards 1")
    assert read(full, "discard St") == "discard St"
    assert read(full, "drop 5") == "discard St"
    assert read(full, "take Sp", before="discard St") == "take Sp"
    assert read(full, "none") == "forgo"
    playing = seen("d3=Tu", mine="tiles Tu Av Ri | cards Ch St")
    assert read(playing, "discard chop") == "discard Ch"
    assert read(playing, "st") == "stack"


def test_a_placement_without_a_square_could_mean_many_things() -> None:
    with pytest.raises(NotUnderstood) as caught:
        read(seen(mine=MINE), "Tu")
    assert caught.value.code == "several"
    assert len(caught.value.steps) == 30


@pytest.mark.parametrize(
    "text",
    [
        "zzz",
        "place",
        "place zz d3",
        "d3 Tu",
        "Tu z9",
        "exclude 2",
        "leave 2",
        "turn",
        ";",
        "99999999",
        "claim 99",
        "²",
        "٣ d3",
    ],
)
def test_nonsense_is_not_understood(text: str) -> None:
    with pytest.raises(NotUnderstood):
        read(seen(mine=MINE), text)


def test_a_very_long_line_is_refused_at_once() -> None:
    with pytest.raises(NotUnderstood):
        read(seen(mine=MINE), "pass " + "6 " * 5000)


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_reachable_step_is_understood_as_it_is_shown(language: str) -> None:
    """Each proposal of the program can be typed back, at every kind of moment."""
    texts = Texts(language)
    moments = [
        claimable(),
        seen("b3=Te c3=Ma d3=Tu", mine=MINE, more="laid: d3\nthis turn: -"),
        seen("b3=Te", mine="tiles Tu Av Ri | cards Sp Sw | recipes tekkamaki"),
        seen("b3=Te", mine="tiles Tu Av Ri | cards St Ch"),
        seen(turn="7, seat 1, restock", mine="tiles Tu Av | cards Ch St", more="this turn: rewards 1\nwasabi: a5"),
        seen(turn="7, seat 1, restock", mine="tiles Tu Av"),
        seen(turn="0, seat 1, give", mine="tiles -", theirs="tiles -"),
        seen(
            "a1=Ri", edition="master", mine="cards Sp St | recipes mirugai", theirs="cards -", more="display: Ch Sw St"
        ),
    ]
    for observation in moments:
        draft, rules = Draft(observation), observation.rules
        hand, slot = hand_of(observation), ask(draft, texts).slot
        for step in reachable(draft)[::7]:
            for text in (typed_form(rules, hand, step, texts), rules.grammar.format(step)):
                assert read_step(text, draft, slot, texts) == step, text


def test_nothing_is_read_for_a_step_that_only_chance_takes() -> None:
    observation = seen(edition="master", mine="cards - | recipes mirugai", theirs="cards -", more="display: Ch Sw St")
    with pytest.raises(NotUnderstood):
        read(observation, "turn Ch")
    assert Step("turn") not in reachable(Draft(observation))
