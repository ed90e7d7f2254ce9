"""Puzzles from a person's own game: turns of theirs that could have gained more at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..engine.observe import observe
from ..games.review import check_reviewable, turns_of
from ..games.transcript import GameRecord, Move
from .puzzle import Puzzle, turn_over, turn_rules
from .turn_search import TooManyTurns, TurnGain, best_turns, can_be_planned, every_turn, gain_of

MOST_TURNS = 50_000
"""The most choices searched; a turn with more is skipped because it would take too long."""
LEAST_MISSED = 2
"""The fewest missed points that make a turn worth a puzzle."""


def puzzles_in(game: GameRecord, seat: int, name: Callable[[int], str]) -> Iterator[Puzzle]:
    """Yield the turns in which the seat could have gained more, in order, each searched on demand.

    `name` returns the name of a turn's puzzle. Raise `CannotReview` if the seat's recipes are not known.
    """
    check_reviewable(game, seat)
    for move in turns_of(game, seat):
        observation = observe(game.rules, move.before, seat, game.faces)
        try:
            best, *_ = best_turns(every_turn(observation, MOST_TURNS))
        except TooManyTurns:
            continue
        missed = best.gain.points - gained(game, move).points >= LEAST_MISSED
        if missed and can_be_planned(game.rules, best):
            yield Puzzle(
                name=name(move.before.turn), rules=turn_rules(game.rules), position=move.before,
                faces=observation.faces, gain=best.gain, best=best.steps,
            )  # fmt: skip


def gained(game: GameRecord, first: Move) -> TurnGain:
    """Return the gain of the turn that began with this move."""
    rules, start = game.rules, first.before
    position, steps = start, []
    for move in game.moves[game.moves.index(first) :]:
        for step in move.steps:
            if turn_over(start, position):
                break
            position = rules.apply(position, step)
            steps.append(step)
    return gain_of(rules, start, position, steps)
