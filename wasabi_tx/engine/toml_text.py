"""TOML and JSON text from anywhere: read only within bounds of size, depth and numbers."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from numbers import Real
from typing import Any

MOST_CHARACTERS = 1_000_000
LONGEST_LINE = 1_000
"""Characters. A key of n dotted parts takes time that grows with n squared, and one line can be the whole file."""
DEEPEST = 16
"""Tables and lists within one another."""
LARGEST = 2**63 - 1
"""The largest number, as in TOML. What is no number, or has no end, is not below it either."""


class BadToml(ValueError):
    """Text that, from this line on, is not TOML or nothing that a person would write."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class BadJson(ValueError):
    """The text is not JSON, or exceeds the bounds of what this program writes."""


def read_toml(text: str) -> dict[str, Any]:
    """Parse the text; raise `BadToml` if it cannot be read."""
    if len(text) > MOST_CHARACTERS:
        raise BadToml(1)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise BadToml(number)
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        named = re.search(r"at line (\d+)", str(error))
        # What ends too early is wrong from its last line on.
        raise BadToml(int(named[1]) if named else text.count("\n") + 1) from None
    if not _is_bounded(found):
        raise BadToml(_first_line(text, lambda part: _is_bounded(tomllib.loads(part))))
    return found


def _first_line(text: str, holds: Callable[[str], bool]) -> int:
    """Return the first line with which the text exceeds the bounds, by bisection."""
    lines = text.split("\n")
    low, high = 1, len(lines)
    while low < high:
        middle = (low + high) // 2
        try:
            good = holds("\n".join(lines[:middle]))
        except (ValueError, RecursionError):
            # In the middle of a value: whatever is wrong in it ends later.
            good = True
        low, high = (middle + 1, high) if good else (low, middle)
    return low


def read_json(text: str, most: int = MOST_CHARACTERS) -> Any:
    """Parse a text of at most `most` characters; raise `BadJson` if it cannot be read."""
    if len(text) > most:
        raise BadJson
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadJson from None
    if not _is_bounded(found):
        raise BadJson
    return found


def _is_bounded(found: object) -> bool:
    """Return whether nothing in it is too deep, and no number too large."""
    level = [found]
    for _ in range(DEEPEST + 1):
        below: list[object] = []
        for value in level:
            if isinstance(value, dict):
                below += value.values()
            elif isinstance(value, list):
                below += value
            elif isinstance(value, Real):
                number: Any = value
                if not -LARGEST <= number <= LARGEST:
                    return False
        if not below:
            return True
        level = below
    return False
