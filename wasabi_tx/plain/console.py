"""The console of a plain game: lines out, lines in."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import stat
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol, TextIO, TypeVar

from ..text.foreign import harmless

_ASCII = str.maketrans({"★": "*", "·": ".", "▒": "#", "►": ">", "◂": "<", "×": "x", "à": "a'", "è": "e'", "é": "e'",
                        "ì": "i'", "ò": "o'", "ù": "u'", "È": "E'"})  # fmt: skip
T = TypeVar("T")
_WIPE = "\x1b[2J\x1b[3J\x1b[H"


class WaitFor(Protocol):
    """Runs work that blocks until the person at the console answers."""

    async def __call__(self, work: Callable[[], T], /) -> T: ...


async def at_once(work: Callable[[], T], /) -> T:
    """Run the work here: nothing else has to go on meanwhile."""
    return work()


class InputEnded(Exception):
    """There is no more input: end of file, or an interrupt."""


class Console:
    """Prints and asks for cleaned lines. Characters that the target cannot write are simplified."""

    def __init__(self, source: TextIO, target: TextIO) -> None:
        self._source = source
        self._target = target
        self._screen = target.isatty() and os.environ.get("TERM") != "dumb"
        self._typed = source is sys.stdin and target is sys.stdout and source.isatty() and self._screen
        self.hears = _can_be_watched(source)
        """True if a line typed without a question is noticed."""
        if self._typed:
            _edit_lines()

    def print_lines(self, *lines: str) -> None:
        for line in lines:
            self._write(harmless(line) + "\n")
        self._target.flush()

    def say_all(self, lines: Iterable[str]) -> None:
        self.print_lines(*lines)

    def ask(self, mark: str = "> ") -> str:
        """Return the next line typed; raise `InputEnded` if there is none."""
        with _Interruptible():
            try:
                line = input(mark) if self._typed else self._read(mark)
            except (EOFError, KeyboardInterrupt, OSError, ValueError):
                self._write("\n")
                raise InputEnded from None
        return harmless(line)

    async def typed(self) -> None:
        """Wait until a line is typed without a question; forever if that cannot be noticed."""
        ready = asyncio.Event()
        if self.hears:
            asyncio.get_running_loop().add_reader(self._source, ready.set)
        try:
            await ready.wait()
        finally:
            if self.hears:
                asyncio.get_running_loop().remove_reader(self._source)

    def overheard(self) -> str | None:
        """Return a line typed without being asked for; None if it answered a question.

        Raise `InputEnded` if a person ends the input.

        A script whose lines have ended is still asked; until then nothing more is heard.
        """
        if not self.hears or not select.select([self._source], [], [], 0)[0]:
            return None
        with _Interruptible():
            try:
                return harmless(self._read(""))
            except (EOFError, KeyboardInterrupt, OSError, ValueError) as end:
                self.hears = False
                if self._source.isatty() or isinstance(end, KeyboardInterrupt):
                    raise InputEnded from None
        return None

    def _read(self, mark: str) -> str:
        self._write(mark)
        self._target.flush()
        line = read_line(self._source)
        if not line:
            raise EOFError
        if mark and not self._source.isatty():
            # Without a terminal, no Enter ends the line on the screen, and the next line would continue the prompt.
            self._write("\n")
        return line

    def wipe(self) -> None:
        """Clear the screen for the next person; do nothing where there is no screen."""
        if self._screen:
            self._write(_WIPE)
        if self._typed:
            _forget_lines()

    def _write(self, text: str) -> None:
        encoding = self._target.encoding or "utf-8"
        try:
            text.encode(encoding)
        except UnicodeEncodeError:
            text = text.translate(_ASCII).encode(encoding, "replace").decode(encoding)
        self._target.write(text)


def read_line(source: TextIO, most: int = -1) -> str:
    """Read one line; from a pipe or a terminal, read nothing after it, so that the rest can still be waited for."""
    if not _can_be_watched(source):
        return source.readline(most)
    line = b""
    while len(line) != most and not line.endswith(b"\n") and (more := os.read(source.fileno(), 1)):
        line += more
    return line.decode(source.encoding or "utf-8", "replace")


def _can_be_watched(source: TextIO) -> bool:
    """Return whether the operating system can report that there is something to read."""
    try:
        mode = os.fstat(source.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return os.name == "posix" and (source.isatty() or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


class _Interruptible:
    """Makes Ctrl-C end a waiting question at once, even inside an event loop."""

    def __enter__(self) -> None:
        self._before: signal.Handlers | object = None
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type]


def _edit_lines() -> None:
    """Enable line editing and a history for typed input, where the system has them."""
    with suppress(ImportError):
        import readline  # noqa: F401


def _forget_lines() -> None:
    """Clear the history, so that the next player does not see what the last one typed."""
    readline = sys.modules.get("readline")
    if readline is not None:
        readline.clear_history()
