"""Progress: how far a person has come with lessons, and what they did last; neither a preference nor edited by hand.

A damaged file is never fatal: impossible values are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..bots.level_names import LEVEL_NAMES
from ..engine.toml_text import BadJson, read_json

MOST_BOTS = 3
MOST_DAYS = 400
"""The most puzzles that are remembered."""


@dataclass(frozen=True)
class LastGame:
    """The last game that somebody began against bots."""

    edition: str
    rivals: tuple[str, ...]
    """The rivals' names; "" means chosen at random."""
    level: str


@dataclass(frozen=True)
class Progress:
    learned: frozenset[str] = frozenset()
    """Courses taken to their end."""
    lessons: Mapping[str, int] = field(default_factory=dict)
    """The task at which each course resumes."""
    last: LastGame | None = None
    """The game that Play now repeats."""
    noted: frozenset[str] = frozenset()
    """Things already explained, each when it first happened."""
    puzzles: Mapping[str, int] = field(default_factory=dict)
    """The stars of each daily puzzle, by its name."""


def parse_progress(text: str) -> Progress:
    """Parse the file, ignoring whatever is not valid."""
    try:
        raw = read_json(text) if text else {}
    except BadJson:
        raw = {}
    if not isinstance(raw, dict):
        return Progress()
    return Progress(
        _words(raw.get("learned")),
        _numbers(raw.get("lessons")),
        _last_game(raw.get("last")),
        _words(raw.get("noted")),
        _numbers(raw.get("puzzles")),
    )


def _numbers(raw: object) -> dict[str, int]:
    return {name: number for name, number in raw.items() if type(number) is int} if isinstance(raw, dict) else {}


def _words(raw: object) -> frozenset[str]:
    return frozenset(one for one in raw if isinstance(one, str)) if isinstance(raw, list) else frozenset()


def _last_game(raw: object) -> LastGame | None:
    if not isinstance(raw, list) or len(raw) != 3:
        return None
    edition, rivals, level = raw
    if not isinstance(edition, str) or not isinstance(rivals, list) or level not in LEVEL_NAMES:
        return None
    if not 1 <= len(rivals) <= MOST_BOTS or not all(isinstance(one, str) for one in rivals):
        return None
    return LastGame(edition, tuple(rivals), level)


def format_progress(progress: Progress) -> str:
    last = progress.last
    raw = {
        "learned": sorted(progress.learned),
        "lessons": dict(progress.lessons),
        "last": None if last is None else [last.edition, list(last.rivals), last.level],
        "noted": sorted(progress.noted),
        "puzzles": dict(sorted(progress.puzzles.items(), key=lambda one: one[0].split()[-1:])[-MOST_DAYS:]),
    }
    return json.dumps(raw, indent=1) + "\n"
