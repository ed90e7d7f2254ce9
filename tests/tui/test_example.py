"""The example of a new screen in CONTRIBUTING runs exactly as written there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
from textual.widgets import Digits

from wasabi_tx.tui.app import WasabiApp

from .memory_games import MemoryGames

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"


async def test_the_screen_that_contributing_shows_counts_and_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = dict(
        re.findall(r"^```(python|css)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    )
    (tmp_path / "tally.tcss").write_text(blocks["css"], encoding="utf-8")
    (tmp_path / "tally.py").write_text(blocks["python"], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    tally = import_module("tally")
    app = WasabiApp(MemoryGames(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(tally.TallyScreen())
        await pilot.press("space", "space")
        await pilot.pause()
        digits = app.screen.query_one(Digits)
        assert (app.screen.counted, digits.value) == (2, "2")  # type: ignore[attr-defined]
        assert digits.styles.color.hex.lower() == app.current_theme.variables["points"]
        assert digits.region.x > 0, "it is in the middle"
        await pilot.press("escape")
        await pilot.pause()
        assert type(app.screen).__name__ == "HomeScreen"
