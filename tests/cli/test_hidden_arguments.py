"""Secrets that are typed after a command are not in the list of processes while it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
from wasabi_tx.cli.hidden_arguments import hide_arguments
hide_arguments()
print(open("/proc/self/cmdline", "rb").read())
print(sys.argv[1:])
"""
INVITE = "wasabi://host:1/main/" + "a" * 26 + "#k=S3cret&h=" + "b" * 26


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep their list elsewhere")
@pytest.mark.parametrize(
    ("word", "shown"),
    [
        (INVITE, "wasabi://host:1/main/" + "a" * 26 + "#" + "*" * len(INVITE.partition("#")[2])),
        ("wasabi:pS3cret/host:1:.pS3cret", "wasabi:" + "*" * 23),
        ("mqtts://ana:S3cr/et@Pass@host:8883", "mqtts://" + "*" * 16 + "@host:8883"),
        ("mqtts://ana:S3cret@host#fp=abc", "mqtts://" + "*" * 10 + "@host#" + "*" * 6),
        ("--broker=mqtt://u:S3cret@h", "--broker=mqtt://" + "*" * 8 + "@h"),
        ("7-octopus-daikon", "7-**************"),
        ("7-octopus-daikon.", "7-**************."),
        ("plain#word@host", "plain#word@host"),
    ],
)
def test_only_secrets_are_hidden_and_the_program_still_has_them(word: str, shown: str) -> None:
    said = subprocess.run(
        [sys.executable, "-c", CODE, "watch", word, "ende"], capture_output=True, text=True, check=True
    )
    line, argv = said.stdout.splitlines()
    assert f"watch\\x00{shown}\\x00ende" in line
    assert argv == repr(["watch", word, "ende"])


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep their list elsewhere")
def test_a_running_command_shows_none(tmp_path: Path) -> None:
    environment = os.environ | {"WASABI_TX_HOME": str(tmp_path)}
    code = (
        "import sys, wasabi_tx.cli as cli; sys.argv[0] = 'wasabi-tx'; "
        "cli.wasabi_tx.main = lambda **_: print(open('/proc/self/cmdline').read(), flush=True); cli.run()"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, "join", INVITE], capture_output=True, text=True, env=environment, check=False
    )
    assert "#****" in said.stdout
    assert "S3cret" not in said.stdout
