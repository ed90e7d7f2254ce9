"""A few pictures, chosen so that every size, theme, set of signs and language occurs; the rest is tested as text.

Everybody plays at random here, so that a better bot changes no picture. Look at what changed before taking it over with
`pytest tests/tui/test_snapshots.py --snapshot-update -n0`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wasabi_tx.app.settings import Settings
from wasabi_tx.tui.app import WasabiApp

from .memory_games import MemoryGames, app_at

Case = tuple[tuple[int, int], str, str, str, str, int, tuple[str, ...]]

CASES: dict[str, Case] = {
    "classic": ((80, 24), "omakase", "letters", "en", "classic", 14, ()),
    "held": ((80, 24), "high-contrast", "emoji", "it", "classic", 14, ("2",)),
    "large": ((120, 40), "washi", "emoji", "en", "classic", 18, ()),
    "huge": ((160, 50), "natural", "letters", "it", "master", 14, ()),
    "small": ((40, 15), "terminal", "letters", "en", "master", 10, ()),
    "plain": ((80, 24), "monochrome", "ascii", "it", "master", 10, ()),
    "book": ((80, 24), "washi", "letters", "it", "classic", 14, ("r",)),
    "leaving": ((120, 40), "izakaya", "ascii", "en", "classic", 10, ("q",)),
}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the turn's clock, which a slow picture would otherwise contain."""
    monkeypatch.setattr("wasabi_tx.tui.screens.table.screen.monotonic", lambda: 0.0)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.long
def test_picture_of_the_table(case: str, snap_compare: Callable[..., bool]) -> None:
    size, theme, glyphs, language, edition, turn, keys = CASES[case]
    settings = Settings(language, theme, glyphs, reduced_motion=True, bell=False)
    app = app_at(turn, edition=edition, seed="picture", settings=settings, language=language, careful=False)
    assert snap_compare(app, terminal_size=size, press=keys)


@pytest.mark.parametrize("language", ["en", "it"])
def test_picture_of_the_home_screen(language: str, snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(WasabiApp(MemoryGames(), language=language), terminal_size=(80, 24))
