"""Text forms: everything written can be read back, and nothing else is accepted."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.games import moment_of, walk
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.errors import Malformed
from wasabi_tx.engine.position_text import format_position, parse_position
from wasabi_tx.engine.sealed_card import LAST_CARD, format_card, parse_card

players = st.integers(2, 4)
seeds = st.integers(0, 2**32)


@given(players, seeds)
@settings(max_examples=10, deadline=None)
def test_steps_round_trip(players: int, seed: int) -> None:
    for moment in islice(walk(players, seed, leaving=0.01), seed % 5, None, 5):
        rules = moment.rules
        steps = (*rules.legal(moment.position, moment.faces), moment.step)
        assert rules.parse(rules.format(steps)) == steps


@given(players, seeds, st.sampled_from([0.0, 0.02]))
@settings(max_examples=10, deadline=None)
def test_positions_round_trip(players: int, seed: int, leaving: float) -> None:
    for moment in islice(walk(players, seed, leaving), seed % 8, None, 8):
        rules, position, faces = moment.rules, moment.after, moment.faces
        text = format_position(rules, position, faces)
        same_rules, same, known = parse_position(text, rules_for)
        assert same_rules is rules
        assert rules.canonical(same) == rules.canonical(position)
        assert known == {card: faces[card] for seat in position.seats for card in seat.recipes}
        assert format_position(rules, same, known) == text
        assert rules.legal(same, known) == rules.legal(position, faces)


@given(players, seeds, st.integers(0, 150))
@settings(max_examples=40, deadline=None)
def test_a_position_without_the_lines_that_follow_from_others_is_the_same(players: int, seed: int, number: int) -> None:
    moment = moment_of(players, seed, number)
    text = format_position(moment.rules, moment.after, moment.faces)
    short = [line for line in text.splitlines() if not line.startswith(("pantry:", "kitchen:"))]
    same = parse_position("\n".join(short), rules_for)[1]
    assert moment.rules.canonical(same) == moment.rules.canonical(moment.after)


@given(st.integers(0, LAST_CARD))
def test_cards_round_trip(card: int) -> None:
    assert parse_card(format_card(card)) == card


@given(st.from_regex(r"[0-9]{1,4}[.,][0-9]{1,4}(@[0-9]{0,5})?", fullmatch=True) | st.text(max_size=8))
def test_parsing_a_card_accepts_exactly_what_formatting_writes(text: str) -> None:
    try:
        card = parse_card(text)
    except Malformed as error:
        assert error.code == "card"  # noqa: PT017
    else:
        assert format_card(card) == text


WORDS = [
    "Ri",
    "Tu",
    "ri",
    "Sp",
    "Ch",
    "a1",
    "e6",
    "f1",
    "a7",
    "a01",
    "A1",
    "2.0",
    "3.7@1",
    "2.00",
    "tekkamaki",
    "2",
    "5",
]
VERBS = sorted(rules_for("classic", 2).verbs)
lines = st.lists(st.sampled_from(VERBS + WORDS) | st.text(max_size=4), min_size=1, max_size=5)
joints = st.sampled_from([" ", " ", " ", "  ", "\t", "\N{NO-BREAK SPACE}"])


@given(lines, joints)
@settings(max_examples=400)
def test_parsing_a_step_accepts_exactly_what_formatting_writes(words: list[str], joint: str) -> None:
    grammar = rules_for("classic", 2).grammar
    text = joint.join(words)
    try:
        step = grammar.parse(text)
    except Malformed as error:
        assert error.code  # noqa: PT017
    else:
        assert grammar.format(step) == text


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("", "verb", {"text": ""}),
        ("eat Tu", "verb", {"text": "eat"}),
        ("Place Tu a1", "verb", {"text": "Place"}),
        ("x" * 99, "verb", {"text": "x" * 40}),
        ("place Tu", "arguments", {"verb": "place", "count": 1}),
        ("place Tu a1 b1", "arguments", {"verb": "place", "count": 3}),
        ("place  Tu a1", "arguments", {"verb": "place", "count": 3}),
        ("done now", "arguments", {"verb": "done", "count": 1}),
        ("chop", "arguments", {"verb": "chop", "count": 0}),
        ("place Xx a1", "tile", {"text": "Xx"}),
        ("place tu a1", "tile", {"text": "tu"}),
        ("place Ch a1", "tile", {"text": "Ch"}),
        ("place Tu a0", "square", {"text": "a0"}),
        ("place Tu 1a", "square", {"text": "1a"}),
        ("place Tu f1", "square-outside", {"text": "f1"}),
        ("place Tu a7", "square-outside", {"text": "a7"}),
        ("chop a1  b1", "arguments", {"verb": "chop", "count": 3}),
        ("take Tu", "action", {"text": "Tu"}),
        ("take Wa z9", "square-outside", {"text": "z9"}),
        ("draw 6", "deck", {"text": "6"}),
        ("draw 02", "deck", {"text": "02"}),
        ("claim 2.0 sushi", "recipe", {"text": "sushi"}),
        ("claim 2-0 tekkamaki", "card", {"text": "2-0"}),
        ("claim 2.0@0 tekkamaki", "card", {"text": "2.0@0"}),
        ("pass 2.256", "card", {"text": "2.256"}),
        ("pass 999.0", "card", {"text": "999.0"}),
        ("pass 2.٣", "card", {"text": "2.٣"}),
        ("leave 0", "seat", {"text": "0"}),
        ("leave 3", "seat", {"text": "3"}),
        ("done; ", "verb", {"text": ""}),
    ],
)
def test_malformed_notation_names_the_word(text: str, code: str, where: dict[str, str | int]) -> None:
    with pytest.raises(Malformed) as caught:
        rules_for("classic", 2).parse(text)
    assert (caught.value.code, caught.value.where) == (code, where)
