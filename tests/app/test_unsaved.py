"""Games in folders that cannot be written: they are played all the same, and announce that they are not saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from wasabi_tx.app.local_games import LocalGames
from wasabi_tx.app.values import GameWish
from wasabi_tx.text import Texts


def test_a_game_that_cannot_be_saved_is_played_with_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    (tmp_path / "games").write_text("a file where the folder should be")
    opened = LocalGames("en").start(GameWish(), Texts("en"))
    assert opened.game.position.outcome is None
    assert "not saved" in opened.warning
    again = LocalGames("en").again(opened, Texts("en"))
    assert "not saved" in again.warning
    opened.close()
