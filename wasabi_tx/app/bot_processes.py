"""Bots that play along as separate processes; they end when this process does, however it ends."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from itertools import cycle

from ..view.names import BOT_NAMES, RIVALS

_logger = logging.getLogger(__name__)


class BotProcesses:
    """Child `wasabi-tx bot` processes on a leash: each reads a pipe whose other end only we hold."""

    def __init__(
        self,
        level: str,
        rivals: Sequence[str] = (),
        *,
        pace: float = 0.0,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Set up the bots: the rivals come first, the others at random, each with its usual character.

        A rival is a name (empty for a random one), perhaps with a level of its own after a colon.
        """
        self._level = level
        self._words = ["--pace", str(pace)] if pace else []
        self._environment = None if environment is None else os.environ | environment
        self._children: list[subprocess.Popen[bytes]] = []
        named = [rival.partition(":")[::2] for rival in rivals]
        lot = [name for name in BOT_NAMES if name not in dict(named)]
        random.shuffle(lot)
        # No two of them have the same name.
        first = [(name or lot.pop(), own) for name, own in named]
        self._bots = cycle([*first, *((name, "") for name in lot)])

    def open(self, words: list[str]) -> str:
        """Let one bot open a table, and return the line it prints about it; empty if it could not."""
        host = self._launch(["--new", *self._next(), *words], "", subprocess.PIPE)
        assert host.stdout is not None
        return host.stdout.readline().decode()

    def start(self, invite: str, count: int) -> None:
        """Start more bots for a table. The invite goes through the pipe, so that no process list shows it."""
        for _ in range(count):
            self._launch(self._next(), invite)

    def _next(self) -> list[str]:
        """Return the command-line options of the next bot."""
        name, level = next(self._bots)
        character = RIVALS.get(name)
        return [
            "--level",
            level or self._level,
            *self._words,
            "--name",
            name,
            *(["--character", character] if character else []),
        ]

    def resume(self, seats: list[str]) -> None:
        """Restart our bots that were at a table."""
        for seat in seats:
            self._launch(["--seat", seat], "")

    def _launch(self, words: list[str], line: str, output: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [sys.executable, "-m", "wasabi_tx", "bot", "--leash", "--json", *words],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=self._environment,
        )
        assert child.stdin is not None
        with contextlib.suppress(OSError):
            child.stdin.write(line.encode() + b"\n")
            child.stdin.flush()
        _logger.info("a bot runs as process %d", child.pid)
        self._children.append(child)
        return child

    def stop(self) -> None:
        """Close the pipes and wait until all bots have ended."""
        for child in self._children:
            assert child.stdin is not None
            with contextlib.suppress(OSError):
                child.stdin.close()
        for child in self._children:
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                _logger.warning("the bot in process %d does not end by itself", child.pid)
                child.kill()
                child.wait()
            if child.stdout is not None:
                child.stdout.close()
        self._children.clear()


def end_with_input() -> None:
    """End this process cleanly when its standard input ends, because the process at the other end is gone."""

    def watch() -> None:
        # Not through sys.stdin, whose lock would be held when the interpreter ends.
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="leash", daemon=True).start()
