"""Disks that misbehave: they fill up, refuse to write, or reorder writes."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest

P = ParamSpec("P")
R = TypeVar("R")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


class Diary:
    """The calls to the operating system, in order: `write`, `sync file 12` (its size then), `link`, ..."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.entries: list[str] = []
        for name in ("write", "link", "replace"):
            monkeypatch.setattr(os, name, self._noted(name, getattr(os, name)))
        sync = os.fsync

        def synced(descriptor: int) -> None:
            sync(descriptor)
            found = os.fstat(descriptor)
            self.entries.append("sync folder" if stat.S_ISDIR(found.st_mode) else f"sync file {found.st_size}")

        monkeypatch.setattr(os, "fsync", synced)

    def _noted(self, name: str, call: Callable[P, R]) -> Callable[P, R]:
        def noted(*args: P.args, **kwargs: P.kwargs) -> R:
            result = call(*args, **kwargs)
            self.entries.append(name)
            return result

        return noted


class FullDisk:
    """A disk with room for that number of bytes; `lift` makes room."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
        self.room: int | None = room
        write = os.write

        def written(descriptor: int, data: bytes | memoryview) -> int:
            if self.room is None:
                return write(descriptor, data)
            if not self.room:
                raise no_space()
            count = write(descriptor, data[: self.room])
            self.room -= count
            return count

        monkeypatch.setattr(os, "write", written)

    def lift(self) -> None:
        self.room = None


def no_space(*_args: object, **_more: object) -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextlib.contextmanager
def read_only_folder() -> Iterator[Path]:
    """Yield a folder in which nothing can be created; root gives up its rights meanwhile."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            if root:
                os.seteuid(0)
            folder.chmod(0o755)
