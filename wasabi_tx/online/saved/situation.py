"""The situation of an unfinished game, as a list shows it: opponents, turn, and who it waits for since when."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from ...engine.toml_text import read_json
from ...store.seat_notes import SITUATION, list_notes, read_note
from ...store.seats import seat_held, seat_written
from ...text.foreign import NAME, clean

SHOWN = 8
"""Most names read for one game."""


@dataclass(frozen=True)
class Situation:
    """The state of an unfinished game; all text is cleaned."""

    names: tuple[str, ...]
    """The others, in their order around the table."""
    turn: int
    mine: bool
    """True if our person has something to decide."""
    waits_for: tuple[str, ...] = ()
    """Names of those the game waits for, if it is not us."""
    vote: str = ""
    """The name of a player who is being voted on."""

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Situation | None:
        """Return the situation stored in this text; None if there is none."""
        try:
            found = read_json(text)
            names, waits_for = (tuple(_name(one) for one in found[key][:SHOWN]) for key in ("names", "waits_for"))
            return cls(names, int(found["turn"]), bool(found["mine"]), waits_for, _name(found["vote"]))
        except (ValueError, TypeError, KeyError):
            return None


def _name(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError
    return clean(found, NAME)


@dataclass(frozen=True)
class KnownGame:
    """An unfinished game in the list: the name of our seat, its situation, and since when by this machine's clock."""

    seat: str
    situation: Situation
    since: float
    heard: float | None = None
    """Time at which this machine last heard of a game that waits for others, if no program here holds the seat."""


def partners_at(games: Path, seat: str) -> tuple[str, ...]:
    """Return the names of the others in a seat's game, as far as noted; empty before it has begun."""
    try:
        situation = Situation.load(read_note(games, seat, SITUATION)[0])
    except OSError:
        return ()
    return () if situation is None else situation.names


def known_games(games: Path) -> list[KnownGame]:
    """Return games that have begun and are not over: those that wait for us, longest wait first, then the newest."""
    found = []
    for seat in list_notes(games, SITUATION):
        with suppress(OSError):
            text, since = read_note(games, seat, SITUATION)
            situation = Situation.load(text)
            if situation is not None:
                old = not situation.mine and not seat_held(games, seat)
                found.append(KnownGame(seat, situation, since, _last_heard(games, seat, since) if old else None))
    return sorted(found, key=lambda one: (0, one.since) if one.situation.mine else (1, -one.since))


def _last_heard(games: Path, seat: str, since: float) -> float:
    """Return the time a seat was last written, which happens more often than its situation changes."""
    try:
        return max(since, seat_written(games, seat))
    except OSError:
        return since
