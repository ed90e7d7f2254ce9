"""The greedy bot in the second edition."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest

from wasabi_tx.bots.greedy import Advice
from wasabi_tx.bots.levels import GREEDY
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position_text import parse_position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.sealed_card import Card


class Kitchen(NamedTuple):
    rules: AnyRules
    position: Any
    faces: dict[Card, int]

    @property
    def advice(self) -> Advice:
        """Return the greedy bot's legal advice for the mover, with reasons."""
        seen = observe(self.rules, self.position, self.position.mover, self.faces)
        found = GREEDY.explain(seen)
        self.rules.apply_bundle(self.position, found.bundle)
        self.rules.apply_bundle(self.position, GREEDY.choose(seen, random.Random(1), 1))
        return found

    @property
    def steps(self) -> list[str]:
        return self.rules.format(self.advice.bundle.steps).split("; ")

    @property
    def verbs(self) -> list[str]:
        return [step.verb for step in self.advice.bundle.steps]

    @property
    def served(self) -> dict[str, int]:
        """Return the recipes that the bot serves, each with its style cubes."""
        after = self.rules.apply_bundle(self.position, self.advice.bundle)
        done = after.seats[0].claimed[len(self.position.seats[0].claimed) :]
        return {self.rules.edition.recipes[one.recipe].id: one.cubes for one in done}


def kitchen(rows: str, seat: str, *lines: str, turn: str = "turn: 9, seat 1, play, first 1") -> Kitchen:
    """Return a two-player table; rows are separated by bars, and omitted squares and lines are empty."""
    written = [row.split() for row in rows.split("|")]
    written += [[] for _ in range(6 - len(written))]
    board = [" ".join([str(n), *row, *["."] * (5 - len(row))]) for n, row in enumerate(written, 1)]
    keys = {line.partition(":")[0] for line in lines}
    fill = {"cups": "cups: d6 e6", "display": "display: Ch St Sw"}
    text = [
        *("position: master, 2 players", turn, "board:", "a b c d e", *board),
        *(line for key, line in fill.items() if key not in keys),
        *(f"seat 1 | {seat}", *lines),
        *(["seat 2 | cards -"] if not any(line.startswith("seat 2") for line in lines) else []),
    ]
    return Kitchen(*parse_position("\n".join(text), rules_for))


def test_serves_a_recipe_that_one_tile_completes_with_style() -> None:
    at = kitchen("Te No .", "recipes crispy-business soft-shell-shuffle")
    assert at.served == {"soft-shell-shuffle": 1}
    assert at.advice.reasons[0].code == "completes"


def test_serves_two_recipes_with_one_tile_and_the_one_that_gives_a_card_last() -> None:
    at = kitchen("Te No .|. . Ri", "recipes crab-and-go soft-shell-shuffle")
    assert at.served == {"soft-shell-shuffle": 1, "crab-and-go": 0}
    assert at.verbs == ["place", "serve", "serve", "gain"]


@pytest.mark.parametrize(
    ("cards", "rows"),
    [
        ("Sp", ". Cr . ."),
        ("St", "Te No Sa"),
        ("Ch", "Te No Sa"),
        ("Sw", "Te No . Cr"),
        ("Sp Sp", ". . ."),
        ("Ch Sp", "Te Sa ."),
        ("Sw", "Te No Cr"),
        ("St", "Te No Cr"),
        ("Ch", "Te No Cr"),
    ],
)
def test_plays_the_cards_that_complete_a_recipe(cards: str, rows: str) -> None:
    at = kitchen(rows, f"cards {cards} | recipes soft-shell-shuffle")
    assert "soft-shell-shuffle" in at.served


def test_moves_a_cup_out_of_the_way() -> None:
    at = kitchen("Te No .", "recipes soft-shell-shuffle", "cups: c1 e6")
    assert at.verbs[:3] == ["cup", "place", "serve"]
    assert at.served == {"soft-shell-shuffle": 1}


def test_a_full_pool_is_taken() -> None:
    at = kitchen(". .", "recipes soft-shell-shuffle crispy-business keep-it-eel", "pool: 9")
    assert at.verbs[-1] == "pool"
    assert at.advice.reasons[-1].about == {"cubes": 9}


def test_recipes_whose_tiles_are_gone_are_exchanged() -> None:
    edition = rules_for("master", 2).edition
    (tile, *_) = (number for number, one in enumerate(edition.ingredients, 1) if one.count == 1)
    dead = [recipe.id for recipe in edition.recipes if tile in recipe.strip.tiles][:3]
    code = edition.ingredients[tile - 1].code
    at = kitchen(f"{code}/Ri", f"recipes {' '.join(dead)}")
    assert at.verbs[:2] == ["place", "exchange"]
    assert at.advice.reasons[-2].code == "dead-recipes"
    assert len(at.advice.bundle.steps[1].args) == len(dead)


def test_the_least_useful_card_is_discarded() -> None:
    at = kitchen(
        ". .",
        "cards Ch Sp St | recipes soft-shell-shuffle crispy-business keep-it-eel",
        turn="turn: 9, seat 1, discard, first 1",
    )
    assert at.steps == ["discard Ch"]


def test_nothing_but_the_score_counts_in_the_last_turn() -> None:
    """A card or another recipe is no longer of use, but the pool is."""
    rows = "Ri Ri Ri Ri Ri|No No No No No|Sa Tu Ye Ee Sh|Cr Sc Oc Av Cu|Ca Da Eg Te To|Pi Sa Tu . ."
    at = kitchen(
        rows, "recipes soft-shell-shuffle crispy-business keep-it-eel", "final round: board, waiting -", "cups: d6 e6"
    )
    assert at.verbs[-1] == "pool"


@pytest.mark.parametrize("before", ["place Cr c1", "spicy Cr c1", "spicy Sa e5", "place Sa e5"])
def test_goes_on_in_the_middle_of_a_turn(before: str) -> None:
    at = kitchen("Te No .", "cards Sp | recipes soft-shell-shuffle")
    (step,) = at.rules.parse(before)
    later = Kitchen(at.rules, at.rules.apply(at.position, step), at.faces)
    assert "soft-shell-shuffle" in later.served
