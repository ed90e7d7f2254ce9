"""A table of the first edition in a few lines of text, and what may and may not be done at it.

    table('''
        board:
        Pi Da .
        seat 1 | tiles Ma | recipes pickle-barrel
    ''').do("place Ma c1; claim pickle-barrel; done")

Squares, seats and lines that are left out are empty, and seat 1 is about to begin a turn. In steps a recipe may stand
for the card that shows it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from wasabi_tx.engine.card import Card, format_card
from wasabi_tx.engine.editions import packaged_edition, rules_for
from wasabi_tx.engine.errors import RulesError
from wasabi_tx.engine.position import Seat
from wasabi_tx.engine.position_text import format_position, parse_position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.step import Step

UNLISTED = {"leave", "exclude"}
"""Open to every seat at any time, so never in the legal list."""


@dataclass(frozen=True)
class Table:
    rules: AnyRules
    position: Any
    faces: dict[Card, int]

    def seat(self, number: int) -> Seat:
        """The seat with this number, counted from 1 as on the screen."""
        seat: Seat = self.position.seats[number - 1]
        return seat

    def tiles(self, number: int) -> str:
        return " ".join(self.rules.edition.ingredients[tile - 1].code for tile in self.seat(number).tiles)

    def cards(self, number: int) -> str:
        return " ".join(self.rules.edition.actions[card].code for card in self.seat(number).cards)

    def claimed(self, number: int) -> list[tuple[str, int]]:
        """What the seat has completed, each with its cubes for style."""
        return [(self.rules.edition.recipes[done.recipe].id, done.cubes) for done in self.seat(number).claimed]

    def line(self, key: str) -> str:
        """What one line of the position's text says."""
        for line in format_position(self.rules, self.position, self.faces).splitlines():
            name, _, rest = line.partition(":")
            if name == key:
                return rest.strip()
        return ""

    @property
    def changed(self) -> str:
        """The names of the squares that count as changed."""
        return " ".join(name for n, name in enumerate(self.rules.grid.names) if self.position.changed >> n & 1)

    @property
    def mover(self) -> int:
        mover: int = self.position.mover
        return mover + 1

    def legal(self, verb: str = "") -> list[str]:
        """The legal steps in notation, all or those of one verb."""
        steps = self.rules.legal(self.position, self.faces)
        return [self.rules.format([step]) for step in steps if step.verb == verb or not verb]

    def do(self, line: str) -> Table:
        """The table after these steps, each of which has to be legal."""
        position = self.position
        for step in self._steps(line):
            listed = step in self.rules.legal(position, self.faces)
            assert listed or step.verb in UNLISTED, f"{step} is not listed"
            position = self.rules.apply(position, step)
        return Table(self.rules, position, self.faces)

    def refuses(self, line: str, code: str, **where: str | int) -> None:
        """Holds if the last of these steps, and no other, is refused with exactly this error, and changes nothing."""
        *before, last = line.split(";")
        at = self.do(";".join(before)) if before else self
        (step,) = at._steps(last)
        assert step not in self.rules.legal(at.position, self.faces)
        bytes_before = self.rules.canonical(at.position)
        with pytest.raises(RulesError) as caught:
            self.rules.apply(at.position, step)
        assert (caught.value.code, caught.value.where) == (code, where)
        assert self.rules.canonical(at.position) == bytes_before

    def _steps(self, line: str) -> tuple[Step, ...]:
        return self.rules.parse("; ".join(self._spelt_out(part.strip()) for part in line.split(";")))

    def _spelt_out(self, text: str) -> str:
        verb, *words = text.split(" ")
        if verb not in ("claim", "pass"):
            return text
        names = {self.rules.edition.recipes[face].id: format_card(card) for card, face in self.faces.items()}
        if verb == "claim" and len(words) == 1:
            return f"claim {names[words[0]]} {words[0]}"
        if verb == "pass":
            return " ".join([verb, *(names.get(word, word) for word in words)])
        return text


def table(text: str, players: int = 2) -> Table:
    columns = rules_for("classic", players).grid.columns
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    keyed = [line for line in lines if ":" in line or "|" in line]
    rows = [line.split() for line in lines if line not in keyed]
    rows += [[] for _ in range(6 - len(rows))]
    board = [" ".join([str(n), *row, *["."] * (columns - len(row))]) for n, row in enumerate(rows, 1)]
    keys = {line.partition(":")[0].partition(" |")[0] for line in keyed}
    whole = [f"position: classic, {players} players"]
    whole += [] if "turn" in keys else ["turn: 9, seat 1, play, first 1"]
    whole += [line for line in keyed if line != "board:"]
    whole += [f"seat {n} | cards -" for n in range(1, players + 1) if f"seat {n}" not in keys]
    whole += ["board:", "a b c d e f g"[: 2 * columns], *board]
    return Table(*parse_position("\n".join(whole), rules_for))


def opening(players: int = 2, first: int = 1) -> Table:
    """The table before the first gift, with the starting player's seat counted from 1."""
    rules = rules_for("classic", players)
    return Table(rules, rules.start(first - 1), {})


def pile_of_all_but(kept: str) -> str:
    """One stack of every tile in the box but these, so that the pantry is empty."""
    left = Counter({ingredient.code: ingredient.count for ingredient in packaged_edition("classic").ingredients})
    left.subtract(kept.split())
    return "/".join(left.elements())
