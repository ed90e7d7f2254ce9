"""`wasabi-tx join` before anybody is asked for a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from wasabi_tx.app.failure import Failure
from wasabi_tx.cli import invite_argument, on_terminal, wasabi_tx
from wasabi_tx.text import Texts


@pytest.mark.parametrize("invite", ["wasabi:oq4ngxxzcp5py", "wasabi:"])
def test_a_broken_invite_is_told_before_a_name_is_asked(
    invite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invite_argument, "on_terminal", lambda: True)
    env = {"WASABI_TX_HOME": str(tmp_path), "WASABI_TX_LANG": "en"}
    said = CliRunner().invoke(wasabi_tx, ["join", invite], input="Zoe\n", env=env)
    assert said.exit_code == 1
    assert "Your name" not in said.output
    assert list(tmp_path.rglob("settings.toml")) == []


def test_a_code_is_checked_too() -> None:
    with pytest.raises(Failure):
        invite_argument.check_invite("7-nosuchword-nosuchword", Texts("en"))


@pytest.mark.parametrize(("term", "screen"), [("dumb", False), ("xterm", True)])
def test_a_terminal_that_cannot_place_its_cursor_gets_lines(
    term: str, screen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", term)
    assert on_terminal() == screen
