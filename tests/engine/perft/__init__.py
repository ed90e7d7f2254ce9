"""The number of ways to take a given number of steps from fixed positions: a fingerprint of all rules at once.

Each `.txt` file beside this one is a position, with its counts in comments:

    # depth 1: 105
    # depth 2: 150

`python -m tests.engine.perft` counts again and rewrites them; if they change, the rules have changed.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.position_text import parse_position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.sealed_card import Faces

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.txt"))
_DEPTH = re.compile(r"^# depth (\d+): (\d+)$", re.MULTILINE)


def perft(rules: AnyRules, position: Any, faces: Faces, depth: int) -> int:
    """Return the number of lines with this many legal steps."""
    steps = rules.legal(position, faces)
    if depth == 1:
        return len(steps)
    return sum(perft(rules, rules.apply(position, step), faces, depth - 1) for step in steps)


def written_counts(text: str) -> dict[int, int]:
    return {int(depth): int(count) for depth, count in _DEPTH.findall(text)}


def counted(text: str) -> dict[int, int]:
    """Return the counts of a file's position, to the depths it names."""
    rules, position, faces = parse_position(text, rules_for)
    return {depth: perft(rules, position, faces, depth) for depth in written_counts(text)}


def with_counts(text: str, counts: dict[int, int]) -> str:
    return _DEPTH.sub(lambda found: f"# depth {found[1]}: {counts[int(found[1])]}", text)
