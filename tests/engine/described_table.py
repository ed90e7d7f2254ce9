"""A table described in a few lines of text, with checks of legal and illegal steps, in any edition.

In steps, a recipe's name may replace the card that shows it, and `turn Ch` turns up the top card as a Chop.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pytest

from wasabi_tx.engine.editions import packaged_edition, rules_for
from wasabi_tx.engine.errors import RulesError
from wasabi_tx.engine.position import Seat
from wasabi_tx.engine.position_text import format_position, parse_position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.sealed_card import Card, format_card
from wasabi_tx.engine.step import Step

UNLISTED = {"leave", "exclude"}
"""Verbs open to every seat at any time, so never in the legal list."""


@dataclass(frozen=True)
class Table:
    """A position with all its faces; seats are counted from 1 as on the screen."""

    rules: AnyRules
    position: Any
    faces: dict[Card, int]

    def seat(self, number: int) -> Seat:
        seat: Seat = self.position.seats[number - 1]
        return seat

    def tiles(self, number: int) -> str:
        return " ".join(self.rules.edition.ingredients[tile - 1].code for tile in self.seat(number).tiles)

    def cards(self, number: int) -> str:
        return self._codes(self.seat(number).cards)

    @property
    def display(self) -> str:
        return self._codes(self.position.display)

    @property
    def discards(self) -> str:
        return self._codes(tuple(Counter(dict(enumerate(self.position.discards))).elements()))

    def _codes(self, cards: tuple[int, ...]) -> str:
        return " ".join(self.rules.edition.actions[card].code for card in cards)

    def claimed(self, number: int) -> list[tuple[str, int]]:
        """Return the recipes the seat has completed, each with its style cubes."""
        return [(self.rules.edition.recipes[done.recipe].id, done.cubes) for done in self.seat(number).claimed]

    def pantry(self, code: str) -> int:
        count: int = self.position.pantry[self.rules.edition.tile_numbers[code]]
        return count

    def square(self, name: str) -> str:
        """Return the content of a square: tiles from the bottom, `cup`, or nothing."""
        square = self.rules.grid.parse_square(name)
        if square in self.position.board.blocked:
            return "cup"
        row, column = divmod(square, self.rules.grid.columns)
        lines = format_position(self.rules, self.position, {}).splitlines()
        cell = lines[lines.index("board:") + 2 + row].split()[1 + column]
        return "" if cell == "." else cell

    def line(self, key: str) -> str:
        """Return the content of one line of the position's text."""
        lines = format_position(self.rules, self.position, self.faces).splitlines()
        return next((line.partition(":")[2].strip() for line in lines if line.startswith(f"{key}:")), "")

    @property
    def changed(self) -> str:
        """Return the names of the squares that count as changed."""
        return " ".join(name for n, name in enumerate(self.rules.grid.names) if self.position.changed >> n & 1)

    @property
    def mover(self) -> int:
        mover: int = self.position.mover
        return mover + 1

    @property
    def phase(self) -> str:
        phase: str = self.position.phase
        return phase

    def legal(self, verb: str = "") -> list[str]:
        """Return the legal steps in notation, all or those of one verb."""
        steps = self.rules.legal(self.position, self.faces)
        return [self.rules.format([step]) for step in steps if step.verb == verb or not verb]

    def verbs(self) -> list[str]:
        """Return the verbs of the legal steps."""
        return sorted({step.verb for step in self.rules.legal(self.position, self.faces)})

    def do(self, line: str) -> Table:
        """Return the table after these steps, each of which must be legal."""
        at = self
        for text in line.split(";"):
            step = at._step(text)
            listed = step in at.rules.legal(at.position, at.faces)
            assert listed or step.verb in UNLISTED, f"{step} is not listed"
            at = replace(at, position=at.rules.apply(at.position, step))
        return at

    def refuses(self, line: str, code: str, **where: str | int) -> None:
        """Check that only the last of these steps is refused, with exactly this error, and that it changes nothing."""
        *before, last = line.split(";")
        at = self.do(";".join(before)) if before else self
        step = at._step(last)
        assert step not in at.rules.legal(at.position, at.faces)
        bytes_before = at.rules.canonical(at.position)
        with pytest.raises(RulesError) as caught:
            at.rules.apply(at.position, step)
        assert (caught.value.code, caught.value.where) == (code, where)
        assert at.rules.canonical(at.position) == bytes_before

    def _step(self, text: str) -> Step:
        verb, *words = text.strip().split(" ")
        names = {self.rules.edition.recipes[face].id: format_card(card) for card, face in self.faces.items()}
        if verb in self.rules.claiming and len(words) == 1:
            words = [names[words[0]], words[0]]
        if verb in ("pass", "exchange"):
            words = [names.get(word, word) for word in words]
        if verb == "turn" and len(words) == 1:
            words = [format_card(self.position.decks[1][0]), *words]
        (step,) = self.rules.parse(" ".join([verb, *words]))
        return step


def described(edition: str, text: str, players: int, defaults: dict[str, str]) -> Table:
    """Return the described table; omitted squares, seats and lines are empty, or as in `defaults`."""
    columns = rules_for(edition, players).grid.columns
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    keyed = [line for line in lines if ":" in line or "|" in line]
    rows = [line.split() for line in lines if line not in keyed]
    rows += [[] for _ in range(6 - len(rows))]
    board = [" ".join([str(n), *row, *["."] * (columns - len(row))]) for n, row in enumerate(rows, 1)]
    keys = {line.partition(":")[0].partition(" |")[0] for line in keyed}
    whole = [f"position: {edition}, {players} players"]
    whole += [line for key, line in defaults.items() if key not in keys]
    whole += [line for line in keyed if line != "board:"]
    whole += [f"seat {n} | cards -" for n in range(1, players + 1) if f"seat {n}" not in keys]
    whole += ["board:", "a b c d e f g"[: 2 * columns - 1], *board]
    return Table(*parse_position("\n".join(whole), rules_for))


def opened(edition: str, players: int, first: int) -> Table:
    """Return the table before anything was done; the starting player's seat counts from 1."""
    rules = rules_for(edition, players)
    return Table(rules, rules.start(first - 1), {})


def pile_of_all_but(edition: str, kept: str) -> str:
    """Return one stack of every tile in the box but these, so that the pantry is empty."""
    left = Counter({ingredient.code: ingredient.count for ingredient in packaged_edition(edition).ingredients})
    left.subtract(kept.split())
    return "/".join(left.elements())
