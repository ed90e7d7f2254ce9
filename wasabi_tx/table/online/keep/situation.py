"""The situation of an unfinished game, as a list shows it: with whom, which turn, and for whom it waits since when."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from ....store.seats import list_situations, read_situation, seat_held, seat_written
from ....text.foreign import NAME, clean

SHOWN = 8
"""Names of one game at most."""


@dataclass(frozen=True)
class Situation:
    """How a game stands that is not over; every word of it is harmless."""

    names: tuple[str, ...]
    """The others, in their order around the table."""
    turn: int
    mine: bool
    """Whether our person is to decide something."""
    waits_for: tuple[str, ...] = ()
    """Whom the game waits for, if it is not us."""
    vote: str = ""
    """The name of somebody about whom a vote is open."""

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Situation | None:
        """The situation that this text holds; None if it holds none."""
        try:
            found = json.loads(text)
            names, waits_for = (tuple(_name(one) for one in found[key][:SHOWN]) for key in ("names", "waits_for"))
            return cls(names, int(found["turn"]), bool(found["mine"]), waits_for, _name(found["vote"]))
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            return None


def _name(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError
    return clean(found, NAME)


@dataclass(frozen=True)
class KnownGame:
    """An unfinished game in the list: the name of our seat, how it stands, and since when by this machine's clock."""

    seat: str
    situation: Situation
    since: float
    heard: float | None = None
    """When this machine last heard of a game that waited for others, if nobody here holds the seat to hear more."""


def partners_at(games: Path, seat: str) -> tuple[str, ...]:
    """With whom the game of a seat is played, as far as is noted; nobody before it has begun."""
    try:
        situation = Situation.load(read_situation(games, seat)[0])
    except OSError:
        return ()
    return () if situation is None else situation.names


def known_games(games: Path) -> list[KnownGame]:
    """Games that have begun and are not over: first those that wait for us, the longest wait first; newest others."""
    found = []
    for seat in list_situations(games):
        with suppress(OSError):
            text, since = read_situation(games, seat)
            situation = Situation.load(text)
            if situation is not None:
                old = not situation.mine and not seat_held(games, seat)
                found.append(KnownGame(seat, situation, since, _last_heard(games, seat, since) if old else None))
    return sorted(found, key=lambda one: (0, one.since) if one.situation.mine else (1, -one.since))


def _last_heard(games: Path, seat: str, since: float) -> float:
    """A seat is written to more often than its situation changes."""
    try:
        return max(since, seat_written(games, seat))
    except OSError:
        return since
