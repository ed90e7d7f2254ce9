"""Game files: they only grow, and what was appended is on disk before anybody hears of it."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from .durable import create_file, make_folder, read_all, write_all

SUFFIX = ".wasabi"
LARGEST = 16_000_000


class GameFile:
    """An open game file. `append` returns when the bytes are on disk; one that fails leaves those before it."""

    def __init__(self, path: Path, length: int) -> None:
        """Goes on after so many bytes; an `OSError` if the file has fewer."""
        self.path = path
        self._length = length
        self._handle = path.open("r+b", buffering=0)
        try:
            size = os.fstat(self._handle.fileno()).st_size
            if size < length:
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
            self._torn = size > length
            self._cut()
        except BaseException:
            self._handle.close()
            raise

    @property
    def length(self) -> int:
        """How many bytes are promised to be there."""
        return self._length

    def append(self, data: bytes) -> None:
        self._cut()
        descriptor = self._handle.fileno()
        os.lseek(descriptor, self._length, os.SEEK_SET)
        self._torn = True
        try:
            write_all(descriptor, data)
            os.fsync(descriptor)
        except BaseException:
            # If even this fails, the next append begins with it.
            with contextlib.suppress(OSError):
                self._cut()
            raise
        self._length += len(data)
        self._torn = False

    def _cut(self) -> None:
        """Nothing stands after the bytes that are promised."""
        if self._torn:
            descriptor = self._handle.fileno()
            os.ftruncate(descriptor, self._length)
            os.fsync(descriptor)
            self._torn = False

    def close(self) -> None:
        self._handle.close()


def create_game(folder: Path, name: str, head: bytes) -> GameFile:
    """A new file that begins with `head`; if the name is taken, a number after it makes another."""
    if not name or Path(name).name != name:
        raise ValueError(f"not a file name: {name!r}")
    make_folder(folder)
    for number in range(1, 1000):
        path = folder / (name + (f"-{number}" if number > 1 else "") + SUFFIX)
        try:
            create_file(path, head)
        except FileExistsError:
            continue
        return GameFile(path, len(head))
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder / (name + SUFFIX)))


def reopen_game(path: Path, length: int) -> GameFile:
    """Goes on after so many bytes; what comes after them, left behind by a crash, is cut off first."""
    return GameFile(path, length)


def read_game(path: Path) -> bytes:
    """All of a game file, with a torn end if it has one; an `OSError` if it is larger than any game."""
    return read_all(path, LARGEST)


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
