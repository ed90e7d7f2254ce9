"""A shell completes what the program knows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from wasabi_tx.cli import wasabi_tx

ASK = """
{script}
COMP_WORDS=(wasabi-tx {words})
COMP_CWORD={last}
_wasabi_tx_completion wasabi-tx
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("words", "expected"), [("re", {"record", "replay", "resume", "review"}), ("play --edi", {"--edition"})]
)
def test_bash_completes_commands_and_options(words: str, expected: set[str], tmp_path: Path) -> None:
    script = CliRunner().invoke(wasabi_tx, ["completions", "bash"]).output
    program = tmp_path / "wasabi-tx"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m wasabi_tx "$@"\n')
    program.chmod(0o755)
    asked = ASK.format(script=script, words=words, last=len(words.split()))
    shown = subprocess.run(
        ["bash", "-c", asked], env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, text=True, check=True
    )
    assert set(shown.stdout.split()) == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_that_asks_the_program(shell: str) -> None:
    shown = CliRunner().invoke(wasabi_tx, ["completions", shell])
    assert shown.exit_code == 0
    assert f"_WASABI_TX_COMPLETE={shell}_complete" in shown.output
