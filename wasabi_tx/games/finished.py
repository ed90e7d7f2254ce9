"""A finished game in a few values, found in the head and the end of its transcript without playing it again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..text.foreign import NAME, clean

END = "\n--- end\n"
_EDITION = re.compile(r"^edition: (\S+) ", re.MULTILINE)
_PLAYER = re.compile(r"^seat [1-4]: (?:person (.+)|bot (\S+)(?: (.+))?)$", re.MULTILINE)
_RESULT = re.compile(
    r"^seat [1-4] \|.*\| claimed ([^|]+) \|.*points (-?[0-9]{1,5}) \| cubes ([0-9]{1,4})", re.MULTILINE
)
_WINNERS = re.compile(r"^outcome: \S+ winners ([1-4 ]+|-)$", re.MULTILINE)


@dataclass(frozen=True)
class Cooked:
    """A recipe that somebody completed."""

    recipe: str
    """Its id in the edition."""
    style: bool | None = None
    """True if it was completed with style; None where that is not known."""


@dataclass(frozen=True)
class FinishedSeat:
    name: str
    bot: bool
    score: int
    winner: bool | None
    """None if only replaying the game would tell."""
    cooked: tuple[Cooked, ...]


@dataclass(frozen=True)
class FinishedGame:
    edition: str
    seats: tuple[FinishedSeat, ...]
    you: int | None
    """The seat of the person whose record it belongs to; None if they did not play."""


def seat_of(names: tuple[str, ...], bots: tuple[bool, ...], own: str) -> int | None:
    """Return the seat of the person of this name, or of the only person."""
    people = [seat for seat, bot in enumerate(bots) if not bot]
    mine = [seat for seat in people if names[seat].casefold() == own.casefold()]
    return mine[0] if mine else people[0] if len(people) == 1 else None


def finished_game(head: str, end: str, own: str) -> FinishedGame | None:
    """Return the game of a transcript with this head and this end; None if it is not over, or not whole.

    The record is that of the person with the `own` name.
    """
    edition, last = _EDITION.search(head), end.rpartition(END)[2] if END in end else ""
    players, results, winners = _PLAYER.findall(head), _RESULT.findall(last), _WINNERS.search(last)
    if edition is None or winners is None or not 2 <= len(players) == len(results):
        return None
    won = winners[1].split()
    seats = tuple(
        FinishedSeat(
            clean(person or name or bot, NAME),
            not person,
            int(points) + int(cubes),
            str(number) in won,
            tuple(_cooked(word) for word in claimed.split() if word != "-"),
        )
        for number, ((person, bot, name), (claimed, points, cubes)) in enumerate(zip(players, results, strict=True), 1)
    )
    you = seat_of(tuple(seat.name for seat in seats), tuple(seat.bot for seat in seats), own)
    return FinishedGame(edition[1], seats, you)


def _cooked(word: str) -> Cooked:
    recipe, styled, _ = word.partition("+")
    return Cooked(recipe, bool(styled))
