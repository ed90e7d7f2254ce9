"""The app in a real pseudo-terminal: whole games read off the screen, and what happens when it is closed."""

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
import pytest

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.table.transcript import read_transcript

PATIENCE = 60.0
"""Seconds that anything may take on a busy machine; nobody waits for longer than it takes."""
SETTINGS = "reduced_motion = true\nbell = false\n"
CLICK = "\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m"


class Terminal:
    """A child in a pseudo-terminal of 80 x 24, and what its screen shows."""

    def __init__(self, child: subprocess.Popen[bytes], master: int) -> None:
        self.child = child
        self._master = master
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def lines(self) -> list[str]:
        return list(self._screen.display)

    def read(self, seconds: float) -> bool:
        """Takes in what was written, if anything is within so many seconds."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        # The emulator does not know these requests and would print parts of them.
        self._stream.feed(re.sub(rb"\x1b\[[<>=?][0-9;$]*[a-zA-Z]", _known, data))
        return bool(data)

    def until(self, condition: Callable[[list[str]], bool]) -> list[str]:
        """Reads until the screen shows something."""
        end = time.monotonic() + PATIENCE
        while not condition(self.lines):
            assert time.monotonic() < end, "\n".join(self.lines)
            assert self.child.poll() is None or self.read(0.01), "the app has ended:\n" + "\n".join(self.lines)
            self.read(0.05)
        return self.lines

    def settle(self) -> None:
        """Reads until nothing more comes: half a frame says nothing."""
        while self.read(0.04):
            pass

    def ended(self) -> int:
        """The exit code, once it has ended; it may have something to write before."""
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
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.killpg(self.child.pid, signal.SIGWINCH)


def _known(found: re.Match[bytes]) -> bytes:
    return found[0] if found[0][-1:] in b"hl" and found[0][2:3] == b"?" else b""


@contextmanager
def opened(home: Path, code: str) -> Iterator[Terminal]:
    """Runs some Python in a pseudo-terminal; ends it afterwards if it has not ended by itself."""
    (home / "config").mkdir(parents=True)
    (home / "config" / "settings.toml").write_text(SETTINGS)
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = os.environ | {"WASABI_TX_HOME": str(home), "TERM": "xterm-256color", "COLORTERM": ""}
    environment.pop("NO_COLOR", None)
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
    )
    os.close(slave)
    try:
        yield Terminal(child, master)
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        os.close(master)


HOME = "from wasabi_tx.cli.home import open_home; open_home('en')"


def _mine(lines: list[str]) -> bool:
    """Whether something is asked here, or the game is over."""
    asks = "YOUR TURN" in lines[0] and lines[22].startswith("› _") and "thinking" not in lines[20]
    return asks or "wins" in "".join(lines) or "draw between" in "".join(lines)


def _free(lines: list[str]) -> tuple[int, int]:
    """The first empty square that is drawn as one, by column and row."""
    for row in range(6):
        for column in range(5):
            if lines[2 + 2 * row][2 + 6 * column + 2] == "·":
                return column, row
    raise AssertionError("\n".join(lines))


def _answer(terminal: Terminal, lines: list[str], mouse: bool) -> None:
    """One thing that somebody who knows nothing but the screen would do."""
    asked = lines[20]
    if "which square?" in asked:
        column, row = _free(lines)
        if mouse:
            terminal.click(2 + 6 * column + 2, 2 + 2 * row)
        else:
            terminal.type(f"{chr(97 + column)}{row + 1}")
    elif asked.startswith("Place a tile"):
        found = re.search(r"\b[123] [A-Z][a-z]", asked)
        assert found is not None, asked
        terminal.click(found.start(), 20) if mouse else terminal.type(found[0][0])
    elif asked.startswith("Ready"):
        terminal.click(asked.index("Space"), 20) if mouse else terminal.type(" ")
    elif mouse:
        default = re.search(r"Enter: ([\w ]+?) \(", lines[21])
        word = default[1] if default else re.split(r":|\?|\.", asked, maxsplit=1)[1].split()[0]
        terminal.click(asked.index(f" {word}", 8) + 1, 20)
    else:
        terminal.type("\r")


@pytest.mark.parametrize("mouse", [False, True], ids=["keyboard", "mouse"])
def test_a_whole_game_is_played_from_the_home_screen(tmp_path: Path, mouse: bool) -> None:
    with opened(tmp_path, HOME) as terminal:
        lines = terminal.until(lambda lines: any("Play now" in line for line in lines))
        y = next(n for n, line in enumerate(lines) if "Play now" in line)
        terminal.click(lines[y].index("Play"), y) if mouse else terminal.type("\r")
        terminal.until(_mine)
        for _ in range(600):
            terminal.settle()
            lines = list(terminal.until(_mine))
            if "YOUR TURN" not in lines[0]:
                break
            bottom = lines[19:23]
            _answer(terminal, lines, mouse)
            terminal.until(lambda lines, bottom=bottom: lines[19:23] != bottom or not _mine(lines))  # type: ignore[misc]
        terminal.until(lambda lines: any("in all" in line for line in lines))
        terminal.type("\x03")
        assert terminal.ended() == 0
    (path,) = (tmp_path / "games").iterdir()
    assert read_transcript(path.read_text(), rules_for).last.outcome is not None


@pytest.mark.parametrize("how", ["ctrl-c", "closed"])
def test_a_game_that_is_cut_short_is_saved(tmp_path: Path, how: str) -> None:
    with opened(tmp_path, HOME) as terminal:
        terminal.until(lambda lines: any("Play now" in line for line in lines))
        terminal.type("\r")
        terminal.until(_mine)
        terminal.type("\r\r\r")
        terminal.until(lambda lines: lines[20].startswith("Ready"))
        terminal.resize(40, 15)
        terminal.resize(80, 24)
        terminal.type(" ")
        terminal.until(lambda lines: "Draw a recipe" in lines[20])
        if how == "ctrl-c":
            terminal.type("\x03")
            assert terminal.ended() == 0
            assert "Traceback" not in "\n".join(terminal.lines)
        else:
            os.killpg(terminal.child.pid, signal.SIGHUP)
            terminal.ended()
    (path,) = (tmp_path / "games").iterdir()
    saved = read_transcript(path.read_text(), rules_for)
    assert any(move.steps[0].verb == "give" and move.seat == 0 for move in saved.moves)
