"""A puzzle: a position, its best turn and what that gains; those that come with the program, one of them a day.

    gains: 9, style 2, cards 1
    best: switch c4 c5; place Tu b3; claim 3.0 tekkamaki
    position: classic, 2 players
    …

The text of the position leaves out what follows from the rest of it. Puzzles stand in a file for each edition, with an
empty line after each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from random import Random

from ...engine.card import Card
from ...engine.editions import rules_for
from ...engine.editions.classic.position import ClassicPosition
from ...engine.editions.classic.rules import ClassicRules
from ...engine.editions.master.position import MasterPosition
from ...engine.editions.master.rules import MasterRules
from ...engine.position import Position
from ...engine.position_text import parse_position
from ...engine.rules import AnyRules
from ...engine.step import Bundle, Step
from .turn_search import TurnGain

EDITIONS = ("classic", "master")
"""Those that have puzzles."""
MOST_STARS = 3
_ENDS = frozenset({"done", "exchange", "pass"})
"""Verbs after which a turn gains nothing more: what is drawn then is luck."""
_GAINS = re.compile(r"gains: (\d+), style (\d+), cards (\d+)")
_HERE = Path(__file__).parent


class _ClassicTurn(ClassicRules):
    def outlook(self, position: ClassicPosition) -> list[str]:
        return ["place"] if position.owed else []

    def closes(self, before: ClassicPosition, step: Step, after: ClassicPosition) -> bool:
        return step.verb in _ENDS or super().closes(before, step, after)


class _MasterTurn(MasterRules):
    def closes(self, before: MasterPosition, step: Step, after: MasterPosition) -> bool:
        return step.verb in _ENDS or super().closes(before, step, after)


@cache
def turn_rules(rules: AnyRules) -> AnyRules:
    """The same rules, but a bundle also ends where a puzzle judges the turn."""
    kinds: dict[str, type[_ClassicTurn | _MasterTurn]] = {
        ClassicRules.name: _ClassicTurn,
        MasterRules.name: _MasterTurn,
    }
    return kinds[rules.name](rules.edition, rules.players)


def turn_over(before: Position, position: Position) -> bool:
    """Whether a turn that began with one position is to be judged in another."""
    return position.turn != before.turn or position.phase in ("restock", "exchange", "over")


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """Find the best turn."""

    name: str
    """The edition and the number, or where else it comes from."""
    rules: AnyRules
    """See `turn_rules`."""
    position: Position
    faces: Mapping[Card, int]
    gain: TurnGain
    best: tuple[Step, ...]
    daily: bool = False
    """Whether it is the one of a day."""
    replies: tuple[Bundle, ...] = ()
    after: Position | None = None

    def stars(self, gain: TurnGain) -> int:
        """3 for the best turn, 2 for two thirds of its points or all of them with a card too many, 1 for any points."""
        if gain >= self.gain:
            return MOST_STARS
        if 3 * gain.points >= 2 * self.gain.points:
            return 2
        return int(gain.points > 0)


def format_puzzle(text: str, gain: TurnGain, rules: AnyRules, best: Sequence[Step]) -> str:
    """The lines of a puzzle with this position."""
    return f"gains: {gain.points}, style {gain.style}, cards {-gain.cards}\nbest: {rules.format(best)}\n{text}"


def read_puzzle(name: str, text: str) -> Puzzle:
    """The puzzle that the lines describe; `ValueError` if they describe none."""
    gains, best, position = text.split("\n", 2)
    found = _GAINS.fullmatch(gains)
    if found is None or not best.startswith("best: "):
        raise ValueError(gains)
    rules, start, faces = parse_position(position, lambda edition, players: turn_rules(rules_for(edition, players)))
    points, style, cards = map(int, found.groups())
    steps = rules.parse(best.removeprefix("best: "))
    return Puzzle(
        name=name, rules=rules, position=start, faces=faces, gain=TurnGain(False, points, style, -cards), best=steps
    )


@cache
def _texts(edition: str) -> list[str]:
    return (_HERE / f"{edition}.txt").read_text(encoding="utf-8").rstrip("\n").split("\n\n")


def count_of(edition: str) -> int:
    """How many puzzles of an edition come with the program."""
    return len(_texts(edition))


def find_puzzle(edition: str, number: int) -> Puzzle:
    """The puzzle of this number, from 1 on, that comes with the program; `KeyError` if there is none."""
    if edition not in EDITIONS or not 1 <= number <= count_of(edition):
        raise KeyError(f"{edition} {number}")
    return read_puzzle(f"{edition} {number}", _texts(edition)[number - 1])


def day_name(edition: str, day: date) -> str:
    """What the puzzle of a day is called; the edition is named unless it is the first."""
    return day.isoformat() if edition == EDITIONS[0] else f"{edition} {day.isoformat()}"


def puzzles_of_day(edition: str, day: date) -> Iterator[Puzzle]:
    """The day's puzzle, the same for everybody, and then others for who wants more of them.

    Each comes once before one comes again, in a different order every time.
    """
    lap, at = divmod(day.toordinal(), count_of(edition))
    number = _in_order(edition, f"lap {lap}")[at]
    name = day_name(edition, day)
    yield replace(find_puzzle(edition, number), name=name, daily=True)
    for other in _in_order(edition, name):
        if other != number:
            yield find_puzzle(edition, other)


def puzzles_from(edition: str, number: int) -> Iterator[Puzzle]:
    """The puzzle of this number, and those after it; `KeyError` if there is none."""
    yield find_puzzle(edition, number)
    for other in (*range(number + 1, count_of(edition) + 1), *range(1, number)):
        yield find_puzzle(edition, other)


def puzzles_by_seed(edition: str, seed: str) -> Iterator[Puzzle]:
    """All puzzles of an edition in the order of a seed, the same for everybody."""
    return (find_puzzle(edition, number) for number in _in_order(edition, seed))


def _in_order(edition: str, seed: str) -> list[int]:
    source = Random(f"{edition} {seed}")
    return [number for _, number in sorted((source.random(), number) for number in range(1, count_of(edition) + 1))]
