"""Hands at a keyboard: they read what the plain screen asks and type what it offers, without knowing the rules."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.peers.program import Program

MARK = "\n> "
OFFER = re.compile(r"^Enter (?!chooses nothing)|^Enter:", re.MULTILINE)
EXAMPLE = re.compile(r"such\s+as\s+([^,.;]+)[,.;]")
LISTED = re.compile(r"[:?]\s+([^\s,.:]+)(?:,\s[^:?]*)?\.\s+Also:")
"""Matches all that can be typed, where nothing is suggested."""


def play(program: Program, over: str, think: Callable[[], object] = lambda: None) -> str:
    """Answer every question, after some thought, until the game is over; return everything printed."""
    answered = 0
    while True:
        said = program.until(lambda said, at=answered: over in said[at:] or _asks(said, at))  # type: ignore[misc]
        if over in said[answered:]:
            return said
        question, answered = said[answered:], len(said)
        think()
        program.type(answer(question) + "\n")


def _asks(said: str, answered: int) -> bool:
    return len(said) > answered and said.endswith(MARK)


def answer(question: str) -> str:
    """Return yes, what Enter offers, the question's example, or the first choice in its list."""
    if "(y/n)" in question:
        return "y"
    if OFFER.search(question):
        return ""
    found = EXAMPLE.search(question) or LISTED.search(question)
    assert found is not None, question
    return " ".join(found[1].split())
