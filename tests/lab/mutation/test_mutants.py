"""Mutants differ from their module in one place, and can be compiled; a score has its interval."""

from __future__ import annotations

import ast

from .__main__ import interval
from .mutants import mutants

SOURCE = '''
"""A module."""
LIMIT = 3

def judge(count: int, seat: int | None) -> bool:
    """One of several."""
    if seat is None:
        return False
    if not count or count + 1 > LIMIT:
        raise ValueError("too many")
    return True
'''


def test_each_mutant_changes_one_place() -> None:
    found = mutants(SOURCE)
    changes = [mutant.change for mutant in found]
    assert len(changes) == len(set(changes)) == 11
    for mutant in found:
        text = ast.unparse(mutant.tree)
        assert text != ast.unparse(ast.parse(SOURCE))
        compile(mutant.tree, "mutant", "exec")


def test_words_types_and_annotations_are_left_alone() -> None:
    changes = " ".join(mutant.change for mutant in mutants(SOURCE))
    assert "module" not in changes
    assert "int | None" not in changes
    assert [mutant.change for mutant in mutants(SOURCE) if "too many" in mutant.change] == [
        "raise ValueError('too many')  →  None"
    ]


def test_a_score_lies_in_its_interval_which_narrows_with_the_sample() -> None:
    low, high = interval(90, 100)
    assert (round(low, 3), round(high, 3)) == (0.826, 0.945)
    wider = interval(9, 10)
    assert wider[0] < low < 0.9 < high < wider[1]
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(10, 10)[1] == 1.0
