"""Every refusal of the engine and the table has a sentence in both languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import wasabi_tx
from wasabi_tx.engine.edition import Problem
from wasabi_tx.engine.editions import RULES, rules_for
from wasabi_tx.engine.errors import Illegal, Malformed, RulesError
from wasabi_tx.engine.notation import Kind
from wasabi_tx.games.transcript import Broken, read_transcript
from wasabi_tx.text import LANGUAGES, Texts, load_sentences
from wasabi_tx.view.sentences import say_broken, say_error, say_problem

PACKAGE = Path(wasabi_tx.__file__).parent
ERRORS = ("RulesError", "Malformed", "Illegal", "Stale")


def calls(folder: str) -> Iterator[tuple[Path, ast.Call]]:
    for path in (PACKAGE / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield path, node


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def words(node: ast.expr) -> list[str]:
    """Return the constant texts that an expression can be."""
    if isinstance(node, ast.IfExp):
        return words(node.body) + words(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def raised() -> list[tuple[str, dict[str, str]]]:
    """Return every code with the names of its parameters."""
    found = []
    for folder in ("engine", "games", "online", "lessons", "puzzles", "bots"):
        for _, call in calls(folder):
            if name_of(call) in ERRORS and call.args:
                where = {keyword.arg: "x" for keyword in call.keywords if keyword.arg}
                found += [(code, where) for code in words(call.args[0])]
    return found + [(kind.value, {"text": "x"}) for kind in Kind]


def faults() -> set[str]:
    """Return the faults that a line of a position can have."""
    files = ("position_text.py", "text_lines.py")
    found = {
        word
        for path, call in calls("engine")
        if path.name in files and name_of(call) == "fault" and call.args
        for word in words(call.args[0])
    }
    return found | {
        word
        for _, call in calls("engine")
        if name_of(call) == "Malformed"
        for keyword in call.keywords
        if keyword.arg == "problem"
        for word in words(keyword.value)
    }


def problems() -> set[str]:
    """Return the problems that an edition file can have."""
    found: set[str] = set()
    for path, call in calls("engine"):
        if len(call.args) > 1 and (
            name_of(call) == "Problem" or (path.name == "edition_file.py" and name_of(call) == "fault")
        ):
            found.update(words(call.args[1]))
    return found


def broken() -> set[str]:
    found: set[str] = set()
    for path, call in (*calls("games"), *calls("online")):
        if path.name == "transcript.py" and name_of(call) in ("_fault", "Broken"):
            found.update(word for arg in call.args[:2] for word in words(arg))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_sentence(language: str) -> None:
    texts = Texts(language)
    found = raised()
    assert len({code for code, _ in found}) > 60
    for code, where in found:
        if "now" in where:
            where = where | {"now": "play"}
        if code == "position":
            where = where | {"problem": "twice"}
        sentence = say_error(texts, RulesError(code, **where))
        assert sentence.endswith((".", "!"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_of_a_position_has_words(language: str) -> None:
    found = faults()
    assert len(found) > 25
    for problem in found:
        error = Malformed("position", line=3, problem=problem, text="x")
        assert "3" in say_error(Texts(language), error)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phase_has_words(language: str) -> None:
    for rules in RULES.values():
        for phase in rules.phases:
            assert say_error(Texts(language), Illegal("phase", now=phase))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_of_an_edition_file_has_a_sentence_that_names_the_place(language: str) -> None:
    found = problems()
    assert len(found) > 20
    for code in found:
        assert say_problem(Texts(language), Problem("recipe 7", code, "9")).startswith("recipe 7: ")
        assert " ." not in say_problem(Texts(language), Problem("recipe 7", code))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_break_of_a_transcript_has_a_sentence_that_names_the_line(language: str) -> None:
    found = broken() | {"torn"}
    assert len(found) > 9
    for problem in found - {"not-a-transcript"}:
        assert "12" in say_broken(Texts(language), Broken(12, problem, "x"))


def test_no_sentence_is_for_an_error_that_nobody_raises() -> None:
    codes = {code for code, _ in raised()} | {"edition"}
    keys = load_sentences("en")
    assert {key.removeprefix("error.") for key in keys if key.startswith("error.")} == codes
    assert {key.removeprefix("position.") for key in keys if key.startswith("position.")} == faults()
    assert {key.removeprefix("problem.") for key in keys if key.startswith("problem.")} == problems()
    assert {key.removeprefix("broken.") for key in keys if key.startswith("broken.")} == broken() | {"torn"}


def test_a_broken_step_says_what_the_rules_refuse() -> None:
    text = (
        "wasabi-tx transcript 2\nedition: classic {hash}\nplayers: 2\nseat 1: person Ana\nseat 2: person Bo\nfirst: 1\n"
    )
    text = text.replace("{hash}", rules_for("classic", 2).edition.hash) + "> 1: give Ri\n"
    with pytest.raises(Broken) as caught:
        read_transcript(text, rules_for)
    assert say_broken(Texts("en"), caught.value) == "Line 7: Ri cannot be in a starting hand."
