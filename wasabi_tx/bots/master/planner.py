"""The planner of the second edition: every option for the next bundle, with its value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations

from wasabi_tx.engine.board import Board
from wasabi_tx.engine.editions.master.steps import ACTION_LENGTH
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.step import Step

from ..board_windows import Reading, windows_of
from ..greedy import Option
from ..reason import Reason, because
from ..rivals import Rival, lengths_held
from .judge import Guesses, Judge
from .lines import Line, follow, placements, preps, put, served
from .repairs import repairs
from .weights import Weights
from .why import why_line, why_prep

FOLLOWED = 3
"""The number of best placements tried after cards that leave this turn's tile to be placed."""
PAIRED = 6
"""The number of best placements tried in pairs."""
TRIED_IN_HASTE = 1
"""The same in haste, when pairs take too long."""


class MasterPlanner:
    def __init__(self, weights: Weights | None = None, guessed: Guesses | None = None) -> None:
        """Prepare a planner; `guessed` is for a planner in haste."""
        self._weights = weights or Weights()
        self._guessed = guessed

    @property
    def doubt(self) -> float:
        return self._weights.doubt

    def options(self, observation: Observation) -> list[Option]:
        judge = Judge(observation, self._weights, self._guessed)
        return _DECISIONS[judge.position.phase](judge)

    def rivals(self, observation: Observation, shares: Mapping[int, float]) -> list[Rival]:
        """Return one rival for all seats, since tiles come from the shared pantry; seats past their last turn are
        excluded.
        """
        judge = Judge(observation, self._weights)
        position = judge.position
        held: dict[int, float] = {}
        for number, share in shares.items():
            if not position.trigger or position.finals >> number & 1:
                for length, count in lengths_held(position.seats[number]).items():
                    held[length] = held.get(length, 0.0) + share * count
        free = max(0, position.board.free.count(1) - 1)
        return [Rival(judge.prospects(position, free, own=False), held)]

    def read(self, rules: AnyRules, board: Board) -> Reading:
        """Read a board, ignoring cups, since they can be moved."""
        return Reading(windows_of(rules), board, movable=True)

    def worth(self, observation: Observation) -> float:
        judge = Judge(observation, self._weights, self._guessed)
        position, seat = judge.position, judge.seat
        return judge.total(seat, judge.worths(position, seat).values(), position.board.free.count(1))

    def in_haste(self, observation: Observation) -> MasterPlanner:
        judge, weights = Judge(observation, self._weights), self._weights
        return MasterPlanner(weights, {odds: judge.averages(odds) for odds in (weights.odds, weights.drawing)})


def _play(judge: Judge) -> list[Option]:
    """Return the options: tiles, cards and cups, each line ending with Serve or a prep."""
    position = judge.position
    plain = placements(judge) if position.due else []
    lines = [*plain, *_with_cards(judge, plain)]
    options = [Option(line.value, line.steps, partial(why_line, judge, line)) for line in lines]
    if position.due:
        return options
    now = follow(judge, ())
    if now is not None and now.steps[0].verb == "serve":
        options.append(Option(now.value, now.steps, partial(why_line, judge, now)))
    worths = judge.worths(position, judge.seat)
    base = judge.total(judge.seat, worths.values(), position.board.free.count(1))
    options += (
        Option(base + prep.gain, (prep.step,), because(why_prep(judge, prep.step)))
        for prep in preps(judge, position, judge.seat, worths)
    )
    return options


def _with_cards(judge: Judge, plain: list[Line]) -> list[Line]:
    """Return lines that complete something with action cards, or place two tiles."""
    position, rules = judge.position, judge.rules
    if not judge.seat.cards:
        return []
    followed, paired = (FOLLOWED, PAIRED) if judge.guessed is None else (TRIED_IN_HASTE, TRIED_IN_HASTE)
    tiles = [(step.args[0], step.args[1]) for line in plain[:paired] for step in line.steps if step.verb == "place"]
    lines: list[Line | None] = []
    for steps in repairs(judge):
        done = follow(judge, steps)
        lines.append(done)
        if done is None:
            lines += (follow(judge, (*steps, *put(judge, "place", tile, on))) for tile, on in tiles[:followed])
    if rules.spicy in judge.seat.cards and position.due:
        for (tile, square), (extra, other) in combinations(tiles, 2):
            first = put(judge, "place", tile, square, wanted=(other,))
            lines.append(follow(judge, (*first, *put(judge, "spicy", extra, other, wanted=(square,)))))
    return [line for line in lines if line is not None]


def _serve(judge: Judge) -> list[Option]:
    """Return the options for serving every other complete recipe, and then drawing recipes."""
    found, _ = served(judge, judge.position)
    options = [Option(0.0, (judge.rules.done_step,), because())]
    for card, recipe in found:
        line = Line(1.0 + judge.windows.lengths[recipe] - ACTION_LENGTH, (Step("serve", (card, recipe)),))
        options.append(Option(line.value, line.steps, partial(why_line, judge, line)))
    return options


def _gain(judge: Judge) -> list[Option]:
    return [
        Option(judge.card_gain(judge.seat, step.args[0]), (step,), because(why_prep(judge, step)))
        for step in judge.rules.legal(judge.position, judge.faces)
    ]


def _discard(judge: Judge) -> list[Option]:
    return [
        Option(-judge.cards[step.args[0]], (step,), because(Reason("discards-card", {"card": step.args[0]})))
        for step in judge.rules.legal(judge.position, judge.faces)
    ]


def _draw(judge: Judge) -> list[Option]:
    """Return the draws, valued by what the length promises on this board and by the card's back if it applies."""
    obeyed = judge.position.phase == "restock"
    options = []
    for step in judge.rules.legal(judge.position, judge.faces):
        length = step.args[0]
        value = judge.promised.get(length, 0.0) + (judge.obeyed(length) if obeyed else 0.0)
        options.append(Option(value, (step,), because(Reason("draws", {"length": length}))))
    return options


_DECISIONS: dict[str, Callable[[Judge], list[Option]]] = {
    "play": _play,
    "serve": _serve,
    "gain": _gain,
    "discard": _discard,
    "restock": _draw,
    "exchange": _draw,
}
