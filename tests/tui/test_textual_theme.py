"""Terminals with few colours, or with none."""

from __future__ import annotations

import re
from pathlib import Path

from .terminal import BARE, HOME, SGR, Terminal, opened

RICH = re.compile(r"(?:^|;)[34]8(?:;|$)")
"""A colour beyond the sixteen: out of 256, or of any."""
PLAIN = re.compile(r"(?:^|;)(?:3[0-7]|4[0-7]|9[0-7]|10[0-7])(?:;|$)")


def looks(terminal: Terminal) -> list[str]:
    """Return every text style that was requested from the terminal."""
    return SGR.findall(terminal.written.decode(errors="replace"))


def visit(terminal: Terminal) -> None:
    """Begin a turn, open and close pages, and leave the app."""
    terminal.until(lambda lines: any("Play now" in line for line in lines))
    terminal.type("\r")
    terminal.until(lambda lines: "YOUR TURN" in lines[0])
    terminal.type("\r")
    for key in ("w", "r", "q", "\x1bOQ"):
        terminal.type(key)
        terminal.until(_page_is_open)
        terminal.type("\x1b")
        terminal.until(lambda lines: not _page_is_open(lines))
    terminal.type("\x03")
    assert terminal.ended() == 0


def _page_is_open(lines: list[str]) -> bool:
    return any("Esc close" in line or "Esc keep playing" in line for line in lines)


def test_sixteen_colours_are_enough(tmp_path: Path) -> None:
    with opened(tmp_path, HOME, TERM="xterm-16color") as terminal:
        visit(terminal)
        found = looks(terminal)
    assert [look for look in found if RICH.search(look)] == []
    assert any(PLAIN.search(look) for look in found)


def test_without_colours_everything_can_be_read(tmp_path: Path) -> None:
    with opened(tmp_path, HOME, NO_COLOR="1") as terminal:
        visit(terminal)
        found = looks(terminal)
    assert [look for look in found if not BARE.fullmatch(look)] == []


def test_an_empty_no_color_asks_for_nothing(tmp_path: Path) -> None:
    with opened(tmp_path, HOME, NO_COLOR="", COLORTERM="truecolor") as terminal:
        terminal.until(lambda lines: any("Play now" in line for line in lines))
        grounds = set(re.findall(r"48;2;(\d+);(\d+);(\d+)", " ".join(looks(terminal))))
    assert any(len(set(ground)) > 1 for ground in grounds), "more than greys"
