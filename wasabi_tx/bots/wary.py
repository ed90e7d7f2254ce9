"""The wary planner: an edition's own options, each less what it leaves to the rivals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import exp
from typing import Protocol

from wasabi_tx.engine.board import Board
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.step import Step

from .board_windows import Reading, windows_of
from .greedy import Option, Planner
from .reason import Reason, Why
from .rivals import Rival, Rivals, unseen_recipes

COMPARED = 40
"""The number of best options examined from the rivals' side."""

NOTICED = 0.15
"""An option that takes at least this share of the rivals' prospects names that as a reason."""


class Expert(Planner, Protocol):
    """A planner that also knows how its edition looks to others."""

    def rivals(self, observation: Observation, shares: Mapping[int, float]) -> list[Rival]:
        """Return the seats that can still complete something, each weighted by its share of the attention."""
        ...

    def read(self, rules: AnyRules, board: Board) -> Reading:
        """Read a board, counting every square that can be used."""
        ...

    def worth(self, observation: Observation) -> float:
        """Return the value of a position to the seat between its turns, in points."""
        ...

    def in_haste(self, observation: Observation) -> Expert:
        """Return a faster expert, nearly as good, for playing on from here for a round."""
        ...


@dataclass(frozen=True)
class Caution:
    """The parameters of how much a bot minds its rivals."""

    weight: float
    """The weight of a point that the rivals may make, relative to a point of its own."""
    spread: float
    """Points behind another rival that reduce a rival's weight by a factor of e."""
    fit: float
    """The growth in a rival's likelihood to hold a recipe per point of its worth: a factor of e to this power."""


class Wary:
    """Wraps an edition's expert, which by itself ignores the rivals."""

    def __init__(self, expert: Expert, caution: Caution) -> None:
        self._expert = expert
        self._caution = caution

    @property
    def doubt(self) -> float:
        return self._expert.doubt

    def options(self, observation: Observation) -> list[Option]:
        options, position = self._expert.options(observation), observation.position
        if position.phase != "play" or len(options) == 1:
            return options
        rules, caution = observation.rules, self._caution
        shares = attention(observation, caution.spread)
        rivals = Rivals(
            windows_of(rules),
            self._expert.read(rules, position.board),
            self._expert.rivals(observation, shares),
            unseen_recipes(observation),
            caution.fit,
        )
        options = sorted(options, key=lambda option: -option.value)[:COMPARED]
        compared = []
        for option in options:
            after = _after(rules, position, option.steps)
            left = 0.0
            if after.outcome is None:
                same = after.board is position.board
                left = rivals.now if same else rivals.worth(self._expert.read(rules, after.board))
            first = option.value < options[0].value
            why = partial(_why, option.why, left < (1 - NOTICED) * rivals.now, first)
            compared.append(Option(option.value - caution.weight * left, option.steps, why))
        return compared


def attention(observation: Observation, spread: float) -> dict[int, float]:
    """Return each rival's share of a bot's attention, by score; the shares add up to 1."""
    seats = observation.position.seats
    rivals = [number for number in observation.position.playing if number != observation.seat]
    top = max(seats[number].score for number in rivals)
    weights = {number: exp((seats[number].score - top) / spread) for number in rivals}
    whole = sum(weights.values())
    return {number: weight / whole for number, weight in weights.items()}


def _after(rules: AnyRules, position: Position, steps: tuple[Step, ...]) -> Position:
    """Return the position after the steps, or after the one that ends the game."""
    for step in steps:
        position = rules.apply(position, step)
        if position.outcome is not None:
            break
    return position


def _why(why: Why, blocks: bool, first: bool) -> tuple[Reason, ...]:
    """Return the option's own reasons and the block, which comes first if it is why the option was chosen."""
    reasons = why()
    if not blocks:
        return reasons
    return (Reason("blocks"), *reasons) if first else (*reasons, Reason("blocks"))
