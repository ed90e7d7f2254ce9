"""The tour's path of a move is the one that a move takes."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType

import pytest

from tests.online.world import World

ROOT = Path(__file__).parent.parent
FIRST, LAST = "wasabi_tx/online/client/client.py", "wasabi_tx/online/rules_adapter/log_events.py"
ELSEWHERE = {"wasabi_tx/online/saved/disk.py", "wasabi_tx/net/mqtt.py"}
"""Files that a virtual table replaces."""


def spine() -> list[str]:
    """Return the numbered files of the path, in order, from one client to the other."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    files = re.findall(r"(?m)^\| \d+ \| `([^`]+)` \|", text)
    return [file for file in files[files.index(FIRST) : files.index(LAST) + 1] if file not in ELSEWHERE]


@pytest.mark.long
def test_a_move_passes_the_files_of_the_tour_in_their_order() -> None:
    world = World.begun()
    passed: list[str] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            name = str(path.relative_to(ROOT))
            if not passed or passed[-1] != name:
                passed.append(name)

    sys.setprofile(note)
    try:
        world.wait(60)
    finally:
        sys.setprofile(None)
    where = iter(passed)
    missing = [file for file in spine() if file not in where]
    assert missing == []
