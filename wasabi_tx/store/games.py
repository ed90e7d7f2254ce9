"""Game files: they only grow, and what was appended is on disk before it is sent."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from .durable import PRIVATE, GrowingFile, create_file, make_private_folder, read_all

SUFFIX = ".wasabi"
LARGEST = 16_000_000


def create_game(folder: Path, name: str, head: bytes) -> GrowingFile:
    """A new file that begins with `head`, for its owner alone; if the name is taken, a number makes another."""
    if not name or Path(name).name != name:
        raise ValueError(f"not a file name: {name!r}")
    make_private_folder(folder)
    for number in range(1, 1000):
        path = folder / (name + (f"-{number}" if number > 1 else "") + SUFFIX)
        try:
            create_file(path, head, PRIVATE)
        except FileExistsError:
            continue
        return GrowingFile(path, len(head))
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder / (name + SUFFIX)))


def reopen_game(path: Path, length: int) -> GrowingFile:
    """Continues after that many bytes; what a crash left behind them is cut off first."""
    return GrowingFile(path, length)


def read_game(path: Path) -> bytes:
    """All of a game file, with a torn end if it has one; an `OSError` if it is larger than any game."""
    return read_all(path, LARGEST)


def read_beginning(path: Path, most: int) -> bytes:
    """At most that many bytes from the start of a game file."""
    with path.open("rb") as raw:
        return raw.read(most)


def list_games(folder: Path) -> list[Path]:
    """Game files, the newest first."""
    return newest_first(folder, SUFFIX)


def newest_first(folder: Path, suffix: str) -> list[Path]:
    """Files with a suffix, the one last written to first; none if there is no such folder."""
    found = []
    with contextlib.suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(suffix):
                # One may be removed while we look.
                with contextlib.suppress(FileNotFoundError):
                    if entry.is_file():
                        found.append((entry.stat().st_mtime_ns, entry.name))
    return [folder / name for _, name in sorted(found, reverse=True)]
