"""CONTRIBUTING's tour stays true: the files and functions that one move passes are there, and few enough to read."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROW = re.compile(r"\| (\d+) \| `([^`]+)` \| (.+) \|")
MOST = 20
"""Files on the spine."""


def test_one_move_passes_few_files_which_do_what_the_tour_says() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = ROW.findall(text[text.index("### One move") : text.index("## Words")])
    assert [int(number) for number, _, _ in rows] == list(range(1, len(rows) + 1))
    assert 10 < len(rows) <= MOST
    for _, path, words in rows:
        source = (ROOT / path).read_text(encoding="utf-8")
        for name in re.findall(r"`(\w+)`", words):
            assert re.search(rf"\b{name}\b", source), (path, name)
