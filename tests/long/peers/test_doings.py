"""The doings of people at other machines appear on the others' screens, over a real broker."""

from __future__ import annotations

import re

import pytest

from tests.peers.program import Programs
from tests.ports import own_port


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
def test_who_is_killed_is_reconnecting_at_once_and_then_back(programs: Programs, private: bool) -> None:
    port = str(own_port())
    words = [
        "--edition",
        "short-classic",
        "--bind",
        "127.0.0.1",
        "--port",
        port,
        "--name",
        "Ann",
        "--plain",
    ]
    host = programs.start("ann", "host", *words, "--for", "friends" if private else "lobby", typed=None)
    play, watch = re.findall(r"wasabi:\S+", host.until(lambda said: said.count("wasabi:") == 2))
    guest = programs.start("bo", "join", play, "--name", "Bo", "--plain", typed=None)
    # A plain player hears nothing while a question waits for an answer.
    watcher = programs.start("eve", "watch", watch, "--plain", typed=None)
    for program in (host, guest, watcher):
        program.until(lambda said: "Type ? at any time" in said)
    guest.kill()
    watcher.until(lambda said: "Bo is reconnecting" in said)
    back = programs.start("bo", "resume", "--plain", typed=None)
    watcher.until(lambda said: "Bo is back" in said)
    assert back.running
