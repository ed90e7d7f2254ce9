"""The app inside tmux, on a server of its own."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.brokers import PATIENCE
from tests.needs import needs

from .terminal import BARE, HOME, LEARNED, SETTINGS, SGR

pytestmark = [needs("tmux"), pytest.mark.long]


class Tmux:
    """A tmux server with the app in its only pane."""

    def __init__(self, home: Path, sockets: str, environment: dict[str, str]) -> None:
        self._sockets = sockets
        self._socket = f"wasabi-{secrets.token_hex(6)}"
        # A shell that exports its first size must not hide every later one.
        given = environment | {"WASABI_TX_HOME": str(home), "COLUMNS": "80", "LINES": "24"}
        settings = [word for name, value in given.items() for word in ("-e", f"{name}={value}")]
        self.call("-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", *settings, sys.executable, "-c", HOME)

    def call(self, *words: str) -> str:
        bare = {name: value for name, value in os.environ.items() if name not in ("TMUX", "NO_COLOR", "COLORTERM")}
        bare["TMUX_TMPDIR"] = self._sockets
        command = ["tmux", "-L", self._socket, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE, env=bare).stdout

    def press(self, *keys: str) -> None:
        self.call("send-keys", *keys)

    def until(self, condition: Callable[[list[str]], bool]) -> list[str]:
        """Wait until the screen shows the expected words."""
        end = time.monotonic() + PATIENCE
        while not condition(lines := self.call("capture-pane", "-p").split("\n")):
            assert time.monotonic() < end, "\n".join(lines)
        return lines


@contextmanager
def in_tmux(home: Path, **environment: str) -> Iterator[Tmux]:
    (home / "config").mkdir()
    (home / "config" / "settings.toml").write_text(SETTINGS)
    (home / "config" / "progress.json").write_text(LEARNED)
    # The path of a socket has to be short, and temporary folders of tests are long.
    with tempfile.TemporaryDirectory(prefix="wasabi-") as sockets:
        tmux = Tmux(home, sockets, environment)
        try:
            yield tmux
        finally:
            tmux.call("kill-server")


def at_the_table(tmux: Tmux) -> None:
    tmux.until(lambda lines: any("Play now" in line for line in lines))
    tmux.press("Enter")
    tmux.until(lambda lines: "YOUR TURN" in lines[0])


def whole(lines: list[str], width: int, height: int, bar: int) -> bool:
    """Return whether a table of this size is shown: every line once, nothing scrolled, no remains of another size."""
    return (
        len(lines) == height + 1
        and max(map(len, lines)) <= width
        and "YOUR TURN" in lines[0]
        and [number for number, line in enumerate(lines) if line.startswith("▌")][:1] == [bar]
        and lines[height - 1].endswith("? help")
        and [line[:2].strip() for line in lines[1:bar] if line[:2].strip().isdigit()][:6] == list("123456")
    )


def test_a_table_in_tmux_is_drawn_whole_after_every_resize(tmp_path: Path) -> None:
    with in_tmux(tmp_path) as tmux:
        at_the_table(tmux)
        for size in ((120, 40, 38), (40, 15, 12), (80, 24, 22)):
            tmux.call("resize-window", "-x", str(size[0]), "-y", str(size[1]))
            tmux.until(lambda lines, size=size: whole(lines, *size))  # type: ignore[misc]
        assert tmux.call("display-message", "-p", "#{pane_title}").strip() == "WASABI! YOUR TURN"


def test_without_colours_tmux_shows_none(tmp_path: Path) -> None:
    with in_tmux(tmp_path, NO_COLOR="1") as tmux:
        at_the_table(tmux)
        tmux.press("w")
        tmux.until(lambda lines: any("Esc close" in line for line in lines))
        found = SGR.findall(tmux.call("capture-pane", "-p", "-e"))
        assert [look for look in found if not BARE.fullmatch(look)] == []
        tmux.press("Escape")
        tmux.until(lambda lines: "YOUR TURN" in lines[0] and not any("Esc close" in line for line in lines))
        # Reversed and bold: the table is drawn whole after that.
        tmux.until(lambda _: bool(found := SGR.findall(tmux.call("capture-pane", "-p", "-e"))) and any(found))
        found = SGR.findall(tmux.call("capture-pane", "-p", "-e"))
        assert [look for look in found if not BARE.fullmatch(look)] == []
