"""`wasabi-tx` as a process with its own home, and a helper that reads its output and types."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import IO, Any

from tests.tui.short import put_short_editions

PATIENCE = 120.0
"""Seconds that anything may take on a busy machine; nobody waits for longer than it takes."""
Limits = Callable[[], None]
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Program:
    """A running command; its output is read continuously, so that it never blocks."""

    def __init__(
        self,
        home: Path,
        words: list[str],
        typed: str | None = "",
        limits: Limits | None = None,
        broker: str = "",
        terminal: bool = False,
        inside: Sequence[str] = (),
    ) -> None:
        """Start a command; `typed` is its whole standard input, or None to type later. The broker is in the
        environment.

        `inside` are words before the command, which run it somewhere else.

        In a terminal both outputs are one, without the codes that only move the cursor.
        """
        self.home = home
        self.words = words
        self._said = {"out": "", "err": ""}
        self._news = threading.Condition()
        environment = os.environ | {"WASABI_TX_HOME": str(home), "LC_ALL": "C.UTF-8", "WASABI_TX_BROKER": broker}
        master, slave = pty.openpty() if terminal else (None, subprocess.PIPE)
        self._process = subprocess.Popen(
            [*inside, sys.executable, "-m", "wasabi_tx", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
            preexec_fn=limits,
        )
        if master is not None:
            os.close(slave)
            self._keys: IO[bytes] = os.fdopen(os.dup(master), "wb", buffering=0)
            self._readers = [self._reader("out", os.fdopen(master, "rb", buffering=0))]
        else:
            out, err, keys = self._process.stdout, self._process.stderr, self._process.stdin
            assert out is not None
            assert err is not None
            assert keys is not None
            self._keys = keys
            self._readers = [self._reader("out", out), self._reader("err", err)]
        if typed is not None:
            self.type(typed)
            self.hang_up()

    def _reader(self, name: str, pipe: IO[bytes]) -> threading.Thread:
        def read() -> None:
            # A terminal whose program has ended raises an error where a pipe just ends.
            with pipe, suppress(OSError):
                while data := os.read(pipe.fileno(), 65_536):
                    with self._news:
                        self._said[name] += CODES.sub("", data.decode().replace("\r", ""))
                        self._news.notify_all()
            with self._news:
                self._news.notify_all()

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        return thread

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def out(self) -> str:
        return self._said["out"]

    @property
    def err(self) -> str:
        return self._said["err"]

    @property
    def trace(self) -> str:
        """The end of its log for bug reports; a user is only shown its path."""
        log = self.home / "wasabi-tx.log"
        return log.read_text()[-4000:] if log.exists() else ""

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    @property
    def json(self) -> list[dict[str, Any]]:
        """Its standard output, which must be JSON lines and nothing else."""
        lines = [json.loads(line) for line in self.out.splitlines()]
        assert all(isinstance(line, dict) for line in lines)
        return lines

    def until(self, condition: Callable[[str], bool], seconds: float = PATIENCE) -> str:
        """Wait until its output so far satisfies the condition."""
        limit = monotonic() + seconds
        with self._news:
            while not condition(self.out):
                ended = not any(reader.is_alive() for reader in self._readers)
                assert not ended, f"{self.words} ended with {self._process.poll()}: {self.out[-2000:]}{self.err}"
                assert self._news.wait(limit - monotonic()), f"{self.words} said only: {self.out[-2000:]}{self.err}"
            return self.out

    def line(self, number: int = 0) -> str:
        """Return one whole line of its standard output, once it is there."""
        return self.until(lambda said: said.count("\n") > number).splitlines()[number]

    def type(self, text: str) -> None:
        with suppress(OSError):
            self._keys.write(text.encode())
            self._keys.flush()

    def hang_up(self) -> None:
        """Close its standard input."""
        with suppress(OSError):
            self._keys.close()

    def ended(self, seconds: float = PATIENCE) -> int:
        """Return its exit code, once it has ended by itself and all its output was read."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.words} did not end: {self.out[-2000:]}{self.err}") from None
        for reader in self._readers:
            reader.join()
        self.hang_up()
        return code

    def signal(self, number: signal.Signals) -> None:
        """Send a signal as a terminal does: to the command and everything in its process group."""
        os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """Kill this one process with kill -9, and return when it is gone."""
        self._process.kill()
        self.ended()


class Programs:
    """Starts commands below a folder, each person with their own home."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: list[Program] = []

    def home(self, name: str) -> Path:
        """Return a person's home; it is created with the short editions in it."""
        home = self._folder / name
        if not home.exists():
            put_short_editions(home)
        return home

    def start(
        self,
        name: str,
        *words: str,
        typed: str | None = "",
        limits: Limits | None = None,
        broker: str = "",
        terminal: bool = False,
        inside: Sequence[str] = (),
    ) -> Program:
        program = Program(self.home(name), list(words), typed, limits, broker, terminal, inside)
        self._started.append(program)
        return program

    def run(self, name: str, *words: str, typed: str = "", limits: Limits | None = None) -> tuple[int, Program]:
        """Run a command to its end."""
        program = self.start(name, *words, typed=typed, limits=limits)
        return program.ended(), program

    def stop(self) -> None:
        """Kill the processes that a failed test left behind."""
        for program in self._started:
            if program.running:
                program.kill()


@contextmanager
def programs_below(folder: Path) -> Iterator[Programs]:
    programs = Programs(folder)
    try:
        yield programs
    finally:
        programs.stop()


def games(home: Path) -> list[Path]:
    return sorted((home / "games").glob("*.wasabi"))


def game_file(home: Path) -> Path:
    """Return the one game that was played from a home."""
    (path,) = games(home)
    return path
