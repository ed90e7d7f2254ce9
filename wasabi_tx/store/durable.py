"""Durable files: after a call they are whole and on disk, or as they were before it."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import IO

PRIVATE = 0o600
PRIVATE_FOLDER = 0o700

_BINARY = getattr(os, "O_BINARY", 0)
_UNFINISHED = ".new"


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte, even if the operating system accepts them in pieces."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def read_all(path: Path, limit: int) -> bytes:
    """Return a whole file; raise `OSError` rather than return part of one that is too large."""
    with path.open("rb") as raw:
        data = raw.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder and its parents, on disk; an existing folder keeps its mode."""
    missing = [one for one in (folder, *folder.parents) if not one.is_dir()]
    for one in reversed(missing):
        one.mkdir(mode if one == folder else 0o777, exist_ok=True)
        sync_folder(one.parent)


def make_private_folder(folder: Path) -> None:
    """Make a folder that only its owner can access; restrict an existing one that others can look into."""
    make_folder(folder, PRIVATE_FOLDER)
    mode = folder.stat().st_mode & 0o777
    if sys.platform != "win32" and mode & 0o077:
        # The folder of another user, or one on a file system without modes, stays as it is.
        with contextlib.suppress(OSError):
            folder.chmod(mode & PRIVATE_FOLDER)


def new_text_file(folder: Path, name: str, now: datetime, suffix: str) -> tuple[Path, IO[str]]:
    """Create a private file named after the time; never reuse an existing one."""
    make_private_folder(folder)
    stem = f"{name}-{now:%Y%m%d-%H%M%S}"
    for number in range(1, 1000):
        path = folder / (stem + (f"-{number}" if number > 1 else "") + suffix)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
        except FileExistsError:
            continue
        return path, os.fdopen(descriptor, "w", encoding="utf-8", newline="\n")
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), stem)


def sync_folder(folder: Path) -> None:
    """Flush names created, changed or removed in a folder to disk."""
    if sys.platform == "win32":  # cannot sync folders
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system that cannot sync folders
            raise
    finally:
        os.close(descriptor)


def create_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Create a file with all of the data or not at all; raise `FileExistsError` if there is one already."""
    _place(path, data, mode, _name_once)


def replace_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Replace a file's contents; if anything goes wrong, the old ones remain."""
    _place(path, data, mode, os.replace)


def remove_file(path: Path) -> None:
    """Remove the file and any unfinished replacement of it."""
    for one in (path, *path.parent.glob(f"{path.name}.*{_UNFINISHED}")):
        one.unlink(missing_ok=True)
    with contextlib.suppress(FileNotFoundError):
        sync_folder(path.parent)


def _place(path: Path, data: bytes, mode: int, name: Callable[[Path, Path], None]) -> None:
    unfinished = path.with_name(f"{path.name}.{os.urandom(8).hex()}{_UNFINISHED}")
    try:
        _write_new(unfinished, data, mode)
        name(unfinished, path)
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink()
    sync_folder(path.parent)


def _write_new(path: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    try:
        write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _name_once(unfinished: Path, path: Path) -> None:
    """Give a file its name unless another file has it."""
    if sys.platform == "win32":
        unfinished.rename(path)  # never overwrites on Windows
        return
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError):  # a file system without hard links, or a browser, whose Python has none
        _copy_once(unfinished, path)


def _copy_once(unfinished: Path, path: Path) -> None:
    data, mode = unfinished.read_bytes(), unfinished.stat().st_mode & 0o777
    try:
        _write_new(path, data, mode)
    except FileExistsError:
        raise
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise


class GrowingFile:
    """A file that only grows. `append` returns when the bytes are on disk; if it fails, the earlier bytes remain."""

    def __init__(self, path: Path, length: int) -> None:
        """Continue after `length` bytes; raise `OSError` if the file has fewer."""
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
        """The number of bytes guaranteed to be on disk."""
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
        """Remove what a torn append wrote after the guaranteed bytes."""
        if self._torn:
            descriptor = self._handle.fileno()
            os.ftruncate(descriptor, self._length)
            os.fsync(descriptor)
            self._torn = False

    def close(self) -> None:
        self._handle.close()
