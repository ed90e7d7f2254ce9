"""The README is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.lab.pictures.__main__ import HERE, IN_README
from tests.lab.pictures.scenes import take
from wasabi_tx.cli import COMMANDS, wasabi_tx

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", IN_README)
async def test_a_picture_is_what_the_app_shows(name: str) -> None:
    """Compare with the app; `python -m tests.lab.pictures` redraws them."""
    file = HERE / f"{name}.svg"
    assert str(file.relative_to(README.parent)) in TEXT
    assert file.read_text(encoding="utf-8") == await take(IN_README[name])


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`wasabi-tx ([a-z]+)", TEXT))))
def test_every_command_that_it_names_exists(command: str) -> None:
    assert CliRunner().invoke(wasabi_tx, [command, "--help"]).exit_code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    shown = CliRunner().invoke(wasabi_tx, [command, "--help"])
    assert shown.exit_code == 0
    assert "Usage" in shown.output


def test_without_a_terminal_the_program_alone_shows_its_help() -> None:
    shown = CliRunner().invoke(wasabi_tx, [])
    assert shown.exit_code == 0
    assert "Commands" in shown.output
