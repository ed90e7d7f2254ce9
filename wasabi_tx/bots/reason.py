"""The reason for a bot's choice, in codes and numbers that a screen turns into sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Number = int | tuple[int, ...]


@dataclass(frozen=True)
class Reason:
    """A stable code, and the numbers of the recipes, tiles, squares, cards and lengths that it is about."""

    code: str
    about: dict[str, Number] = field(default_factory=dict)


Why = Callable[[], tuple[Reason, ...]]
"""Computes reasons on demand: finding them takes longer than finding the steps."""


def because(*reasons: Reason) -> Why:
    """Return a `Why` for reasons that are already known."""
    return lambda: reasons


CODES: dict[str, frozenset[str]] = {
    # Step 1
    "completes": frozenset({"recipe", "points", "cubes"}),
    "advances": frozenset({"recipe", "have", "length", "tile", "square"}),
    "spare-tile": frozenset({"tile", "square"}),
    "plays-card": frozenset({"card"}),
    "covers": frozenset({"square"}),
    "blocks": frozenset(),
    "ends-game": frozenset({"lead"}),
    "exchanges-recipes": frozenset({"recipes"}),
    "dead-recipes": frozenset({"recipes"}),
    "nothing-else": frozenset(),
    # Step 1 of the second edition
    "moves-cup": frozenset({"square"}),
    "takes-pool": frozenset({"cubes"}),
    # Step 2 and setup
    "fetches": frozenset({"tile", "recipe"}),
    "stocks": frozenset({"tile"}),
    "takes-card": frozenset({"card"}),
    "uncovers": frozenset({"square"}),
    "keeps-cards": frozenset(),
    "discards-card": frozenset({"card"}),
    "draws": frozenset({"length"}),
    "gives": frozenset({"tile"}),
}
"""Every code, with the names of its parameters."""
