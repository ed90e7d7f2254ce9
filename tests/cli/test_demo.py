"""`demo` shows a game of three bots over a broker, and never leaves a process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.brokers import PATIENCE, until
from tests.tui.tiny import NAME, put_tiny_edition

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="counts processes as Linux shows them")


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def _below(pid: int) -> set[int]:
    """Return every process that descends from this one."""
    parents = {int(path.name): _parent(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdigit()}
    found = {pid}
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.long
def test_a_watcher_whose_input_ends_is_told_of_no_game_to_continue(tmp_path: Path) -> None:
    put_tiny_edition(tmp_path)
    words = ["demo", "--plain", "--edition", NAME, "--pace", "0.1", "--language", "en"]
    environment = os.environ | {"WASABI_TX_HOME": str(tmp_path)}
    demo = subprocess.run(
        [sys.executable, "-m", "wasabi_tx", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment,
        timeout=PATIENCE,
        text=True,
        check=True,
    )
    assert "the game begins" in demo.stdout
    assert "resume" not in demo.stdout


@pytest.mark.parametrize(
    "how", [pytest.param(signal.SIGKILL, id="kill"), pytest.param(signal.SIGINT, id="ctrl-c", marks=pytest.mark.long)]
)
def test_the_demo_leaves_no_process_behind(tmp_path: Path, how: signal.Signals) -> None:
    put_tiny_edition(tmp_path)
    words = ["demo", "--plain", "--edition", NAME, "--pace", "0.1", "--language", "en"]
    environment = os.environ | {"WASABI_TX_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "wasabi_tx", *words], stdout=subprocess.PIPE, env=environment, start_new_session=True
    ) as demo:
        assert demo.stdout is not None
        assert demo.stdout.readline(), "it shows something once its bots are there"
        until(lambda: len(_below(demo.pid)) >= 5, PATIENCE)
        children = _below(demo.pid)
        demo.send_signal(how)
        demo.wait(PATIENCE)
        until(lambda: not any(_alive(pid) for pid in children), PATIENCE)
    assert not list((tmp_path / "games").glob("*.wasabi")), "nothing of it is kept"
