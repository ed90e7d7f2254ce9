"""Puzzles line by line."""

from __future__ import annotations

import io

from wasabi_tx.plain.console import Console
from wasabi_tx.plain.puzzle import PlainPuzzle
from wasabi_tx.puzzles.judge import PuzzleJudge
from wasabi_tx.puzzles.puzzle import find_puzzle
from wasabi_tx.text import Texts
from wasabi_tx.turn.step_groups import typed_form
from wasabi_tx.view.names import BOT_NAMES
from wasabi_tx.view.table.hand import hand_of


def _run(judge: PuzzleJudge, lines: list[str], language: str = "en") -> tuple[bool, str]:
    said = io.StringIO()
    more = PlainPuzzle(judge, Console(io.StringIO("".join(f"{line}\n" for line in lines)), said), Texts(language)).run()
    return more, " ".join(said.getvalue().split())


def _best(judge: PuzzleJudge, language: str = "en") -> list[str]:
    """Return the lines of a person who knows the solution."""
    puzzle, hand = judge.puzzle, hand_of(judge.game.observation)
    return [typed_form(puzzle.rules, hand, step, Texts(language)) for step in puzzle.best]


def test_the_best_turn_is_typed_and_the_next_puzzle_wanted() -> None:
    judge = PuzzleJudge(find_puzzle("classic", 1), "Ana", BOT_NAMES)
    more, said = _run(judge, [*_best(judge), "", "", ""])
    assert "Puzzle classic 1: Find the best turn" in said
    assert "Wasabi TX puzzle classic 1 ★★★" in said
    assert "★★★ The best turn: 5 points." in said
    assert more


def test_a_pass_gains_nothing_then_the_solution_and_another_try() -> None:
    judge = PuzzleJudge(find_puzzle("classic", 1), "Ana", BOT_NAMES)
    more, said = _run(judge, ["pass 6", "", "", "undo", *_best(judge), "", "", "quit"])
    assert "Wasabi TX puzzle classic 1 ☆☆☆" in said
    assert said.count("Wasabi TX puzzle") == 1, "the first turn counts"
    assert "The best turn gains 5 points: " in said
    assert "★★★ The best turn" in said
    assert not more


def test_italians_solve_one_of_the_other_edition() -> None:
    judge = PuzzleJudge(find_puzzle("master", 1), "Ana", BOT_NAMES)
    more, said = _run(judge, [*_best(judge, "it"), "", "", ""], "it")
    assert "Trova il turno migliore" in said
    assert "★★★ Il turno migliore: " in said
    assert more


def test_the_end_of_the_input_ends_it() -> None:
    judge = PuzzleJudge(find_puzzle("classic", 1), "Ana", BOT_NAMES)
    assert not _run(judge, [])[0]
    assert judge.stars is None


def test_no_hints_are_given() -> None:
    judge = PuzzleJudge(find_puzzle("classic", 1), "Ana", BOT_NAMES)
    assert Texts("en").say("play.no-hints") in _run(judge, ["hint"])[1]
