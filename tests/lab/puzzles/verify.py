"""Verifies puzzles: every turn is tried, one is the best, it is the stored one, and bots miss it as stored.

Together they show enough of the game: no shape too often, every mark often enough, one puzzle a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from wasabi_tx.bots.levels import LEVELS
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.puzzles.puzzle import Puzzle

from .find import (
    LEAST_SHARE,
    MOST_SHARE,
    MOST_TURNS,
    Findings,
    all_marks,
    faults,
    marks_of,
    missed_by,
    search,
    shape_of,
)


def verify(puzzle: Puzzle) -> tuple[list[str], Findings]:
    """Return the faults of a puzzle, and what the search through its turns has found."""
    rules = rules_for(puzzle.rules.edition.id, puzzle.rules.players)
    observation = observe(rules, puzzle.position, puzzle.position.mover, puzzle.faces)
    findings = search(observation, MOST_TURNS)
    best = findings.best[0]
    found = faults(observation, findings)
    if best.gain != puzzle.gain:
        found.append(f"the best turn gains {best.gain}, not {puzzle.gain}")
    if best.steps != puzzle.best:
        found.append(f"the best turn is {rules.format(best.steps)}")
    missed = missed_by(observation, best.gain)
    if missed != list(puzzle.missed_by):
        found.append(f"missed by {' '.join(missed)}")
    return found, findings


def verify_all(puzzles: Sequence[Puzzle]) -> list[str]:
    """Return the faults of a collection as a whole."""
    number = len(puzzles)
    shapes, marks = _counts(puzzles)
    found = [f"too many of {' '.join(shape)}" for shape, times in shapes.items() if times * MOST_SHARE > number]
    least = number // LEAST_SHARE
    found += [f"too few with {mark}" for mark in sorted(all_marks(puzzles[0].rules)) if marks[mark] < least]
    if len({puzzle.game for puzzle in puzzles}) < number:
        found.append("two of one game")
    grades = [len(puzzle.missed_by) for puzzle in puzzles]
    if grades != sorted(grades):
        found.append("not in order of difficulty")
    return found


def _counts(puzzles: Sequence[Puzzle]) -> tuple[Counter[tuple[str, ...]], Counter[str]]:
    shapes = Counter(shape_of(puzzle.rules, puzzle.best) for puzzle in puzzles)
    return shapes, Counter(mark for puzzle in puzzles for mark in marks_of(puzzle))


def report(puzzles: Sequence[Puzzle], leads: Sequence[int]) -> Iterator[str]:
    """Yield lines about shapes, marks, leads and how many each level of bots solves."""
    shapes, marks = _counts(puzzles)
    yield "shapes: " + ", ".join(f"{' '.join(shape)} {times}" for shape, times in shapes.most_common())
    yield "marks: " + ", ".join(f"{mark} {times}" for mark, times in marks.most_common())
    yield "leads: " + ", ".join(f"{lead} {times}" for lead, times in sorted(Counter(leads).items()))
    for level in LEVELS:
        solved = sum(level not in puzzle.missed_by for puzzle in puzzles)
        yield f"solved by {level}: {100 * solved / len(puzzles):.0f} %"
