"""Game files: they only grow, and appended data is on disk before it is sent."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from .durable import PRIVATE, GrowingFile, create_file, make_private_folder, read_all

SUFFIX = ".wasabi"
LARGEST = 16_000_000


def create_game(folder: Path, name: str, head: bytes) -> GrowingFile:
    """Create a private file that begins with `head`; if the name is taken, add a number to it."""
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
    """Continue after `length` bytes, first cutting off anything that a crash wrote after them."""
    return GrowingFile(path, length)


def read_game(path: Path) -> bytes:
    """Return all of a game file, including a torn end; raise `OSError` if it is larger than any game."""
    return read_all(path, LARGEST)


def read_beginning(path: Path, most: int) -> bytes:
    """Return at most `most` bytes from the start of a game file."""
    with path.open("rb") as raw:
        return raw.read(most)


def list_games(folder: Path) -> list[Path]:
    """Return the game files, newest first."""
    return newest_first(folder, SUFFIX)


def newest_first(folder: Path, suffix: str) -> list[Path]:
    """Return the files with a suffix, last written first; none if the folder does not exist."""
    found = []
    with contextlib.suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(suffix):
                # A file may be removed during the scan.
                with contextlib.suppress(FileNotFoundError):
                    if entry.is_file():
                        found.append((entry.stat().st_mtime_ns, entry.name))
    return [folder / name for _, name in sorted(found, reverse=True)]
