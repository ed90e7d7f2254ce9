"""Notation: the one-line text form of steps, the same in the log, typed input, transcripts and on the wire.

A step is its verb and its arguments separated by single spaces: `place Tu d3`, `claim 3.7 crunchy-tuna`. Parsing
accepts exactly what formatting writes, so each step has one text and each text one step.
"""

from __future__ import annotations

from collections.abc import Container
from enum import Enum

from .edition import Edition
from .errors import Malformed
from .geometry import Geometry
from .sealed_card import LAST_CARD, format_card, parse_card
from .step import Step


class Kind(Enum):
    """The kinds of arguments that steps have."""

    TILE = "tile"
    SQUARE = "square"
    OPTIONAL_SQUARE = "optional square"
    ACTION = "action"
    CARD = "card"
    CARDS = "cards"
    RECIPE = "recipe"
    DECK = "deck"
    SEAT = "seat"


class Grammar:
    """Formats and parses the steps of one edition for one number of players."""

    def __init__(self, verbs: dict[str, tuple[Kind, ...]], edition: Edition, grid: Geometry, players: int) -> None:
        self._verbs = verbs
        self._edition = edition
        self._grid = grid
        self._players = players
        self._ranges: dict[Kind, Container[int]] = {
            Kind.TILE: range(1, len(edition.ingredients) + 1),
            Kind.SQUARE: range(grid.size),
            Kind.OPTIONAL_SQUARE: range(grid.size),
            Kind.ACTION: range(len(edition.actions)),
            Kind.CARD: range(LAST_CARD + 1),
            Kind.RECIPE: range(len(edition.recipes)),
            Kind.DECK: frozenset(edition.lengths),
            Kind.SEAT: range(players),
        }

    def format(self, step: Step) -> str:
        """Return the text of a step; raise `Malformed` if its numbers are out of range."""
        words = (self._word(kind, arg) for kind, arg in zip(self.check(step), step.args, strict=True))
        return " ".join((step.verb, *words))

    def parse(self, text: str) -> Step:
        verb, *words = text.split(" ")
        if verb not in self._verbs:
            raise Malformed("verb", text=verb[:40])
        kinds = self._spread(verb, len(words))
        if kinds is None:
            raise Malformed("arguments", verb=verb, count=len(words))
        return Step(verb, tuple(self._number(kind, word) for kind, word in zip(kinds, words, strict=True)))

    def check(self, step: Step) -> tuple[Kind, ...]:
        """Return the kinds of the step's arguments; raise `Malformed` if it cannot be written in notation."""
        if step.verb not in self._verbs:
            raise Malformed("verb", text=str(step.verb)[:40])
        if not isinstance(step.args, tuple):
            raise Malformed("step")
        kinds = self._spread(step.verb, len(step.args))
        if kinds is None:
            raise Malformed("arguments", verb=step.verb, count=len(step.args))
        for kind, arg in zip(kinds, step.args, strict=True):
            if type(arg) is not int or arg not in self._ranges[kind]:
                shown = str(arg)[:40] if type(arg) is not int or abs(arg) < 10**40 else "…"
                raise Malformed("argument", verb=step.verb, kind=kind.value, text=shown)
        return kinds

    def _spread(self, verb: str, count: int) -> tuple[Kind, ...] | None:
        """Return the kind of each of `count` arguments, or None if the verb takes another number."""
        kinds = self._verbs[verb]
        if kinds and kinds[-1] is Kind.CARDS:
            kinds = (*kinds[:-1], *[Kind.CARD] * (count - len(kinds) + 1))
        if kinds and kinds[-1] is Kind.OPTIONAL_SQUARE:
            kinds = kinds[:count] if count == len(kinds) - 1 else kinds
        return kinds if len(kinds) == count else None

    def _word(self, kind: Kind, number: int) -> str:
        match kind:
            case Kind.TILE:
                return self._edition.ingredients[number - 1].code
            case Kind.SQUARE | Kind.OPTIONAL_SQUARE:
                return self._grid.names[number]
            case Kind.ACTION:
                return self._edition.actions[number].code
            case Kind.CARD | Kind.CARDS:
                return format_card(number)
            case Kind.RECIPE:
                return self._edition.recipes[number].id
            case Kind.DECK:
                return str(number)
            case Kind.SEAT:
                return str(number + 1)

    def _number(self, kind: Kind, word: str) -> int:
        edition = self._edition
        match kind:
            case Kind.SQUARE | Kind.OPTIONAL_SQUARE:
                return self._grid.parse_square(word)
            case Kind.CARD | Kind.CARDS:
                return parse_card(word)
            case Kind.TILE:
                number = edition.tile_numbers.get(word)
            case Kind.ACTION:
                number = edition.action_numbers.get(word)
            case Kind.RECIPE:
                number = edition.recipe_numbers.get(word)
            case Kind.DECK:
                number = {str(length): length for length in edition.lengths}.get(word)
            case Kind.SEAT:
                number = {str(seat + 1): seat for seat in range(self._players)}.get(word)
        if number is None:
            raise Malformed(kind.value, text=word[:40])
        return number
