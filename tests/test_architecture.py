"""The tour's path of a move is the one that a move takes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from tests.online.world import World
from tests.tui.party import Party, english, until, wish
from tests.tui.player import Person
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.tui.screens.table.screen import TableScreen

ROOT = Path(__file__).parent.parent
FIRST, LAST = "wasabi_tx/online/client/client.py", "wasabi_tx/online/rules_adapter/log_events.py"
"""The first file and the last that run beside the screen, in the thread of the client."""
ELSEWHERE = {"wasabi_tx/online/saved/disk.py", "wasabi_tx/net/mqtt.py"}
"""Files that a virtual table replaces."""


def spine() -> list[str]:
    """Return the numbered files of the path, in order."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return re.findall(r"(?m)^\| \d+ \| `([^`]+)` \|", text)


@contextmanager
def traced() -> Iterator[list[str]]:
    """Note the files of the project in which this thread calls something, in order."""
    passed: list[str] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            name = str(path.relative_to(ROOT))
            if not passed or passed[-1] != name:
                passed.append(name)

    sys.setprofile(note)
    try:
        yield passed
    finally:
        sys.setprofile(None)


def missing(expected: list[str], passed: list[str]) -> list[str]:
    """Return the files that were not passed, or not in this order."""
    where = iter(passed)
    return [file for file in expected if file not in where]


@pytest.mark.long
async def test_a_move_passes_the_files_of_the_screen_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = spine()
    chosen, shown = files[: files.index(FIRST)], files[files.index(LAST) + 1 :]
    party = Party.at(tmp_path, monkeypatch)
    online = party.online()
    table = await online.host(wish(bots=1), english())
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:

        async def come() -> OnlineTable:
            return table

        def ours() -> bool:
            screen = app.screen
            return isinstance(screen, TableScreen) and hasattr(screen, "followed") and screen.followed.plan is not None

        try:
            app.visit(come())
            await until(pilot, ours)
            with traced() as passed:
                await Person(pilot, mouse=False).play_turn()
                await until(pilot, ours)
        finally:
            await party.close()
            await online.close()
    assert chosen, "rows of the screen come first"
    assert shown, "and last"
    assert missing([*chosen, *shown], passed) == []


@pytest.mark.long
def test_a_move_passes_the_files_between_two_clients_in_their_order() -> None:
    files = spine()
    world = World.begun()
    with traced() as passed:
        world.wait(60)
    between = [file for file in files[files.index(FIRST) : files.index(LAST) + 1] if file not in ELSEWHERE]
    assert missing(between, passed) == []
