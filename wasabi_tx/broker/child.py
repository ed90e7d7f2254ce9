"""A child process that dies with its parent, whatever ends the parent."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ..text.os_problem import OsProblem, os_problem

LEASH = Path(__file__).with_name("leash.py")
OUTPUT = "output.log"
PATIENCE = 5.0
"""Seconds to wait for an end; longer than the leash waits for the program."""


class ChildFailed(Exception):
    """The program could not be run at all; `problem` is the reason."""

    def __init__(self, problem: OsProblem) -> None:
        super().__init__(problem)
        self.problem = problem


class Child:
    """A running program; methods block only briefly, `stop` for seconds if the program is stubborn."""

    def __init__(self, process: subprocess.Popen[bytes], pid: int, folder: Path, job: object = None) -> None:
        self.pid = pid
        self._folder = folder
        self._process = process
        # The handle lives as long as this object; Windows ends the program when the last handle is closed.
        self._job = job

    @classmethod
    def start(cls, command: list[str], folder: Path, variables: Mapping[str, str] | None = None) -> Child:
        """Run the program; `folder` is its own, contains its output, and is removed after `stop` or our own death.

        `variables` are added to its environment.
        """
        environment = os.environ | (variables or {})
        # The broker's output is readable by this user alone.
        descriptor = os.open(folder / OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "ab") as output:
            try:
                if sys.platform == "win32":
                    from .windows_job import start_in_job

                    process, job = start_in_job(command, output.fileno(), environment)
                    return cls(process, process.pid, folder, job)
                return cls._start_on_leash(command, folder, output.fileno(), environment)
            except OSError as error:
                raise ChildFailed(os_problem(error)) from None

    @classmethod
    def _start_on_leash(cls, command: list[str], folder: Path, output: int, environment: Mapping[str, str]) -> Child:
        words = [sys.executable, "-I", "-S", str(LEASH), str(folder), *command]
        pipe = subprocess.PIPE
        process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=output, env=environment)
        assert process.stdout is not None
        with process.stdout as answer:
            pid = answer.readline()
        if not pid.strip().isdigit():
            process.kill()
            process.wait()
            raise ChildFailed(OsProblem.OTHER)
        return cls(process, int(pid), folder)

    def running(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        """End the program and remove its folder."""
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        else:
            self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)
