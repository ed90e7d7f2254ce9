"""Prospects of incomplete recipes: the value of each to a seat, with its tiles, on a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from .board_windows import Missing, Reading, Windows
from .exposure import Exposure
from .taste import Prize


@dataclass(frozen=True)
class Odds:
    """The parameters for judging chances."""

    patience: float
    """The share of a recipe's value that remains for every turn that it still needs."""
    late: float
    """The part of a turn lost if none of the missing tiles is at hand."""
    hazard: float
    """The likelihood that another player's tile hits a square that a window needs; 1 is pure chance."""
    scarce: float
    """The risk that the last tile of a kind in the pantry is taken; halved for two, a third for three."""
    lying: float
    """The share of its value for a recipe that lies complete but needs a square changed again."""
    hurry: float
    """The steepness of a recipe's loss of value if the board will be full before it is done."""


Valued = tuple[float, int]
"""The value of a recipe in a window, and the window's number."""


class Prospects:
    """Values recipes for a seat with a given hand, pantry and number of free squares; the board may vary."""

    def __init__(
        self,
        windows: Windows,
        prizes: Sequence[Prize],
        odds: Odds,
        hand: Sequence[int],
        pantry: list[int],
        free: int,
        players: int,
        fetching: bool,
        exposure: Exposure | None = None,
    ) -> None:
        """Prepare the valuation; with `fetching`, a tile will be taken from the pantry before the next turn.

        Without an exposure, all windows are assumed to last equally long.
        """
        self._windows = windows
        self._prizes = prizes
        self._odds = odds
        self._hand = hand
        self._pantry = pantry
        self._free = free
        self._players = players
        self._fetching = fetching
        self.exposure = exposure
        self._chances: dict[Missing, float] = {}

    def chance(self, missing: Missing) -> float:
        """Return how likely and how soon a window that lacks these tiles will be complete, between 0 and 1."""
        known = self._chances.get(missing)
        if known is None:
            known = self._chances[missing] = self._find_chance(missing)
        return known

    def _find_chance(self, missing: Missing) -> float:
        odds = self._odds
        if not missing:
            return odds.lying
        chance, held = 1.0, False
        for tile in dict.fromkeys(missing):
            short = missing.count(tile)
            if tile in self._hand:
                held = True
                short -= min(short, self._hand.count(tile))
            if short:
                left = self._pantry[tile] - short + 1
                if left <= 0:
                    return 0.0
                chance *= 1 - odds.scarce / left
        turns = len(missing) + (0.0 if held or self._fetching else odds.late)
        return chance * lasting(odds, self._players, self._free, len(missing), turns)

    def window_value(self, recipe: int, total: int, tops: list[int]) -> float:
        """Return the recipe's value in a window with this sum of codes, no foreign tile and these top tiles."""
        missing = self._windows.missing(recipe, total)
        if missing is None:
            return 0.0
        chance = self.chance(missing)
        if not chance:
            return 0.0
        plain, styled = self._prizes[recipe]
        if plain != styled and (len(missing) == len(tops) or self._windows.in_order(recipe, tops)):
            return chance * styled
        return chance * plain

    def values(self, recipe: int, reading: Reading) -> list[Valued]:
        """Return the windows that could hold the recipe, each with its value there."""
        length = self._windows.lengths[recipe]
        foreign, untouched = self._windows.foreign[recipe], self._windows.untouched[length]
        parts, tops = self._windows.by_length[length], reading.tops
        empty = self.window_value(recipe, untouched, [0] * length)
        values = [
            (empty if total == untouched else self.window_value(recipe, total, tops[parts[number].part]), number)
            for number, total in enumerate(reading.sums(length))
            if not total & foreign
        ]
        if self.exposure is None:
            return values
        factors = self.exposure.windows[length]
        return [(value * factors[number], number) for value, number in values]

    def value(self, recipe: int, reading: Reading) -> float:
        """Return the recipe's value on the whole board: that of its best window."""
        return max([value for value, _ in self.values(recipe, reading)], default=0.0)


class Placements:
    """A recipe's value after a change to any one square, derived from its values before."""

    def __init__(self, windows: Windows, prospects: Prospects, recipe: int, reading: Reading) -> None:
        length = windows.lengths[recipe]
        self._prospects = prospects
        self._recipe = recipe
        self._packed = windows.packed[recipe]
        self._foreign = windows.foreign[recipe]
        self._windows = windows.by_length[length]
        self._through = windows.through[length]
        exposure = prospects.exposure
        self._factors = exposure and exposure.windows[length]
        self._filled = exposure and exposure.filled
        self._ranked = sorted(prospects.values(recipe, reading), reverse=True)

    def after(self, square: int, reading: Reading) -> float | None:
        """Return the value if only this square differs from the board before, or None if that completes the recipe."""
        through = self._through[square]
        prospects, recipe, windows = self._prospects, self._recipe, self._windows
        codes, tops = reading.codes, reading.tops
        best = 0.0
        if not codes[square] & self._foreign:
            for number in through:
                part = windows[number].part
                total = sum(codes[part])
                if total == self._packed:
                    return None
                if not total & self._foreign:
                    value = prospects.window_value(recipe, total, tops[part])
                    if self._factors and self._filled:
                        value *= self._factors[number] * self._filled[square]
                    best = max(best, value)
        for value, number in self._ranked:
            if value <= best:
                break
            if number not in through:
                return value
        return best


@lru_cache(maxsize=4096)
def lasting(odds: Odds, players: int, free: int, lacking: int, turns: float) -> float:
    """Return the chance that a window lacking this many tiles lasts this many turns, discounted for the wait."""
    chance = 1.0
    for empty in range(1, lacking + 1):
        squares = free - (lacking - empty) * players
        chance *= max(0.0, 1 - odds.hazard * empty / max(squares, empty + 1)) ** (players - 1)
    if turns * players > free:
        chance *= (free / (turns * players)) ** odds.hurry
    return float(chance * odds.patience**turns)
