"""What the README says is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.picture import README, picture_in, take_picture
from wasabi_tx.cli import COMMANDS, wasabi_tx

TEXT = README.read_text(encoding="utf-8")


async def test_the_picture_is_what_the_app_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    # However long it takes: after ten seconds of a turn its clock would be in the picture.
    monkeypatch.setattr("wasabi_tx.tui.screens.table.screen.monotonic", lambda: 0.0)
    assert picture_in(TEXT) == await take_picture()


def test_every_command_that_it_names_exists() -> None:
    named = set(re.findall(r"`wasabi-tx ([a-z]+)", TEXT))
    assert named <= set(COMMANDS)
    assert {"play", "resume", "replay", "simulate", "editions", "themes", "locate"} <= named


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    shown = CliRunner().invoke(wasabi_tx, [command, "--help"])
    assert shown.exit_code == 0
    assert "Usage" in shown.output


def test_the_checks_run_the_command_that_it_gives() -> None:
    run = (Path(README).parent / ".ci" / "run").read_text(encoding="utf-8")
    assert "<!-- test command -->" in TEXT
    assert "<!-- test command -->" in run
    assert "python -m tests" in TEXT


def test_without_a_terminal_the_program_alone_shows_its_help() -> None:
    shown = CliRunner().invoke(wasabi_tx, [])
    assert shown.exit_code == 0
    assert "Commands" in shown.output
