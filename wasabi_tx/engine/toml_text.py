"""TOML text from anywhere: read only if that takes bounded time."""

from __future__ import annotations

import re
import tomllib
from typing import Any

LONGEST_LINE = 1_000
"""Characters. A key of n dotted parts takes time that grows with n squared, and one line can be the whole file."""


class BadToml(ValueError):
    """From this line on the text is not TOML, or nothing that a person would write."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def read_toml(text: str) -> dict[str, Any]:
    """What the text says; `BadToml` if it cannot be read."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise BadToml(number)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = re.search(r"at line (\d+)", str(error))
        # What ends too early is wrong from its last line on.
        raise BadToml(int(found[1]) if found else text.count("\n") + 1) from None
