"""Running the app: what is loaded before its first screen, and what an error leaves."""

from __future__ import annotations

import subprocess
import sys

import pytest

from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.home import HomeScreen

from .memory_games import MemoryGames

HOME = """
import sys
import wasabi_tx.app.local_games
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.run import run_home
app = WasabiApp(wasabi_tx.app.local_games.LocalGames("en"), language="en")
app.first_screen()
print("\\n".join(sys.modules))
"""
LATER = ("wasabi_tx.engine.editions", "wasabi_tx.games", "wasabi_tx.net", "wasabi_tx.bots", "wasabi_protocol")
"""Packages that the home screen does not import."""
NAMES = ("wasabi_tx.bots", "wasabi_tx.bots.level_names")
"""The home screen needs the names of levels, not the bots themselves."""


def test_home_is_there_before_rules_games_and_network_are_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", HOME], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "wasabi_tx.tui.screens.home" in loaded
    assert [name for name in loaded if name.startswith(LATER) and name not in NAMES] == []


def test_a_game_on_this_machine_is_shown_without_the_protocol() -> None:
    table = 'import sys, wasabi_tx.tui.screens.table.screen; print("\\n".join(sys.modules))'
    done = subprocess.run([sys.executable, "-c", table], capture_output=True, text=True, check=True)
    online = ("wasabi_tx.online", "wasabi_protocol", "nacl")
    assert [name for name in done.stdout.split() if name.startswith(online)] == []


async def test_an_error_prints_no_traceback_over_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(HomeScreen, "compose", lambda _: 1 / 0)
    app = WasabiApp(MemoryGames(), language="en")
    await app.run_async(headless=True)
    assert app.return_code == 1
    assert capsys.readouterr() == ("", "")
