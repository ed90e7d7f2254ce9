"""Names explain themselves: a module says its own name in its first line, and a class name means one thing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = (ROOT / "wasabi_tx", ROOT / "protocol" / "wasabi_protocol")
MODULES = sorted(path for package in PACKAGES for path in package.rglob("*.py") if not path.stem.startswith("__"))
ENDINGS = ("s", "es", "e", "ed", "d", "ing", "er", "r", "ation", "ations")

OTHER_WORDS: dict[str, str] = {}
"""Modules whose first line does well without their name, and why."""

TWINS = {
    "Bundle": "the engine's bundle of steps, and the signed entry that carries it",
    "Excluded": "a seat was voted out: as the log says it, and as the game around the table tells it",
    "OtherRun": "our key plays elsewhere: as the heads prove it, and as the table tells its person",
    "Judge": "the same part of two bots, one for each edition",
    "Line": "the same part of two bots, one for each edition",
    "Weights": "the same part of two bots, one for each edition",
}
"""Class names that occur twice, and why both are one idea."""


def stems(text: str) -> set[str]:
    """The words of a text, each also without the endings that English gives it."""
    words = re.findall(r"[a-z]+", text.lower())
    return {word.removesuffix(ending) for word in words for ending in ("", *ENDINGS)}


def first_line(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n")[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_says_a_word_of_its_name_in_its_first_line(path: Path) -> None:
    first = first_line(path)
    said = bool(stems(path.stem) & stems(first))
    assert said != (str(path.relative_to(ROOT)) in OTHER_WORDS), first


def test_every_reason_for_other_words_is_about_a_module() -> None:
    assert set(OTHER_WORDS) <= {str(path.relative_to(ROOT)) for path in MODULES}


def test_a_class_name_means_one_thing() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(ROOT)))
    twins = {name: found for name, found in places.items() if len(found) > 1}
    assert twins.keys() == TWINS.keys(), {name: found for name, found in twins.items() if name not in TWINS}
    assert all(len(found) == 2 for found in twins.values())
