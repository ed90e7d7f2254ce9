"""The terminal and its abilities: size, colours, letters, and the width of the game's glyphs."""

from __future__ import annotations

import locale
import os
import re
import select
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

PATIENCE = 0.5
"""Seconds in which a terminal must report its cursor; some never do."""
_WHERE = b"\x1b[6n"
_HERE = re.compile(rb"\x1b\[(\d+);(\d+)R")


@dataclass(frozen=True, slots=True)
class Terminal:
    interactive: bool
    columns: int
    rows: int
    name: str
    colours: int
    encoding: str
    locale: str


def look_at_terminal(environment: Mapping[str, str] = os.environ) -> Terminal:
    size = shutil.get_terminal_size()
    return Terminal(
        sys.stdin.isatty() and sys.stdout.isatty(),
        size.columns,
        size.lines,
        environment.get("TERM", ""),
        count_colours(environment),
        (sys.stdout.encoding or "").lower(),
        next((environment[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(name)), ""),
    )


def count_colours(environment: Mapping[str, str]) -> int:
    """Return as many colours as the environment promises; 0 if colours are unwanted."""
    name = environment.get("TERM", "")
    if environment.get("NO_COLOR") or name == "dumb":
        return 0
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit") or environment.get("WT_SESSION"):
        return 1 << 24
    if os.name == "nt":
        return 1 << 24
    if "256" in name or name.endswith("kitty"):
        return 256
    return 16 if name else 0


def speaks_unicode() -> bool:
    """Return whether letters beyond ASCII can be written at all."""
    return "utf" in (sys.stdout.encoding or locale.getpreferredencoding(False)).lower()


def measure_glyphs(glyphs: Iterable[str]) -> dict[str, int] | None:
    """Return each glyph's width in columns, by asking the terminal for its cursor; None if it does not answer."""
    if sys.platform == "win32" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    import termios
    import tty

    keyboard, screen = sys.stdin.fileno(), sys.stdout.fileno()
    before = termios.tcgetattr(keyboard)
    widths: dict[str, int] = {}
    try:
        tty.setcbreak(keyboard)
        for glyph in glyphs:
            os.write(screen, b"\r" + glyph.encode() + _WHERE)
            column = _read_column(keyboard)
            if column is None:
                return None
            widths[glyph] = column - 1
    finally:
        os.write(screen, b"\r\x1b[K")
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
    return widths


def _read_column(keyboard: int) -> int | None:
    answer = b""
    while select.select([keyboard], [], [], PATIENCE)[0]:
        answer += os.read(keyboard, 64)
        found = _HERE.search(answer)
        if found:
            return int(found[2])
        if len(answer) > 1_000:
            break
    return None
