"""The planner of the first edition: every option for the next bundle, with its value."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wasabi_tx.engine.board import Board
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.rules import AnyRules

from ..board_windows import Reading, windows_of
from ..greedy import Option
from ..rivals import Rival, lengths_held
from .judge import Judge
from .step_one import step_one
from .step_two import draws, gifts, rewards, tiles
from .weights import Weights


class ClassicPlanner:
    def __init__(self, weights: Weights | None = None, guessed: Mapping[int, float] | None = None) -> None:
        """Prepare a planner; `guessed`, the worth of unseen recipes by length, is for a planner in haste."""
        self._weights = weights or Weights()
        self._guessed = guessed

    @property
    def doubt(self) -> float:
        return self._weights.doubt

    def options(self, observation: Observation) -> list[Option]:
        judge = Judge(observation, self._weights, self._guessed)
        return _DECISIONS[judge.position.phase](judge)

    def rivals(self, observation: Observation, shares: Mapping[int, float]) -> list[Rival]:
        """Return one rival per seat, since each has its own tiles; recipes without a token are no threat."""
        judge = Judge(observation, self._weights)
        position, found = judge.position, []
        free = max(0, position.board.free.count(1) - 1)
        for number, share in shares.items():
            seat = position.seats[number]
            held = {n: share * min(count, seat.tokens[n]) for n, count in lengths_held(seat).items()}
            found.append(Rival(judge.prospects(position, seat.tiles, free, fetching=False, own=False), held))
        return found

    def read(self, rules: AnyRules, board: Board) -> Reading:
        return Reading(windows_of(rules), board)

    def worth(self, observation: Observation) -> float:
        judge = Judge(observation, self._weights, self._guessed)
        return judge.worth(judge.position)

    def in_haste(self, observation: Observation) -> ClassicPlanner:
        return ClassicPlanner(self._weights, Judge(observation, self._weights).fresh)


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
