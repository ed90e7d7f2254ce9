"""A real pseudo-terminal with a child in it, and what its screen shows."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyte

from tests.brokers import PATIENCE

SETTINGS = "reduced_motion = true\nbell = false\nnotes = false\nas_printed = true\n"
LEARNED = '{"learned": ["classic"]}'
"""Progress of a person who has completed the course, so that home begins with Play now."""
HOME = "from wasabi_tx.tui.launch import open_home; open_home('en')"
"""Opens the home screen."""
SGR = re.compile(r"\x1b\[([0-9;:]*)m")
"""Matches a sequence that sets the style of letters."""
BARE = re.compile(r"(?:(?:[0124579]|2[2-9]|39|49)(?:;|$))*")
"""Matches parameters that set no colour: bold, dim, underlined, reversed, struck, default colours."""
CLICK = "\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m"


class Terminal:
    """A child in a pseudo-terminal, and what its screen shows."""

    def __init__(self, child: subprocess.Popen[bytes], master: int, size: tuple[int, int]) -> None:
        self.child = child
        self._master = master
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._lines: list[str] | None = None
        self.written = bytearray()
        """All that the child has written."""

    @property
    def lines(self) -> list[str]:
        """Return the rows of the screen; the emulator is slow, so read them only after a write."""
        if self._lines is None:
            self._lines = list(self._screen.display)
        return self._lines

    def read(self, seconds: float) -> bool:
        """Read what is written within the given seconds, if anything."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        self.written += data
        # The emulator does not know these requests and would print parts of them.
        self._lines = None
        self._stream.feed(re.sub(rb"\x1b\[[<>=?][0-9;$]*[a-zA-Z]", _known, data))
        return bool(data)

    def until(self, condition: Callable[[list[str]], bool]) -> list[str]:
        """Read until the screen shows the expected words."""
        end = time.monotonic() + PATIENCE
        while not condition(self.lines):
            assert time.monotonic() < end, "\n".join(self.lines)
            assert self.child.poll() is None or self.read(0.01), "the app has ended:\n" + "\n".join(self.lines)
            self.read(0.05)
        return self.lines

    def settle(self) -> None:
        """Read until no more output arrives, so that no partial frame is judged."""
        while self.read(0.04):
            pass

    def ended(self) -> int:
        """Read what is still written, and return the exit code once the child has ended."""
        end = time.monotonic() + PATIENCE
        while self.child.poll() is None:
            assert time.monotonic() < end, "\n".join(self.lines)
            self.read(0.05)
        return self.child.returncode

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def click(self, x: int, y: int) -> None:
        self.type(CLICK.format(x=x + 1, y=y + 1))

    def resize(self, columns: int, rows: int) -> None:
        self._screen.resize(rows, columns)
        self._lines = None
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.killpg(self.child.pid, signal.SIGWINCH)

    def vanish(self) -> None:
        """Close the terminal without a signal: it never was the child's controlling terminal."""
        os.close(self._master)
        self._master = -1

    def close(self) -> None:
        """Kill the child if it has not ended by itself."""
        if self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()
        if self._master >= 0:
            self.vanish()


def _known(found: re.Match[bytes]) -> bytes:
    return found[0] if found[0][-1:] in b"hl" and found[0][2:3] == b"?" else b""


@contextmanager
def opened(
    home: Path, code: str, size: tuple[int, int] = (80, 24), settings: str = "", **environment: str
) -> Iterator[Terminal]:
    """Run some Python in a pseudo-terminal; kill it afterwards if it has not ended by itself."""
    (home / "config").mkdir(parents=True, exist_ok=True)
    (home / "config" / "settings.toml").write_text(SETTINGS + settings)
    progress = home / "config" / "progress.json"
    if not progress.exists():
        progress.write_text(LEARNED)
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TMUX")}
    whole = inherited | {"TERM": "xterm-256color", "COLORTERM": ""} | environment | {"WASABI_TX_HOME": str(home)}
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdin=slave, stdout=slave, stderr=slave, env=whole, start_new_session=True
    )
    os.close(slave)
    terminal = Terminal(child, master, size)
    try:
        yield terminal
    finally:
        terminal.close()
