"""The console of a plain game: lines out, lines in."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import stat
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from ..text.foreign import harmless

_ASCII = str.maketrans({"★": "*", "·": ".", "▒": "#", "►": ">", "◂": "<", "×": "x", "à": "a'", "è": "e'", "é": "e'",
                        "ì": "i'", "ò": "o'", "ù": "u'", "È": "E'"})  # fmt: skip
_WIPE = "\x1b[2J\x1b[3J\x1b[H"


class InputEnded(Exception):
    """There is no more input: its end, or an interrupt."""


class Console:
    """Says lines and asks for lines, harmless ones. What the target cannot write is written with simpler characters."""

    def __init__(self, source: TextIO, target: TextIO) -> None:
        self._source = source
        self._target = target
        self._screen = target.isatty() and os.environ.get("TERM") != "dumb"
        self._typed = source is sys.stdin and target is sys.stdout and source.isatty() and self._screen
        self.hears = _can_be_watched(source)
        """Whether a line is noticed that is typed while nothing is asked."""
        if self._typed:
            _edit_lines()

    def say(self, *lines: str) -> None:
        for line in lines:
            self._write(harmless(line) + "\n")
        self._target.flush()

    def say_all(self, lines: Iterable[str]) -> None:
        self.say(*lines)

    def ask(self, mark: str = "> ") -> str:
        """The next line that is typed; `InputEnded` if there is none."""
        with _Interruptible():
            try:
                line = input(mark) if self._typed else self._read(mark)
            except (EOFError, KeyboardInterrupt, OSError, ValueError):
                self._write("\n")
                raise InputEnded from None
        return harmless(line)

    async def typed(self) -> None:
        """Returns when a line was typed that nothing asked for; never, if that is not to be noticed."""
        ready = asyncio.Event()
        if self.hears:
            asyncio.get_running_loop().add_reader(self._source, ready.set)
        try:
            await ready.wait()
        finally:
            if self.hears:
                asyncio.get_running_loop().remove_reader(self._source)

    def overheard(self) -> str | None:
        """The line that was typed and not asked for; None if a question got it. `InputEnded` if a person ends it.

        A script whose lines have ended is asked yet; until then nothing more is heard.
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
            # Without a terminal no Enter ends the line on the screen, and what follows would be beside the prompt.
            self._write("\n")
        return line

    def wipe(self) -> None:
        """Clears the screen for the next person; does nothing where there is no screen."""
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
    """A line of the source, and of a pipe or a terminal nothing after it: that can still be waited for."""
    if not _can_be_watched(source):
        return source.readline(most)
    line = b""
    while len(line) != most and not line.endswith(b"\n") and (more := os.read(source.fileno(), 1)):
        line += more
    return line.decode(source.encoding or "utf-8", "replace")


def _can_be_watched(source: TextIO) -> bool:
    """Whether the system says when there is something to read."""
    try:
        mode = os.fstat(source.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return os.name == "posix" and (source.isatty() or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


class _Interruptible:
    """While a question waits, Ctrl-C ends the waiting at once, also inside an event loop."""

    def __enter__(self) -> None:
        self._before: signal.Handlers | object = None
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type]


def _edit_lines() -> None:
    """Line editing and a history for typed input, where the system has it."""
    with suppress(ImportError):
        import readline  # noqa: F401


def _forget_lines() -> None:
    """The next player shall not find what the last one typed."""
    readline = sys.modules.get("readline")
    if readline is not None:
        readline.clear_history()
