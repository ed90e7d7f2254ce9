"""`wasabi-tx` as a process of its own, with a home of its own, and somebody who reads along and types."""

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
    """A running command; what it says is read as it comes, so that it never waits for its reader."""

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
        """`typed` is its whole standard input; with None one types later. The broker comes by the environment.

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
            # A terminal whose program has ended gives an error where a pipe just ends.
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
        """What it keeps for bug reports; a user is only told where."""
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
        """Waits until what it has printed so far satisfies."""
        limit = monotonic() + seconds
        with self._news:
            while not condition(self.out):
                ended = not any(reader.is_alive() for reader in self._readers)
                assert not ended, f"{self.words} ended with {self._process.poll()}: {self.out[-2000:]}{self.err}"
                assert self._news.wait(limit - monotonic()), f"{self.words} said only: {self.out[-2000:]}{self.err}"
            return self.out

    def line(self, number: int = 0) -> str:
        """One whole line of its standard output, once it is there."""
        return self.until(lambda said: said.count("\n") > number).splitlines()[number]

    def type(self, text: str) -> None:
        with suppress(OSError):
            self._keys.write(text.encode())
            self._keys.flush()

    def hang_up(self) -> None:
        """Its standard input ends."""
        with suppress(OSError):
            self._keys.close()

    def ended(self, seconds: float = PATIENCE) -> int:
        """Its exit code, once it has ended by itself and all that it said was read."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.words} did not end: {self.out[-2000:]}{self.err}") from None
        for reader in self._readers:
            reader.join()
        self.hang_up()
        return code

    def signal(self, number: signal.Signals) -> None:
        """As a terminal does: to the command and whatever it started in its own group."""
        os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """kill -9 of this one process; returns when it is gone."""
        self._process.kill()
        self.ended()


class Programs:
    """Starts commands below a folder, each person with a home of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: list[Program] = []

    def home(self, name: str) -> Path:
        """A person's home; made with the short editions in it."""
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
        """Runs a command to its end."""
        program = self.start(name, *words, typed=typed, limits=limits)
        return program.ended(), program

    def stop(self) -> None:
        """Ends what a failed test left behind."""
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
    """The one game that was played from a home."""
    (path,) = games(home)
    return path
