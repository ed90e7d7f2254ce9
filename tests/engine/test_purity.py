"""The engine is pure: its source uses no clock, chance, file, float, identity or set order."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.engine.purity import SET_TYPES, faults

ENGINE = Path(__file__).parents[2] / "wasabi_tx" / "engine"
SOURCES = sorted(ENGINE.rglob("*.py"))


def test_the_engines_files_are_found() -> None:
    names = {path.relative_to(ENGINE).as_posix() for path in SOURCES}
    assert {"board.py", "rules.py", "editions/classic/steps.py"} <= names


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ENGINE).as_posix())
def test_no_clock_chance_file_float_identity_or_order_of_a_set(path: Path) -> None:
    assert faults(path.read_text(encoding="utf-8")) == []


def test_attributes_that_are_sets_are_never_walked_in_order_in_any_file() -> None:
    """An attribute declared as a set in one file may be used in another, where it does not look like one."""
    declared = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                declared_type = ast.unparse(node.annotation).removeprefix("ClassVar[")
                if declared_type.partition("[")[0] in SET_TYPES:
                    declared.add(node.target.id)
    assert "learning" in declared
    preface = "\n".join(f"{name}: frozenset[int]" for name in sorted(declared))
    for path in SOURCES:
        source = path.read_text(encoding="utf-8").replace("from __future__ import annotations", "")
        assert faults(f"{preface}\n{source}") == [], path.name


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("import random", "random"),
        ("from time import monotonic", "time"),
        ("import os.path", "os.path"),
        ("f = open('x')", "open"),
        ("x = 0.5", "float"),
        ("x = a / b", "division"),
        ("x /= 2", "division"),
        ("key = sorted(a, key=id)", "id"),
        ("key = hash(a)", "hash"),
        ("for x in {1, 2}: pass", "loop over a set"),
        ("names = set(a)\nfor x in names: pass", "loop over a set"),
        ("def f(a: frozenset[int]):\n    return [x for x in a]", "comprehension over a set"),
        ("x = tuple({n for n in a})", "tuple of a set"),
        ("x = [*{1, 2}]", "unpacked set"),
        ("x = ', '.join({'a', 'b'})", "join of a set"),
        ("x = list(set(a) - set(b))", "list of a set"),
        ("x = next(iter({1}))", "iter of a set"),
        ("x = {1, 2}.pop()", "pop of a set"),
        ("for x in a.b.union(c): pass", "loop over a set"),
    ],
)
def test_the_finder_finds(source: str, what: str) -> None:
    assert [fault.split(": ")[1] for fault in faults(source)] == [what]


@pytest.mark.parametrize(
    "source",
    [
        "x = sorted({1, 2})",
        "x = sum(n for n in {1, 2})",
        "x = 3 in {1, 2}",
        "x = any(n > 1 for n in set(a))",
        "x = {*{1, 2}, 3}",
        "x = a // b",
        "class A:\n    id: str\nx = a.id",
        "x = [1, 2].pop()",
    ],
)
def test_the_finder_lets_pass(source: str) -> None:
    assert faults(source) == []
