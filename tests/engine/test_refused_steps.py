"""An illegal step is refused with a `RulesError`, and nothing changes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.classic.table import opening
from tests.engine.games import Moment, moment_of
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.errors import Illegal, Malformed, RulesError
from wasabi_tx.engine.notation import Kind
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.step import Step

UNLISTED = ("leave", "exclude")


def writable_steps(rules: AnyRules, position: Any) -> Iterator[Step]:
    """Yield every step that can be written at this table; of passes, those of the mover's hand and one more card."""
    edition = rules.edition
    cards = sorted(card for seat in position.seats for card in seat.recipes)
    cards += [deck[0] for deck in position.decks if deck]
    choices: dict[Kind, list[int]] = {
        Kind.TILE: list(range(1, len(edition.ingredients) + 1)),
        Kind.SQUARE: list(range(rules.grid.size)),
        Kind.ACTION: list(range(len(edition.actions))),
        Kind.CARD: cards,
        Kind.RECIPE: list(range(len(edition.recipes))),
        Kind.DECK: list(edition.lengths),
        Kind.SEAT: list(range(rules.players)),
    }
    choices[Kind.OPTIONAL_SQUARE] = choices[Kind.SQUARE]
    for verb, kinds in rules.verbs.items():
        if kinds == (Kind.CARDS,):
            some = sorted({*position.seats[position.mover].recipes, cards[0]})
            yield from (Step(verb, order) for n in range(len(some) + 1) for order in permutations(some, n))
            continue
        if kinds and kinds[-1] is Kind.OPTIONAL_SQUARE:
            yield from (Step(verb, args) for args in product(*(choices[kind] for kind in kinds[:-1])))
        yield from (Step(verb, args) for args in product(*(choices[kind] for kind in kinds)))


def applies(rules: AnyRules, position: Any, step: Step) -> bool:
    try:
        rules.apply(position, step)
    except Illegal:
        return False
    return True


@given(st.integers(2, 4), st.integers(0, 2**32), st.integers(0, 180))
@settings(max_examples=20, deadline=None)
def test_of_all_steps_that_can_be_written_down_exactly_the_listed_ones_apply(
    players: int, seed: int, number: int
) -> None:
    """A claim applies for anyone who shows the face; only those with known faces are listed."""
    rules, position, _, _, faces = moment_of(players, seed, number)
    before = rules.canonical(position)
    true_faces = set(faces.items())
    steps = [s for s in writable_steps(rules, position) if s.verb not in UNLISTED]
    steps = [s for s in steps if s.verb != "claim" or s.args in true_faces]
    applied = sorted(step for step in steps if applies(rules, position, step))
    assert applied == rules.legal(position, faces)
    assert rules.canonical(position) == before


numbers = st.integers(-3, 60) | st.integers(510, 1300) | st.integers()
verbs = st.sampled_from(sorted(rules_for("classic", 2).verbs))
words = numbers | st.text(max_size=3) | st.none()
anything = st.builds(Step, verbs | st.text(max_size=6), st.lists(words, max_size=4).map(tuple))
POSITIONS = [moment_of(2 + n % 3, n, 25 * n) for n in range(8)]


@given(st.sampled_from(POSITIONS), anything)
@settings(max_examples=200, deadline=None)
def test_applying_an_illegal_or_malformed_step_raises_a_rules_error_and_changes_nothing(
    moment: Moment, step: Step
) -> None:
    rules, position = moment.rules, moment.position
    before = rules.canonical(position)
    if step not in rules.legal(position, moment.faces) and step.verb not in (*UNLISTED, "claim"):
        with pytest.raises(RulesError):
            rules.apply(position, step)
    assert rules.canonical(position) == before


@pytest.mark.parametrize(
    ("step", "code", "where"),
    [
        (Step("eat"), "verb", {"text": "eat"}),
        (Step("PLACE", (1, 2)), "verb", {"text": "PLACE"}),
        (Step("place", (1,)), "arguments", {"verb": "place", "count": 1}),
        (Step("place", (1, 2, 3)), "arguments", {"verb": "place", "count": 3}),
        (Step("done", (1,)), "arguments", {"verb": "done", "count": 1}),
        (Step("take", ()), "arguments", {"verb": "take", "count": 0}),
        (Step("take", (1, 2, 3)), "arguments", {"verb": "take", "count": 3}),
        (Step("place", (0, 2)), "argument", {"verb": "place", "kind": "tile", "text": "0"}),
        (Step("place", (25, 2)), "argument", {"verb": "place", "kind": "tile", "text": "25"}),
        (Step("place", (1, -1)), "argument", {"verb": "place", "kind": "square", "text": "-1"}),
        (Step("place", (1, 30)), "argument", {"verb": "place", "kind": "square", "text": "30"}),
        (Step("draw", (6,)), "argument", {"verb": "draw", "kind": "deck", "text": "6"}),
        (Step("claim", (-1, 0)), "argument", {"verb": "claim", "kind": "card", "text": "-1"}),
        (Step("claim", (512, 52)), "argument", {"verb": "claim", "kind": "recipe", "text": "52"}),
        (Step("leave", (2,)), "argument", {"verb": "leave", "kind": "seat", "text": "2"}),
        (Step("take", (5,)), "argument", {"verb": "take", "kind": "action", "text": "5"}),
        (Step("take", (0, 30)), "argument", {"verb": "take", "kind": "optional square", "text": "30"}),
        (Step("pass", (2**40,)), "argument", {"verb": "pass", "kind": "card", "text": str(2**40)}),
    ],
)
def test_a_malformed_step_says_what_of_it_is_nonsense(step: Step, code: str, where: dict[str, str | int]) -> None:
    at = opening(2).do("give Tu; give Sh; give Av; give Tu; give Sh; give Av; " + "; ".join(["draw 2"] * 6))
    with pytest.raises(Malformed) as caught:
        at.rules.apply(at.position, step)
    assert (caught.value.code, caught.value.where) == (code, where)
