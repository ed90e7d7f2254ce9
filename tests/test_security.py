"""SECURITY.md: every promise names its test or code, which exists; secrets are in no command-line arguments."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.attack import ATTACKS
from wasabi_tx.app.bot_processes import BotProcesses
from wasabi_tx.broker.child import OUTPUT, Child

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
ROWS = [row.strip("|").split("|") for row in TEXT.splitlines() if re.match(r"\| (?!promise|---)", row)]


def test_there_are_promises() -> None:
    assert len(ROWS) >= 10
    assert all(len(row) == 3 for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row[0].split()[:6]))
def test_every_promise_is_held_by_something_that_is_there(row: list[str]) -> None:
    named = re.findall(r"`([^`]+)`", row[2])
    assert named
    folder = ""
    for words in named:
        first, *more = words.split()
        if first.startswith("tests."):
            module = ROOT / first.replace(".", "/")
            command = module / "__main__.py" if module.is_dir() else module.with_suffix(".py")
            assert "__name__" in command.read_text(encoding="utf-8"), f"nobody can run {first}"
            assert set(more) <= set(ATTACKS), more
        elif first.startswith("tests/"):
            assert (ROOT / first).exists(), first
            folder = first.rpartition("/")[0]
        elif first.endswith(".py"):
            assert (ROOT / folder / first).is_file(), first
        else:
            assert re.fullmatch(r"[a-z]+/\*", first), first


@pytest.mark.skipif(os.name != "posix", reason="rights of files")
def test_what_a_broker_prints_is_readable_by_its_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        child = Child.start([sys.executable, "-c", "input()"], tmp_path)
        mode = stat.S_IMODE((tmp_path / OUTPUT).stat().st_mode)
        child.stop()
    finally:
        os.umask(before)
    assert mode == 0o600


def test_bots_that_we_start_get_the_invite_by_their_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    real = subprocess.Popen

    def note(words: list[str], **options: Any) -> subprocess.Popen[bytes]:
        started.append(words)
        return real([sys.executable, "-c", "import sys; print(sys.stdin.readline())"], **options)

    monkeypatch.setattr(subprocess, "Popen", note)
    bots = BotProcesses("normal")
    bots.start("wasabi:secret", 2)
    bots.stop()
    # Asking what machine this is may start a program too.
    assert len([words for words in started if words[0] == sys.executable]) == 2
    assert not any("secret" in word for words in started for word in words)
