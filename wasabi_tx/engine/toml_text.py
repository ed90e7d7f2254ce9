"""TOML text that somebody else may have written: read only if that takes bounded time."""

from __future__ import annotations

import tomllib
from typing import Any

LONGEST_LINE = 1_000
"""Characters. A key of n dotted parts takes time that grows with n squared, and one line can be the whole file."""


class BadToml(ValueError):
    """Text that is no TOML, or that nobody wrote by hand; `line` if it is known."""

    def __init__(self, detail: str, line: int = 0) -> None:
        super().__init__(detail)
        self.line = line


def read_toml(text: str) -> dict[str, Any]:
    """What the text says; `BadToml` if it cannot be read."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise BadToml(f"line {number} has more than {LONGEST_LINE} characters", number)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadToml(str(error)) from None
