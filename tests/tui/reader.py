"""Somebody who knows nothing but the screen of 80 x 24, and plays what it asks for."""

from __future__ import annotations

import re

from .terminal import Terminal

BEHIND = "Let nobody else look"
"""What the curtain between two people says."""
OVER = ("wins", "You win", "A draw among")
BAR = 22
"""The row that asks, and says what Enter does."""


def asks(lines: list[str]) -> bool:
    """Whether whoever sits here has to choose something."""
    return "YOUR TURN" in lines[0] and lines[BAR].startswith("▌") and "thinking" not in lines[BAR]


def drawn(lines: list[str]) -> bool:
    """Whether the curtain hides the table."""
    return any(BEHIND in line for line in lines)


def over(lines: list[str]) -> bool:
    return any(word in line for line in lines for word in OVER)


def mine(lines: list[str]) -> bool:
    """Whether somebody has to do something, or the game is over."""
    return asks(lines) or drawn(lines) or over(lines)


def free(lines: list[str]) -> tuple[str, int, int] | None:
    """The first empty square that is drawn as one: its name, and where its dot stands."""
    letters = lines[1][:44]
    for y, line in enumerate(lines[2:18], 2):
        if line[:1].isdigit():
            for letter in re.finditer("[a-g]", letters):
                dot = line.find("·", letter.start() - 1, letter.start() + 2)
                if dot >= 0:
                    return letter[0] + line[0], dot, y
    return None


def answer(terminal: Terminal, lines: list[str], mouse: bool) -> None:
    """One thing that somebody who knows nothing but the screen would do: what the bar says, or a square for a tile."""
    asked = lines[BAR]
    square = free(lines) if asked.startswith("▌ You hold") else None
    if square is not None:
        name, x, y = square
        terminal.click(x, y) if mouse else terminal.type(name)
    elif " Enter " in asked:
        terminal.click(asked.index(" Enter ") + 1, BAR) if mouse else terminal.type("\r")
    else:
        raise AssertionError("\n".join(lines))


def play_on(terminal: Terminal, mouse: bool, most: int = 900) -> set[str]:
    """Plays for everybody who sits here until the game is over; who raised a curtain."""
    people: set[str] = set()
    for _ in range(most):
        terminal.until(mine)
        terminal.settle()
        lines = list(terminal.until(mine))
        if drawn(lines):
            people.add(_raise(terminal, lines, mouse))
        elif asks(lines):
            bottom = lines[15:23]
            answer(terminal, lines, mouse)
            terminal.until(lambda lines, bottom=bottom: lines[15:23] != bottom or not asks(lines))  # type: ignore[misc]
        else:
            return people
    raise AssertionError("the game did not end:\n" + "\n".join(terminal.lines))


def _raise(terminal: Terminal, lines: list[str], mouse: bool) -> str:
    """Sits down; the curtain shows a name and nothing of any hand."""
    words = [line.strip() for line in lines if line.strip()]
    assert len(words) == 3, "\n".join(lines)
    terminal.click(40, 12) if mouse else terminal.type("\r")
    terminal.until(lambda lines: not drawn(lines))
    return words[0].partition(",")[0]
