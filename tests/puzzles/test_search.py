"""The search tries every turn: what it leaves out never gains more, as a walk through all legal steps shows."""

from __future__ import annotations

from functools import cache

import pytest

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import Position
from wasabi_tx.games.arena import play_out
from wasabi_tx.games.staged_game import settle
from wasabi_tx.games.transcript import read_transcript
from wasabi_tx.puzzles.puzzle import turn_over
from wasabi_tx.puzzles.turn_search import TooManyTurns, TurnGain, best_turns, every_turn, gain_of

FEW = 80
"""Legal steps with which every turn can be tried."""


@cache
def late_turns(edition: str, seed: str) -> list[Observation]:
    """Yield turns that begin with few legal steps, at most three squares before the end of a game."""
    rules = rules_for(edition, 2)
    played = read_transcript(play_out(rules, ("easy", "normal"), seed, 0, record=True).transcript, rules_for)
    begun = {move.before.turn: move.before for move in played.moves if move.before.phase == "play"}
    late = [one for one in begun.values() if len(one.board.empty) <= 3]
    seen = [observe(rules, one, one.mover, played.faces) for one in late]
    return [one for one in seen if len(one.legal()) <= FEW]


def try_everything(observation: Observation) -> TurnGain:
    """Return the gain of the best turn, found by trying every legal step in every position."""
    rules, start = observation.rules, observation.position
    best = TurnGain(False, -1, 0, 0)
    seen: set[tuple[bytes, int]] = set()
    left: list[tuple[Position, int]] = [(start, 0)]
    while left:
        position, cards = left.pop()
        for step in rules.legal(position, observation.faces):
            played = cards + (rules.slots.get(step.verb) == "action")
            after = settle(rules, rules.apply(position, step), observation.faces)
            gain = gain_of(rules, start, after, ())._replace(cards=-played)
            if turn_over(start, after):
                best = max(best, gain)
            elif (key := (rules.digest(after), played)) not in seen:
                seen.add(key)
                left.append((after, played))
    return best


@pytest.mark.parametrize(("edition", "seed"), [("classic", "a"), ("classic", "b"), ("master", "a"), ("master", "b")])
def test_the_best_turn_is_the_best_of_all_that_the_rules_allow(edition: str, seed: str) -> None:
    turns = late_turns(edition, seed)
    assert turns
    for observation in turns:
        assert best_turns(every_turn(observation))[0].gain == try_everything(observation)


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_every_best_turn_can_be_played_and_gains_what_it_says(edition: str) -> None:
    for observation in late_turns(edition, "a"):
        rules = observation.rules
        for turn in best_turns(every_turn(observation)):
            position = observation.position
            for step in turn.steps:
                position = settle(rules, position, observation.faces)
                if position.phase == "gain":
                    position = settle(rules, rules.apply(position, rules.legal(position, {})[0]), observation.faces)
                position = rules.apply(position, step)
            assert gain_of(rules, observation.position, position, turn.steps) == turn.gain


def test_a_limit_is_kept() -> None:
    with pytest.raises(TooManyTurns):
        best_turns(every_turn(late_turns("classic", "a")[0], most=1))
