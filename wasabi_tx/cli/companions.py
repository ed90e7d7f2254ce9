"""Bots that play along as processes of their own; they end when this one does, however it ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading


class BotProcesses:
    """Child `wasabi-tx bot` processes on a leash: each holds a pipe whose other end only we have."""

    def __init__(self, level: str) -> None:
        self._level = level
        self._children: list[subprocess.Popen[bytes]] = []

    def start(self, invite: str, count: int) -> None:
        """So many more bots for a table. The invite goes through the pipe: no process list shows it."""
        for _ in range(count):
            self._launch(["--level", self._level], invite)

    def resume(self, seats: list[str]) -> None:
        """Bots of ours that were at a table go on."""
        for seat in seats:
            self._launch(["--seat", seat], "")

    def _launch(self, words: list[str], line: str) -> None:
        child = subprocess.Popen(
            [sys.executable, "-m", "wasabi_tx", "bot", "--leash", "--json", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert child.stdin is not None
        with contextlib.suppress(OSError):
            child.stdin.write(line.encode() + b"\n")
            child.stdin.flush()
        self._children.append(child)

    def stop(self) -> None:
        """Lets go of the leashes and waits until all are gone."""
        for child in self._children:
            assert child.stdin is not None
            with contextlib.suppress(OSError):
                child.stdin.close()
        for child in self._children:
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self._children.clear()


def end_with_input() -> None:
    """Ends this process, in order, when its standard input does: whoever holds the other end is gone."""

    def watch() -> None:
        # Not through sys.stdin, whose lock would be held when the interpreter ends.
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="leash", daemon=True).start()
