"""Verifies a puzzle: every turn is tried, one is the best, it is the stored one, and no bot's first choice."""

from __future__ import annotations

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.puzzles.puzzle import Puzzle

from .find import MOST_TURNS, faults, search


def verify(puzzle: Puzzle) -> tuple[list[str], int]:
    """Return the faults of a puzzle, and how many turns were tried to find them."""
    rules = rules_for(puzzle.rules.edition.id, puzzle.rules.players)
    observation = observe(rules, puzzle.position, puzzle.position.mover, puzzle.faces)
    findings = search(observation, MOST_TURNS)
    found = faults(observation, findings)
    if findings.best[0].gain != puzzle.gain:
        found.append(f"the best turn gains {findings.best[0].gain}, not {puzzle.gain}")
    if findings.best[0].steps != puzzle.best:
        found.append(f"the best turn is {rules.format(findings.best[0].steps)}")
    return found, findings.tried
