"""Speed of the screen, compared with a bare Textual app in the same run: `python -m tests.lab.bench.tui`.

CPU time is compared, because wall time says more about the machine than about us; wall times are printed too. Fails if
the event loop is ever blocked longer than `LONGEST_CALLBACK` while somebody plays.
"""

from __future__ import annotations

import asyncio
import fcntl
import gc
import json
import os
import pty
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from textual import events
from textual.app import App, ComposeResult
from textual.drivers.headless_driver import HeadlessDriver
from textual.widgets import Static

from tests.compiled import keep_compiled
from tests.tui.memory_games import app_at, choose
from tests.tui.on_screen import table_of
from wasabi_tx.engine.editions import PACKAGED
from wasabi_tx.games.bot_process import Thinker
from wasabi_tx.games.local import LocalGame

KEYS = 120
LONGEST_CALLBACK = 0.05
"""Most CPU seconds that one callback of the event loop may take."""


class Terminal(HeadlessDriver):
    """A terminal that accepts everything and shows nothing: frames are rendered in full, as for a real one."""

    written = 0
    frames = 0

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        Terminal.written += len(data.encode())
        Terminal.frames += 1


class Bare(App[None]):
    """An app with one widget that changes with every key."""

    def compose(self) -> ComposeResult:
        yield Static("0" * 200, id="one")

    def on_key(self, event: events.Key) -> None:
        self.query_one("#one", Static).update(f"{event.key} " * 40)


class Callbacks:
    """Times every callback of the event loop by its thread's CPU time."""

    def __init__(self) -> None:
        self.longest = 0.0
        self.count = 0

    @contextmanager
    def timed(self) -> Iterator[None]:
        run = asyncio.Handle._run

        def timed_run(handle: asyncio.Handle) -> None:
            before = time.thread_time()
            run(handle)
            self.longest = max(self.longest, time.thread_time() - before)
            self.count += 1

        with patch.object(asyncio.Handle, "_run", timed_run):
            yield


async def key_times(
    app: App[None], keys: Sequence[str], size: tuple[int, int] = (120, 40)
) -> tuple[float, float, float, float]:
    """Return CPU and wall seconds from a key to its frame, the longest callback in CPU seconds, and bytes a key."""
    app.driver_class = Terminal
    _forget()
    cpu, wall, callbacks = [], [], Callbacks()
    task = asyncio.create_task(app.run_async(size=size, headless=False, mouse=False))
    await _ready()
    start = Terminal.written
    for key in keys:
        before, frames = (time.process_time(), time.perf_counter()), Terminal.frames
        app.post_message(events.Key(key, key if len(key) == 1 else None))
        with callbacks.timed():
            while Terminal.frames == frames:
                await asyncio.sleep(0.001)
                if time.perf_counter() - before[1] > 1:
                    break
        cpu.append(time.process_time() - before[0])
        wall.append(time.perf_counter() - before[1])
    app.exit()
    await task
    return statistics.median(cpu), statistics.median(wall), callbacks.longest, (Terminal.written - start) / len(keys)


async def game_callbacks(edition: str) -> tuple[Callbacks, Callbacks]:
    """Time a whole game with three bots in their own process, including the person's moves; then the end page."""
    app = app_at(people=1, bots=3, edition=edition, seed="bench")
    app.driver_class = Terminal
    _forget()
    opened = app._opened
    assert opened is not None
    assert isinstance(opened.game, LocalGame)
    opened.game._thinker = Thinker()
    task = asyncio.create_task(app.run_async(size=(120, 40), headless=False, mouse=False))
    await _ready()
    table = table_of(app)
    callbacks = Callbacks()
    with callbacks.timed():
        while not table.followed.over:
            if task.done():
                raise SystemExit(f"the app has ended: {app._exception}")
            plan = table.followed.plan
            if plan is not None:
                # The person's thinking is not the screen's work; sending is.
                bundle = await asyncio.to_thread(choose, plan.draft.base, str(callbacks.count))
                for step in bundle.steps:
                    plan.add(step)
                await table.action_send()
            await asyncio.sleep(0.002)
    ending = Callbacks()
    with ending.timed():
        await _ready()
    app.exit()
    await task
    return callbacks, ending


def measure_loop() -> dict[str, float]:
    found = {edition: asyncio.run(game_callbacks(edition)) for edition in PACKAGED}
    figures = {}
    for edition, (game, ending) in found.items():
        figures[f"{edition} longest callback ms"] = game.longest * 1000
        figures[f"{edition} callbacks"] = float(game.count)
        figures[f"{edition} end page ms"] = ending.longest * 1000
    return figures


def _forget() -> None:
    """Free the memory of earlier apps, so that it burdens no callback; the app also freezes its imports."""
    gc.collect()
    gc.freeze()


async def _ready() -> None:
    """Wait until nothing has been drawn for a while."""
    quiet, seen = 0, 0
    while quiet < 10:
        await asyncio.sleep(0.02)
        quiet = quiet + 1 if Terminal.frames == seen else 0
        seen = Terminal.frames


