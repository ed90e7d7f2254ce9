"""A whole course in a real pseudo-terminal: on the screen in Italian, and line by line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from wasabi_tx.table.learn.course import COURSES, find_course

from .learner import keys_in, step_in
from .terminal import Terminal, opened

LEARN = "import sys; sys.argv = ['wasabi-tx', 'learn', {options}]; from wasabi_tx.__main__ import main; main()"
GUIDE = slice(19, 22)
"""The rows of 80 x 24 in which the guide speaks."""
TYPED = {"enter": "\r", "escape": "\x1b", "space": " "}


def _guide(lines: list[str]) -> str:
    return " ".join(" ".join(lines[GUIDE]).replace("▌", " ").split())


def _guided(lines: list[str]) -> bool:
    return re.search(r"Lezione \d+/\d+ .*Premi .", _guide(lines)) is not None


def _do(terminal: Terminal) -> None:
    """Presses what the screen says and waits until it says something else."""
    words = _guide(terminal.lines)
    number, _ = step_in(words)
    for key in keys_in(words):
        before = list(terminal.lines)
        terminal.type(TYPED.get(key, key))
        terminal.until(lambda lines, before=before: lines != before)  # type: ignore[misc]
        terminal.settle()
    terminal.until(lambda lines: not _guided(lines) or step_in(_guide(lines))[0] != number)


@pytest.mark.parametrize("course", COURSES)
def test_a_course_on_the_screen_in_italian(tmp_path: Path, course: str) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "progress.json").write_text("{}")
    with opened(tmp_path, LEARN.format(options=f"'--edition', '{course}', '--language', 'it'")) as terminal:
        for number in range(1, len(find_course(course).tasks) + 1):
            terminal.until(lambda lines, number=number: _guided(lines) and step_in(_guide(lines))[0] == number)  # type: ignore[misc]
            terminal.settle()
            _do(terminal)
        terminal.until(lambda lines: not _guided(lines) and any("TOCCA A TE" in line for line in lines))
    assert json.loads((tmp_path / "config" / "progress.json").read_text())["learned"] == [course]


@pytest.mark.parametrize(("course", "language"), [("classic", "en"), ("master", "en"), ("classic", "it")])
def test_a_course_line_by_line(tmp_path: Path, course: str, language: str) -> None:
    options = f"'--plain', '--edition', '{course}', '--language', '{language}'"
    alone = {"en": "just Enter", "it": "solo Invio"}[language]
    with opened(tmp_path, LEARN.format(options=options)) as terminal:
        for number in range(1, len(find_course(course).tasks) + 1):
            asked = re.compile(rf"(?:Lesson|Lezione) {number}/\d+: .*(?:Type|Scrivi): (.*?)\r?\n> $", re.DOTALL)

            def found(_lines: list[str], asked: re.Pattern[str] = asked) -> bool:
                return asked.search(_said(terminal)) is not None

            terminal.until(found)
            answer = asked.search(_said(terminal))
            assert answer is not None
            terminal.type("\r" if answer[1] == alone else f"{answer[1]}\r")
        # A real game follows.
        starts = {"en": "2 players.", "it": "2 giocatori."}[language]
        terminal.until(lambda _lines: starts in _said(terminal))


def _said(terminal: Terminal) -> str:
    """Everything that was printed, without what only moves the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.written.decode(errors="replace")).replace("\r\n", "\n")
