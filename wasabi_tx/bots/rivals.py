"""The rivals at a table: which recipes they may hold, and what these are worth to them on a board.

Nobody sees a rival's recipes, but everybody sees their lengths, what was completed, and which tiles and squares suit
which recipe. So every unseen recipe counts by how likely it is to be in the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp
from typing import NamedTuple

from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.position import Seat
from wasabi_tx.engine.sealed_card import deck_of

from .board_windows import FREE, Reading, Windows
from .prospects import Prospects, Valued


class Rival(NamedTuple):
    """The public facts about a rival, or about several with the same chances."""

    prospects: Prospects
    held: dict[int, float]
    """The number of recipes held, by length, each weighted by how much its holder matters."""


def unseen_recipes(observation: Observation) -> dict[int, list[int]]:
    """Return the recipes neither completed nor in the observer's hand, by length."""
    position, edition = observation.position, observation.rules.edition
    seen = {done.recipe for seat in position.seats for done in seat.claimed} | set(observation.faces.values())
    return {n: [recipe for recipe in edition.deck_faces(n) if recipe not in seen] for n in edition.lengths}


def lengths_held(seat: Seat) -> dict[int, int]:
    """Return the number of recipes of each length that the seat holds."""
    return Counter(deck_of(card) for card in seat.recipes)


def likelihoods(values: Sequence[float], fit: float) -> list[float]:
    """Return how likely each recipe is to be held, given its worth: people keep what suits them."""
    weights = [exp(fit * value) for value in values]
    whole = sum(weights)
    return [weight / whole for weight in weights]


class _Threat(NamedTuple):
    """A recipe that a rival may hold, and its windows on the current board, best first."""

    factor: float
    recipe: int
    prospects: Prospects
    ranked: list[Valued]
    value: float
    touched: int
    """The squares of the best window, one bit each."""
    needed: int
    """A bit mask that matches the code of every square that could improve the recipe's chances."""


class Rivals:
    """The rivals' joint prospects on the board, and on boards that differ from it in a few squares."""

    def __init__(
        self, windows: Windows, reading: Reading, rivals: Iterable[Rival], unseen: dict[int, list[int]], fit: float
    ) -> None:
        self._windows = windows
        self._codes = reading.codes
        self._threats: list[_Threat] = []
        for rival in rivals:
            for length, count in rival.held.items():
                self._add(rival.prospects, count, unseen[length], reading, fit)
        self.now = sum([threat.factor * threat.value for threat in self._threats])
        """The worth of the rivals' recipes on the current board."""

    def _add(self, prospects: Prospects, count: float, recipes: list[int], reading: Reading, fit: float) -> None:
        windows = self._windows
        rankings = [sorted(prospects.values(recipe, reading), reverse=True) for recipe in recipes]
        values = [ranked[0][0] if ranked else 0.0 for ranked in rankings]
        for recipe, ranked, value, likely in zip(recipes, rankings, values, likelihoods(values, fit), strict=True):
            touched = 0
            if ranked:
                for square in windows.by_length[windows.lengths[recipe]][ranked[0][1]].squares:
                    touched |= 1 << square
            needed = windows.members[recipe] | FREE
            self._threats.append(_Threat(count * likely, recipe, prospects, ranked, value, touched, needed))

    def worth(self, reading: Reading) -> float:
        """Return the worth of the rivals' recipes on another board."""
        before, codes = self._codes, reading.codes
        squares = [square for square, code in enumerate(codes) if code != before[square]]
        if not squares:
            return self.now
        changed = laid = 0
        for square in squares:
            changed |= 1 << square
            laid |= codes[square]
        total = 0.0
        for threat in self._threats:
            value = threat.value
            if threat.touched & changed or threat.needed & laid:
                value = self._value(threat, squares, reading)
            total += threat.factor * value
        return total

    def _value(self, threat: _Threat, squares: list[int], reading: Reading) -> float:
        """Return the recipe's value in its best window, recomputing only windows through the changed squares."""
        windows, recipe = self._windows, threat.recipe
        length = windows.lengths[recipe]
        parts, foreign = windows.by_length[length], windows.foreign[recipe]
        codes, tops = reading.codes, reading.tops
        through: tuple[int, ...] = ()
        best = 0.0
        for square in squares:
            here = windows.through[length][square]
            through += here
            if not codes[square] & foreign:
                for number in here:
                    part = parts[number].part
                    total = sum(codes[part])
                    if not total & foreign:
                        best = max(best, threat.prospects.window_value(recipe, total, tops[part]))
        for value, number in threat.ranked:
            if value <= best:
                break
            if number not in through:
                return value
        return best
