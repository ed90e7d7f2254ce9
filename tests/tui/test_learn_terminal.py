"""A whole course in a real pseudo-terminal: on the screen in Italian, and line by line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from wasabi_tx.lessons.course import COURSES, find_course

from .learner import keys_in, step_in
from .terminal import Terminal, opened

pytestmark = pytest.mark.long
LEARN = "import sys; sys.argv = ['wasabi-tx', 'learn', {options}]; from wasabi_tx.__main__ import main; main()"
GUIDE = slice(19, 22)
"""The rows of 80 x 24 in which the guide speaks."""
TYPED = {"enter": "\r", "escape": "\x1b", "space": " "}


def _guide(lines: list[str]) -> str:
    return " ".join(" ".join(lines[GUIDE]).replace("▌", " ").split())


def _guided(lines: list[str]) -> bool:
    return re.search(r"· .*\d+/\d+ .*Premi .", _guide(lines)) is not None


def _do(terminal: Terminal) -> None:
    """Press what the screen says and wait until it says something else."""
    words = _guide(terminal.lines)
    for key in keys_in(words):
        before = list(terminal.lines)
        terminal.type(TYPED.get(key, key))
        terminal.until(lambda lines, before=before: lines != before)  # type: ignore[misc]
        terminal.settle()
    terminal.until(lambda lines: _guide(lines) != words)
    terminal.settle()


@pytest.mark.parametrize("course", COURSES)
def test_a_course_on_the_screen_in_italian(tmp_path: Path, course: str) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "progress.json").write_text("{}")
    found, seen = find_course(course), []
    with opened(tmp_path, LEARN.format(options=f"'--edition', '{course}', '--language', 'it'")) as terminal:
        terminal.until(_guided)
        while _guided(terminal.lines):
            seen.append(step_in(_guide(terminal.lines)))
            _do(terminal)
        terminal.until(lambda lines: any("TOCCA A TE" in line for line in lines))
    places = [found.reached(at) for at in range(len(found.tasks))]
    assert list(dict.fromkeys(seen)) == [(place.lesson, place.step) for place in places]
    assert json.loads((tmp_path / "config" / "progress.json").read_text())["learned"] == [course]


@pytest.mark.parametrize(("course", "language"), [("classic", "en"), ("master", "en"), ("classic", "it")])
def test_a_course_line_by_line(tmp_path: Path, course: str, language: str) -> None:
    options = f"'--plain', '--edition', '{course}', '--language', '{language}'"
    alone = {"en": "just Enter", "it": "solo Invio"}[language]
    with opened(tmp_path, LEARN.format(options=options)) as terminal:
        found = find_course(course)
        for at in range(len(found.tasks)):
            place = found.reached(at)
            head = re.escape(f"{place.name[language]} {place.step}/{place.steps}: ")
            asked = re.compile(
                rf"(?:Lesson|Lezione) {place.lesson} .*{head}.*(?:Type|Scrivi): (.*?)\r?\n> $", re.DOTALL
            )

            def told(_lines: list[str], asked: re.Pattern[str] = asked) -> bool:
                return asked.search(_said(terminal)) is not None

            terminal.until(told)
            answer = asked.search(_said(terminal))
            assert answer is not None
            terminal.type("\r" if answer[1] == alone else f"{answer[1]}\r")
        # A real game follows.
        starts = {"en": "2 players.", "it": "2 giocatori."}[language]
        terminal.until(lambda _lines: starts in _said(terminal))


def _said(terminal: Terminal) -> str:
    """Return the printed text without the codes that move the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.written.decode(errors="replace")).replace("\r\n", "\n")