def measure_keys() -> dict[str, float]:
    moves = ["1", "right", "down", "left", "up", "escape", "2", "escape"] * (KEYS // 8)
    turns = ["1", "d", "4", "backspace", "2", "e", "3", "backspace"] * (KEYS // 8)
    bare = asyncio.run(key_times(Bare(), ["a", "b"] * (KEYS // 2)))
    ours = asyncio.run(key_times(app_at(8), moves))
    placing = asyncio.run(key_times(app_at(8), turns))
    small = asyncio.run(key_times(app_at(8), moves, (80, 24)))
    small_placing = asyncio.run(key_times(app_at(8), turns, (80, 24)))
    return {
        "bare key cpu ms": bare[0] * 1000,
        "table key cpu ms": ours[0] * 1000,
        "table placing cpu ms": placing[0] * 1000,
        "key ratio": ours[0] / bare[0],
        "placing ratio": placing[0] / bare[0],
        "key ratio 80x24": small[0] / bare[0],
        "placing ratio 80x24": small_placing[0] / bare[0],
        "bare key wall ms": bare[1] * 1000,
        "table key wall ms": ours[1] * 1000,
        "table placing wall ms": placing[1] * 1000,
        "keys longest callback ms": max(ours[2], placing[2]) * 1000,
        "bytes a key": ours[3],
        "bytes a placing": placing[3],
        "bytes a key 80x24": small[3],
        "bytes a placing 80x24": small_placing[3],
    }


def measure_start() -> dict[str, float]:
    found: dict[str, list[list[float]]] = {"bare": [], "home": []}
    for _ in range(5):
        for which, rows in found.items():
            source = _SOURCES[which]
            output = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True).stdout
            rows.append([float(word) for word in output.split()])
    best = {which: [statistics.median(column) for column in zip(*rows, strict=True)] for which, rows in found.items()}
    return {
        "bare start cpu ms": best["bare"][0] * 1000,
        "home start cpu ms": best["home"][0] * 1000,
        "start ratio": best["home"][0] / best["bare"][0],
        "bare start wall ms": best["bare"][1] * 1000,
        "home start wall ms": best["home"][1] * 1000,
        "bare memory MB": best["bare"][2],
        "home memory MB": best["home"][2],
    }


def measure_first_screen() -> dict[str, float]:
    """Return the wall time from starting the program to the text of its first screen, in a pseudo-terminal."""
    found: dict[str, list[float]] = {name: [] for name in _PROGRAMS}
    with tempfile.TemporaryDirectory() as home:
        settings = Path(home) / "config" / "settings.toml"
        settings.parent.mkdir()
        settings.write_text("bell = false\n")
        environment = os.environ | {"WASABI_TX_HOME": home, "WASABI_TX_LANG": "en", "TERM": "xterm-256color"}
        for _ in range(9):
            for name, (words, marker) in _PROGRAMS.items():
                found[name].append(_until_shown([sys.executable, *words], marker, environment))
    bare, ours = (statistics.median(found[name]) for name in ("bare", "home"))
    return {
        "bare first screen wall ms": bare * 1000,
        "home first screen wall ms": ours * 1000,
        "first screen ratio": ours / bare,
    }


def _until_shown(command: list[str], marker: bytes, environment: dict[str, str]) -> float:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    start, written = time.perf_counter(), b""
    child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True)
    os.close(slave)
    try:
        while marker not in written:
            written += os.read(master, 65536)
        return time.perf_counter() - start
    finally:
        child.kill()
        child.wait()
        os.close(master)


_HEAD = """
import asyncio, pathlib, time
from textual.drivers.headless_driver import HeadlessDriver

class Terminal(HeadlessDriver):
    written = 0
    is_headless = False

    def write(self, data):
        Terminal.written += len(data)

def memory():
    words = pathlib.Path("/proc/self/statm").read_text().split()
    return int(words[1]) * 4096 / 1e6

async def run(app, screens):
    app.driver_class = Terminal
    start = time.perf_counter()
    task = asyncio.create_task(app.run_async(size=(80, 24), headless=False, mouse=False))
    while not app.is_running or Terminal.written < 400 or len(app.screen_stack) < screens:
        await asyncio.sleep(0.001)
        if task.done():
            raise SystemExit(f"the app has ended: {app._exception}")
    await asyncio.sleep(0)
    found = time.process_time(), time.perf_counter() - start, memory()
    app.exit()
    await task
    return found
"""

_SOURCES = {
    "bare": _HEAD
    + """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("0" * 200)

print(*asyncio.run(run(Bare(), 1)))
""",
    "home": _HEAD
    + """
from wasabi_tx.app.local_games import LocalGames
from wasabi_tx.tui.app import WasabiApp

print(*asyncio.run(run(WasabiApp(LocalGames("en"), language="en"), 1)))
""",
}
"""Programs that each run in their own process, from the first import to the first usable screen."""

_BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("0" * 200)

Bare().run()
"""
_PROGRAMS = {"bare": (["-c", _BARE], b"0" * 80), "home": (["-m", "wasabi_tx"], b"Play now")}
"""Commands to start, and the text of their first screens."""


def main() -> None:
    keep_compiled()
    figures = measure_loop() | measure_keys() | measure_start() | measure_first_screen()
    if "--json" in sys.argv:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:28} {value:8.2f}")
    slow = [name for name, value in figures.items() if "longest" in name and value > LONGEST_CALLBACK * 1000]
    if slow:
        sys.exit(f"more than {LONGEST_CALLBACK * 1000:.0f} ms: {', '.join(slow)}")


if __name__ == "__main__":
    main()
