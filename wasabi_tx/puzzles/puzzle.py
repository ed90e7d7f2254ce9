"""A puzzle: a position, its best turn and its gain; also the packaged puzzles, one for each day.

    gains: 9, style 2, cards 1
    best: switch c4 c5; place Tu b3; claim 3.0 tekkamaki
    found: game 17, missed by easy normal
    position: classic, 2 players
    …

`gains` ends with `, wins` if the turn wins the game. `found` tells the game that the board is from, and which levels of
bots miss the best turn. The text of the position omits whatever follows from the rest of it. Each edition has a file of
puzzles, separated by empty lines, the easiest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from random import Random

from ..engine.editions import rules_for
from ..engine.editions.classic.position import ClassicPosition
from ..engine.editions.classic.rules import ClassicRules
from ..engine.editions.master.position import MasterPosition
from ..engine.editions.master.rules import MasterRules
from ..engine.position import Position
from ..engine.position_text import parse_position
from ..engine.rules import AnyRules
from ..engine.sealed_card import Card
from ..engine.step import Bundle, Step
from .turn_search import TurnGain

EDITIONS = ("classic", "master")
"""The editions that have puzzles."""
MOST_STARS = 3
DAYS = 7
"""The days of a week, from Monday, whose puzzles grow harder."""
_ENDS = frozenset({"done", "exchange", "pass"})
"""Verbs after which a turn gains nothing more: later draws are luck."""
_GAINS = re.compile(r"gains: (\d+), style (\d+), cards (\d+)(, wins)?")
_FOUND = re.compile(r"found: game (\d+), missed by (\w+( \w+)*)")
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
    """Return the same rules, except that a bundle also ends where a puzzle judges the turn."""
    kinds: dict[str, type[_ClassicTurn | _MasterTurn]] = {
        ClassicRules.name: _ClassicTurn,
        MasterRules.name: _MasterTurn,
    }
    return kinds[rules.name](rules.edition, rules.players)


def turn_over(before: Position, position: Position) -> bool:
    """Return whether a turn that began at `before` is to be judged at `position`."""
    return position.turn != before.turn or position.phase in ("restock", "exchange", "over")


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A position whose best turn is to be found."""

    name: str
    """The edition and the number, or another origin."""
    rules: AnyRules
    """See `turn_rules`."""
    position: Position
    faces: Mapping[Card, int]
    gain: TurnGain
    best: tuple[Step, ...]
    game: int = 0
    """The number of the game that the board is from; no two puzzles of an edition share one."""
    missed_by: tuple[str, ...] = ()
    """The levels of bots that miss the best turn: the more of them, the harder the puzzle."""
    daily: bool = False
    """True for the puzzle of a day."""
    replies: tuple[Bundle, ...] = ()
    after: Position | None = None

    def stars(self, gain: TurnGain) -> int:
        """Return 3 for the best turn, 2 for two thirds of its points (or all with more cards), 1 for any points."""
        if gain >= self.gain:
            return MOST_STARS
        if 3 * gain.points >= 2 * self.gain.points:
            return 2
        return int(gain.points > 0)


def read_puzzle(name: str, text: str) -> Puzzle:
    """Parse the lines of a puzzle; raise `ValueError` if they describe none."""
    gains, best, found, position = text.split("\n", 3)
    gained, origin = _GAINS.fullmatch(gains), _FOUND.fullmatch(found)
    if gained is None or origin is None or not best.startswith("best: "):
        raise ValueError(gains)
    rules, start, faces = parse_position(position, lambda edition, players: turn_rules(rules_for(edition, players)))
    points, style, cards = map(int, gained.groups()[:3])
    return Puzzle(
        name=name, rules=rules, position=start, faces=faces, game=int(origin[1]), missed_by=tuple(origin[2].split()),
        gain=TurnGain(gained[4] is not None, points, style, -cards), best=rules.parse(best.removeprefix("best: ")),
    )  # fmt: skip


@cache
def _texts(edition: str) -> list[str]:
    return (_HERE / f"{edition}.txt").read_text(encoding="utf-8").rstrip("\n").split("\n\n")


def count_of(edition: str) -> int:
    """Return the number of puzzles of an edition that come with the program."""
    return len(_texts(edition))


def find_puzzle(edition: str, number: int) -> Puzzle:
    """Return the packaged puzzle with this number, counted from 1; raise `KeyError` if there is none."""
    if edition not in EDITIONS or not 1 <= number <= count_of(edition):
        raise KeyError(f"{edition} {number}")
    return read_puzzle(f"{edition} {number}", _texts(edition)[number - 1])


def day_name(edition: str, day: date) -> str:
    """Return the name of a day's puzzle, with the edition unless it is the first."""
    return day.isoformat() if edition == EDITIONS[0] else f"{edition} {day.isoformat()}"


def puzzles_of_day(edition: str, day: date) -> Iterator[Puzzle]:
    """Yield the day's puzzle, the same for everybody, and then others for anyone who wants more.

    Monday has one of the easiest seventh of all, Sunday one of the hardest. On each day of the week, every puzzle of
    its seventh appears once before any repeats, in a different order each time.
    """
    week, weekday = divmod(day.toordinal() - 1, DAYS)
    total = count_of(edition)
    seventh = range(total * weekday // DAYS, total * (weekday + 1) // DAYS)
    lap, at = divmod(week, len(seventh))
    number = 1 + _in_order(seventh, f"{edition} {weekday} lap {lap}")[at]
    name = day_name(edition, day)
    yield replace(find_puzzle(edition, number), name=name, daily=True)
    for other in _all_in_order(edition, name):
        if other != number:
            yield find_puzzle(edition, other)


def puzzles_from(edition: str, number: int) -> Iterator[Puzzle]:
    """Yield the puzzle with this number and all others after it; raise `KeyError` if there is none."""
    yield find_puzzle(edition, number)
    for other in (*range(number + 1, count_of(edition) + 1), *range(1, number)):
        yield find_puzzle(edition, other)


def puzzles_by_seed(edition: str, seed: str) -> Iterator[Puzzle]:
    """Yield all puzzles of an edition in an order set by the seed, the same for everybody."""
    return (find_puzzle(edition, number) for number in _all_in_order(edition, seed))


def _all_in_order(edition: str, seed: str) -> list[int]:
    return _in_order(range(1, count_of(edition) + 1), f"{edition} {seed}")


def _in_order(numbers: range, seed: str) -> list[int]:
    source = Random(seed)
    return [number for _, number in sorted((source.random(), number) for number in numbers)]
