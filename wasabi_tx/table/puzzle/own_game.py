"""Puzzles out of a game that somebody played: turns of theirs that could have gained more at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...engine.observe import observe
from ..review import check_reviewable, turns_of
from ..transcript import GameRecord, Move
from .puzzle import Puzzle, turn_over, turn_rules
from .turn_search import TooManyTurns, TurnGain, can_be_planned, gain_of, search

MOST_TURNS = 50_000
"""A turn with more choices is left out: nobody waits for it."""
LEAST_MISSED = 2
"""Points; a turn that missed fewer is not worth a puzzle."""


def puzzles_in(game: GameRecord, seat: int, name: Callable[[int], str]) -> Iterator[Puzzle]:
    """The turns in which the seat could have gained more, in their order, each found when it is wanted.

    `name` says what the puzzle of a turn is called; `CannotReview` if the seat's recipes are not known.
    """
    check_reviewable(game, seat)
    for move in turns_of(game, seat):
        observation = observe(game.rules, move.before, seat, game.faces)
        try:
            findings = search(observation, MOST_TURNS)
        except TooManyTurns:
            continue
        best = findings.best[0]
        missed = best.gain.points - gained(game, move).points >= LEAST_MISSED
        if missed and can_be_planned(game.rules, best):
            yield Puzzle(
                name=name(move.before.turn), rules=turn_rules(game.rules), position=move.before,
                faces=observation.faces, gain=best.gain, best=best.steps,
            )  # fmt: skip


def gained(game: GameRecord, first: Move) -> TurnGain:
    """What a turn gained that began with a move."""
    rules, start = game.rules, first.before
    position, steps = start, []
    for move in game.moves[game.moves.index(first) :]:
        for step in move.steps:
            if turn_over(start, position):
                break
            position = rules.apply(position, step)
            steps.append(step)
    return gain_of(rules, start, position, steps)
