"""A reader who knows nothing but the screen, of any size and in any language, and plays what it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wasabi_tx.text import Texts
from wasabi_tx.tui.ascii_signs import in_ascii

from .terminal import Terminal

ENGLISH = Texts("en")
BARS = ("▌", "|")
"""The first sign of the action bar's rows; the second one is for ASCII."""
DOTS = "·•+."
"""The signs of an empty square, with colours and without."""


def bar(lines: list[str]) -> list[int]:
    """Return the rows with the question and the effect of Enter: one to three, above the keys."""
    rows: list[int] = []
    for y in range(len(lines) - 2, len(lines) - 5, -1):
        if not lines[y].startswith(BARS):
            break
        rows.insert(0, y)
    return rows


def asked(lines: list[str]) -> str:
    """Return the text of the action bar."""
    return " ".join(lines[y][1:].strip() for y in bar(lines)).strip()


def _says(lines: list[str], words: str) -> bool:
    return any(one in line for line in lines for one in (words, in_ascii(words)))


def asks(lines: list[str], texts: Texts = ENGLISH) -> bool:
    """Return whether the person here has to choose something."""
    thinking = (texts.say("tui.thinking"), texts.say("tui.waits", name="").strip())
    question = asked(lines)
    return (
        _says(lines[:1], texts.say("tui.your-turn"))
        and bool(question)
        and not any(_says([question], one) for one in thinking)
    )


def drawn(lines: list[str], texts: Texts = ENGLISH) -> bool:
    """Return whether the curtain hides the table."""
    how = texts.say("tui.curtain", name="", key=texts.say("tui.key.enter")).splitlines()[-1]
    return _says(lines, how)


def over(lines: list[str], texts: Texts = ENGLISH) -> bool:
    """Return whether the page at the end of a game is shown."""
    return _says(lines, texts.say("ending.made").upper())


def mine(lines: list[str], texts: Texts = ENGLISH) -> bool:
    """Return whether the person has to act, or the game is over."""
    return asks(lines, texts) or drawn(lines, texts) or over(lines, texts)


def free(lines: list[str]) -> tuple[str, int, int] | None:
    """Return the name of the first square that is drawn empty, and the place of its dot."""
    return next(_free_squares(lines), None)


def _free_squares(lines: list[str]) -> Iterator[tuple[str, int, int]]:
    head = re.match(r"[ ▀▄]+a([ ▀▄]+[b-g])+", lines[1])
    assert head is not None, lines[1]
    labels = [y for y, line in enumerate(lines[2:], 2) if re.match(r" ?\d ", line)]
    labels = [y for number, y in enumerate(labels, 1) if lines[y][:2].strip() == str(number)]
    for y, below in zip(labels, [*labels[1:], len(lines)], strict=True):
        for letter in re.finditer("[a-g]", head[0]):
            for row in range(y, min(below, y + 2)):
                near = lines[row][letter.start() - 1 : letter.start() + 2]
                dot = next((at for at, sign in enumerate(near) if sign in DOTS), None)
                if dot is not None:
                    yield letter[0] + lines[y][:2].strip(), letter.start() - 1 + dot, row


def answer(terminal: Terminal, lines: list[str], mouse: bool, texts: Texts = ENGLISH) -> None:
    """Do what a person who knows only the screen would do next: follow the bar, or put a tile on a square."""
    question, enter = asked(lines), f" {texts.say('tui.key.enter')} "
    holding = [texts.say(f"bar.{one}", tile="").strip() for one in ("hold", "pantry")]
    holds = question.startswith((*holding, *map(in_ascii, holding)))
    square = free(lines) if holds else None
    button = next((y for y in bar(lines) if enter in lines[y]), None)
    if square is not None:
        name, x, y = square
        terminal.click(x, y) if mouse else terminal.type(name)
    elif button is not None:
        terminal.click(lines[button].index(enter) + 1, button) if mouse else terminal.type("\r")
    else:
        raise AssertionError("\n".join(lines))


def play_on(terminal: Terminal, mouse: bool, texts: Texts = ENGLISH, most: int = 900) -> set[str]:
    """Play for everybody at this screen until the game is over; return those who raised a curtain."""
    people: set[str] = set()
    for _ in range(most):
        terminal.until(lambda lines: mine(lines, texts))
        terminal.settle()
        lines = list(terminal.until(lambda lines: mine(lines, texts)))
        if drawn(lines, texts):
            people.add(_raise(terminal, lines, mouse, texts))
        elif asks(lines, texts):
            question = asked(lines).partition(f" {texts.say('tui.key.enter')} ")[0]
            assert "…" not in question, "\n".join(lines)
            answer(terminal, lines, mouse, texts)
            terminal.until(lambda now, lines=lines: now[1:] != lines[1:] or not asks(now, texts))  # type: ignore[misc]
        else:
            return people
    raise AssertionError("the game did not end:\n" + "\n".join(terminal.lines))


def _raise(terminal: Terminal, lines: list[str], mouse: bool, texts: Texts) -> str:
    """Sit down, after checking that the curtain shows a name and nothing of any hand."""
    words = [line.strip() for line in lines if line.strip()]
    assert len(words) in (4, 5), "\n".join(lines)
    terminal.click(40, 12) if mouse else terminal.type("\r")
    terminal.until(lambda lines: not drawn(lines, texts))
    return words[0].partition(",")[0]
