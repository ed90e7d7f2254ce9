"""Measures the way from nothing to the home screen, beside another Textual app: `python -m
tests.lab.bench.install`.

The wheel is built, and installed with pip, pipx and uvx if this machine has them; each time without a cache, into a
fresh environment, and started in a pseudo-terminal until its first screen is there. Wall time is measured, because the
download from the registry is most of it.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.tui.terminal import Terminal

ROOT = Path(__file__).parents[3]
SIZE = (100, 30)


class Installable(NamedTuple):
    """An app: what to install, the program to start, and the text of its first screen."""

    source: str
    program: str
    shows: str


@dataclass(frozen=True)
class Measured:
    installing: float
    starting: float
    again: float
    """Seconds of the second start."""
    downloaded: int
    """Bytes downloaded; 0 where they are not counted."""
    on_disk: int


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.bench.install", description=__doc__)
    parser.add_argument("--other", default="posting", help="the other app, by its name in the registry")
    parser.add_argument("--shows", default="Collection", help="what the other app's first screen says")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = build(Path(folder))
        apps = (Installable(str(wheel), "wasabi-tx", "Play now"), Installable(asked.other, asked.other, asked.shows))
        print(f"wheel: {wheel.stat().st_size / 1e6:.1f} MB")
        for way, install in WAYS.items():
            if way != "pip" and shutil.which(way) is None:
                print(f"{way}: not on this machine")
                continue
            for number, app in enumerate(apps):
                here = Path(folder) / f"{way}-{number}"
                here.mkdir()
                try:
                    print(line(way, app, install(app, here)), flush=True)
                except AssertionError:
                    # A native package of another app may not work here; that is no reason to measure nothing else.
                    print(f"{way:5} {app.program:10} ended before its first screen", flush=True)
                shutil.rmtree(here)


def line(way: str, app: Installable, measured: Measured) -> str:
    whole = measured.installing + measured.starting
    downloaded = f"{measured.downloaded / 1e6:6.1f} MB fetched" if measured.downloaded else " " * 17
    return (
        f"{way:5} {app.program:10} {whole:6.1f} s to the first screen ({measured.installing:.1f} to install, "
        f"{measured.starting:.1f} to start, {measured.again:.1f} the next time)  {downloaded}  "
        f"{measured.on_disk / 1e6:6.1f} MB on disk"
    )


def build(folder: Path) -> Path:
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)])
    (wheel,) = folder.glob("*.whl")
    return wheel


def with_pip(app: Installable, here: Path) -> Measured:
    began = time.monotonic()
    venv.create(here / "env", with_pip=False)
    base = size_of(here / "env")
    python = str(here / "env/bin/python")
    pip = [sys.executable, "-m", "pip", "--python", python, "--cache-dir", str(here / "cache"), "install", "-q"]
    run([*pip, app.source])
    installing = time.monotonic() - began
    return started(app, here, [str(here / "env/bin" / app.program)], installing, "env", base)


def with_pipx(app: Installable, here: Path) -> Measured:
    places = {"PIPX_HOME": here / "pipx", "PIPX_BIN_DIR": here / "bin", "PIP_CACHE_DIR": here / "cache"}
    began = time.monotonic()
    run(["pipx", "install", "-q", app.source], {name: str(place) for name, place in places.items()})
    installing = time.monotonic() - began
    return started(app, here, [str(here / "bin" / app.program)], installing, "pipx", 0)


def with_uvx(app: Installable, here: Path) -> Measured:
    """Install and start with one command: all of it counts as the start."""
    os.environ["UV_CACHE_DIR"] = str(here / "uv")
    return started(app, here, ["uvx", "--from", app.source, app.program], 0.0, "uv", 0)


WAYS: dict[str, Callable[[Installable, Path], Measured]] = {"pip": with_pip, "pipx": with_pipx, "uvx": with_uvx}


def started(app: Installable, here: Path, command: Sequence[str], installing: float, kept: str, base: int) -> Measured:
    first, second = (first_screen(app, here / "home", command) for _ in range(2))
    cache = here / "cache"
    return Measured(installing, first, second, size_of(cache) if cache.exists() else 0, size_of(here / kept) - base)


def first_screen(app: Installable, home: Path, command: Sequence[str]) -> float:
    """Return the seconds until a program in a pseudo-terminal shows its first screen."""
    (home / "config").mkdir(parents=True, exist_ok=True)
    # This person has been here before: no first start, and no lesson first.
    (home / "config" / "settings.toml").write_text("reduced_motion = true\n")
    (home / "config" / "progress.json").write_text('{"learned": ["classic"]}')
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    places = {"WASABI_TX_HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
    environment = {**os.environ, "TERM": "xterm-256color", **{name: str(place) for name, place in places.items()}}
    began = time.monotonic()
    child = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=home, start_new_session=True
    )
    os.close(slave)
    terminal = Terminal(child, master, SIZE)
    try:
        terminal.until(lambda lines: any(app.shows in one for one in lines))
        return time.monotonic() - began
    finally:
        terminal.close()


def run(command: Sequence[str], environment: dict[str, str] | None = None) -> None:
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **(environment or {})})


def size_of(folder: Path) -> int:
    """Return the bytes of all files in a folder, each counted once however many names it has."""
    files = {
        one.stat().st_ino: one.stat().st_size for one in folder.rglob("*") if one.is_file() and not one.is_symlink()
    }
    return sum(files.values())


if __name__ == "__main__":
    main()
