"""A key and what it does, as lines of keys show it."""

from __future__ import annotations

from typing import NamedTuple

from ...view.press import Press
from ..canvas import BOLD
from .sheet import Sheet


class KeyHint(NamedTuple):
    keys: str
    words: str
    press: Press | None = None


def write_hint(sheet: Sheet, x: int, y: int, hint: KeyHint) -> int:
    """Write a clickable hint such as `w watch`; return the column after it."""
    left = x
    x = sheet.write(x, y, hint.keys, "text", BOLD)
    x = sheet.write(x, y, f" {hint.words}", "muted")
    if hint.press is not None:
        sheet.canvas.click(left, y, x - left, 1, hint.press)
    return x
