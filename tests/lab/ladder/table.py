"""The table of the ladder: results as data in `results.json`, and for people in `table.md`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from .matches import Match, Result, wilson

FOLDER = Path(__file__).parent
DATA, PAGE = FOLDER / "results.json", FOLDER / "table.md"

Key = tuple[str, int, str, str]


def key(match: Match) -> Key:
    return match.edition, match.seats, match.challenger, match.field


def load() -> dict[Key, Result]:
    found = {}
    for one in json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else []:
        match = Match(**one.pop("match"))
        one["by_order"] = tuple(one["by_order"])
        found[key(match)] = Result(match=match, **one)
    return found


def save(results: dict[Key, Result]) -> None:
    """Rewrite the data and the page, in order."""
    ordered = [results[name] for name in sorted(results)]
    DATA.write_text(json.dumps([_rounded(one) for one in ordered], indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(load().values()), encoding="utf-8")


def _rounded(result: Result) -> dict[str, object]:
    values = asdict(result)
    for name in ("won", "score", "others", "median", "late"):
        values[name] = round(values[name], 2)
    values["by_order"] = [round(won, 2) for won in result.by_order]
    return values


HEAD = """# The ladder

One challenger against bots of another level, seats rotated, fixed seeds; a shared win counts by its share, intervals
are Wilson's of 95 %. `python -m tests.lab.ladder` measures it anew and writes this page.

The second edition's rows of equal levels were measured with its present starting wasabi, those with a challenger, who
takes every place in turn, with an earlier one.

| edition | seats | challenger | against | games | wins | interval | par | score | others | CPU a turn, median | 99 % |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""

SEATS = """
## The seats

Who wins by the order from the first player on; a challenger takes every place in turn, so its strength favours none.

| edition | seats | levels | games | wins from the first player on | first player's interval | mean score |
| --- | --- | --- | --- | --- | --- | --- |
"""


def page(results: Iterable[Result]) -> str:
    every = list(results)
    duels = [one for one in every if one.match.challenger != one.match.field]
    return HEAD + "".join(map(_duel, duels)) + SEATS + "".join(map(_by_order, every))


def _duel(one: Result) -> str:
    match, (low, high) = one.match, one.interval
    return (
        f"| {match.edition} | {match.seats} | {match.challenger} | {match.field} | {match.games}"
        f" | {one.won / match.games:.1%} | {low:.1%} to {high:.1%} | {1 / match.seats:.0%}"
        f" | {one.score:.1f} | {one.others:.1f} | {one.median:.1f} ms | {one.late:.0f} ms |\n"
    )


def _by_order(one: Result) -> str:
    match, games = one.match, one.match.games
    low, high = wilson(one.by_order[0], games)
    mean = (one.score + one.others * (match.seats - 1)) / match.seats
    shares = " / ".join(f"{won / games:.1%}" for won in one.by_order)
    same = match.challenger == match.field
    levels = match.field if same else f"{match.challenger} among {match.field}"
    return (
        f"| {match.edition} | {match.seats} | {levels} | {games} | {shares} | {low:.1%} to {high:.1%} | {mean:.1f} |\n"
    )
