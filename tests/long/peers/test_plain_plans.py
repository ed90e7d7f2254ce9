"""A turn that is composed line by line in a real terminal while the other player moves, and played when it comes."""

from __future__ import annotations

import re

import pytest

from tests.peers.hands import MARK, answer
from tests.peers.program import Program, Programs


def answers(program: Program, since: int, over: str) -> str:
    """Answer questions from this place of the output on, until the pattern appears; return the output from there."""
    answered = since
    while True:
        said = program.until(
            lambda said, at=answered: bool(re.search(over, said[since:])) or (len(said) > at and said.endswith(MARK))  # type: ignore[misc]
        )
        if re.search(over, said[since:]):
            return said[since:]
        question, answered = said[answered:], len(said)
        program.type(answer(question) + "\n")


@pytest.mark.parametrize("terminal", [False, True])
def test_what_is_composed_line_by_line_is_played_or_it_is_said_why_not(programs: Programs, terminal: bool) -> None:
    port = str(21893 + terminal)
    words = ("--plain", "--time", "24h", "--edition", "short-classic", "--bind", "127.0.0.1", "--port", port)
    host = programs.start("ann", "host", *words, "--for", "lobby", "--name", "Ann", typed=None, terminal=terminal)
    invite = next(word for word in host.until(lambda said: said.count("wasabi:") == 2).split() if "wasabi:" in word)
    guest = programs.start("bob", "join", invite, "--plain", "--name", "Bob", typed=None, terminal=terminal)
    both = (host, guest)
    for program in both:
        program.until(lambda said: "While others move" in said or said.endswith(MARK))
    (waiter,) = (program for program in both if "While others move" in program.out)
    (mover,) = (program for program in both if program is not waiter)
    before = len(waiter.out)
    waiter.type("plan\n")
    left = answers(waiter, before, r"Your plan for turn \d+: [^.]+\.")
    turn = re.search(r"Your plan for turn (\d+)", left)
    assert turn is not None
    answers(mover, 0, "While others move")
    waiter.until(lambda said: f"your plan for turn {turn[1]} was played" in said or "was not played" in said)
    for program in both:
        assert "Traceback" not in program.out + program.err
