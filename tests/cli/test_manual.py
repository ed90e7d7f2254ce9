"""The manual page says what the commands say."""

from __future__ import annotations

from click.testing import CliRunner

from wasabi_tx.cli import COMMANDS, wasabi_tx


def test_the_manual_page_has_every_command_and_option() -> None:
    shown = CliRunner().invoke(wasabi_tx, ["manual"]).output.replace("\\-", "-")
    for command in COMMANDS:
        assert f".SS wasabi-tx {command}" in shown
    assert "--edition" in shown
    assert not [line for line in shown.splitlines() if line.startswith("'")]
