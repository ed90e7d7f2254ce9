"""Searches of the model: breadth first around each beginning, and long random walks."""

from __future__ import annotations

from dataclasses import replace

from tests.model.beginnings import BEGINNINGS
from tests.model.explore import Explorer
from tests.model.runs import Bounds, Failure
from tests.model.table import ABSENT, BOT, KEEPER, PERSON, Rules

SMALL = {3: Bounds(lies=2, calls=1, rounds=1), 4: Bounds(lies=1, calls=1, rounds=1)}
LARGE = Bounds(lies=6, calls=3, rounds=3)
TABLES = (
    (PERSON, PERSON, PERSON, PERSON),
    (PERSON, BOT, PERSON, BOT),
    (BOT, PERSON, KEEPER, PERSON),
    (PERSON, PERSON, ABSENT, BOT),
    (BOT, BOT, BOT, PERSON),
    (BOT, BOT, BOT, BOT),
    (KEEPER, PERSON, BOT, ABSENT),
)
"""The kinds of players at each table."""


def search(seats: int, states: int, rules: Rules | None = None) -> tuple[int, Failure | None]:
    """Search around each beginning, breadth first, for each table and each place of the liar."""
    rules = rules or Rules(seats, 3)
    runs = [(kinds, begin, liar) for kinds in TABLES for begin in BEGINNINGS.values() for liar in range(seats)]
    bounds = replace(SMALL[seats], states=max(1, states // len(runs)))
    explored = 0
    for kinds, begin, liar in runs:
        explorer = Explorer(replace(rules, kinds=kinds), liar, bounds)
        failure = explorer.search(begin)
        explored += explorer.explored
        if failure is not None:
            return explored, failure
    return explored, None


def walk(seats: int, walks: int, first: int) -> tuple[int, Failure | None]:
    """Take long random runs, with more lies and more votes."""
    explored = 0
    for seed in range(first, first + walks):
        kinds = TABLES[seed // seats % len(TABLES)]
        explorer = Explorer(Rules(seats, 2 + seed % 3, kinds=kinds), seed % seats, LARGE)
        failure = explorer.walk(seed)
        explored += explorer.explored
        if failure is not None:
            return explored, failure
    return explored, None
