"""The planner of the first edition: every option for the next bundle, with its value."""

from __future__ import annotations

from collections.abc import Callable

from wasabi_tx.engine.observe import Observation

from ..greedy import Option
from .judge import Judge
from .step_one import step_one
from .step_two import draws, gifts, rewards, tiles
from .weights import Weights


class ClassicPlanner:
    def __init__(self, weights: Weights | None = None) -> None:
        self._weights = weights or Weights()

    @property
    def doubt(self) -> float:
        return self._weights.doubt

    def options(self, observation: Observation) -> list[Option]:
        judge = Judge(observation, self._weights)
        return _DECISIONS[judge.position.phase](judge)


def _restock(judge: Judge) -> list[Option]:
    if judge.position.rewards:
        return rewards(judge)
    if judge.rules.wants_tile(judge.position, judge.position.seats[judge.number]):
        return tiles(judge)
    return draws(judge)


_DECISIONS: dict[str, Callable[[Judge], list[Option]]] = {
    "give": gifts,
    "draw": _restock,
    "play": step_one,
    "restock": _restock,
}
