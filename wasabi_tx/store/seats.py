"""The private side of a seat at a table, for one person and one program only."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from pathlib import Path
from types import TracebackType

from .durable import PRIVATE, make_private_folder, read_all, remove_file, replace_file
from .games import LARGEST, newest_first

FOLDER = "seats"
SUFFIX = ".seat"
LOCK = ".lock"
WANTED = ".wanted"
HAND_OVER = 10.0
"""Seconds that a keeper may take to hand over a seat; it usually takes a fraction of one."""
GLANCE = 0.5
"""Seconds for which a keeper may hold that lock while it checks whether somebody wants a seat."""
LOOK_AGAIN = 0.02
COARSE = 2.5
"""Seconds within which two changes of a folder may have the same time."""
KEEPER = "keeper"
"""Name of the lock of a person's one keeper."""
_NAME = re.compile(r"[a-z0-9-]{1,64}")


class SeatTaken(Exception):
    """Another program on this machine holds this seat."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


class SeatFile:
    """The private file of a seat; `folder` is the games folder, whose `seats` folder only we can read."""

    def __init__(self, folder: Path, table: str) -> None:
        self.path = seat_path(folder, table, SUFFIX)

    def read(self) -> bytes | None:
        try:
            return read_all(self.path, LARGEST)
        except FileNotFoundError:
            return None

    def write(self, data: bytes) -> None:
        """Replace the file; return when the new bytes are on disk."""
        make_private_folder(self.path.parent)
        replace_file(self.path, data, PRIVATE)

    def delete(self) -> None:
        remove_file(self.path)


def list_seats(folder: Path) -> list[str]:
    """Return the tables with a saved seat, last written first."""
    return tables_with(folder, SUFFIX)


def seat_written(folder: Path, table: str) -> float:
    """Return when a seat was last written."""
    return SeatFile(folder, table).path.stat().st_mtime


class SeatLock:
    """Locks a seat for this program; the operating system releases the lock when the program dies."""

    def __init__(self, folder: Path, table: str, suffix: str = LOCK) -> None:
        self.table = table
        self._path = seat_path(folder, table, suffix)
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        return self._descriptor is not None

    def wait(self, patience: float) -> None:
        """Acquire the lock as soon as it is free; raise `SeatTaken` if it is not within `patience` seconds."""
        limit = time.monotonic() + patience
        while not self.held:
            try:
                self.__enter__()
            except SeatTaken:
                if time.monotonic() >= limit:
                    raise
                time.sleep(LOOK_AGAIN)

    def __enter__(self) -> SeatLock:
        if self._descriptor is not None:
            raise SeatTaken(self.table)
        make_private_folder(self._path.parent)
        while self._descriptor is None:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE)
            try:
                if not _lock(descriptor):
                    raise SeatTaken(self.table)
                # The previous holder may have removed the file between our two calls.
                if _is_still(self._path, descriptor):
                    self._descriptor = descriptor
            finally:
                if self._descriptor is None:
                    os.close(descriptor)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        if sys.platform == "win32":  # where no open file can be removed
            os.close(descriptor)
            with contextlib.suppress(OSError):
                self._path.unlink()
            return
        with contextlib.suppress(OSError):
            self._path.unlink()
        os.close(descriptor)


class SeatHold:
    """The right to a seat, held by a program with a person or a bot, or by a keeper until such a program wants it.

    The program holds a wish for the seat as long as it wants or has it. A keeper takes no seat that another
    program wishes for, and releases one as soon as somebody does. Wish and seat are locks of the operating system: a
    program that dies leaves none behind.
    """

    def __init__(self, folder: Path, table: str) -> None:
        self._wish = SeatLock(folder, table, WANTED)
        self._seat = SeatLock(folder, table)

    @property
    def held(self) -> bool:
        return self._seat.held

    def acquire(self, patience: float = GLANCE) -> None:
        """Acquire the seat for a person or a bot; a keeper releases it.

        Raise `SeatTaken` if another such program holds the seat for more than `patience` seconds.
        """
        if self.held:
            raise SeatTaken(self._seat.table)
        self._wish.wait(patience)
        try:
            self._seat.wait(HAND_OVER)
        except BaseException:
            self._wish.__exit__(None, None, None)
            raise

    def acquire_for_keeper(self) -> None:
        """Acquire the seat for a keeper; raise `SeatTaken` if anybody has it or wants it."""
        with self._wish:
            self._seat.__enter__()

    def let_go(self) -> None:
        self._seat.__exit__(None, None, None)
        self._wish.__exit__(None, None, None)


def wanted_seats(folder: Path) -> frozenset[str]:
    """Return tables at which a program wants or has a seat, or died with it."""
    return frozenset(tables_with(folder, WANTED))


class WantedSeats:
    """The wishes for seats, cached for frequent checks: an unchanged folder is not read again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._place = str(folder / FOLDER)
        self._read: tuple[float, frozenset[str]] = (-1.0, frozenset())
        self.changed = True
        """True if, at the last look, a seat may have come, gone or been written."""

    def read(self) -> frozenset[str]:
        """Return the same as `wanted_seats`."""
        try:
            written = os.stat(self._place).st_mtime  # noqa: PTH116 - several times a second, and a path takes longer
        except FileNotFoundError:
            return frozenset()
        # A file system's clock is coarse: two changes in quick succession may have the same time.
        self.changed = written != self._read[0] or abs(time.time() - written) < COARSE
        if self.changed:
            self._read = written, wanted_seats(self._folder)
        return self._read[1]


def seat_path(folder: Path, table: str, suffix: str) -> Path:
    """Return the path of a file of a seat; raise ValueError for a name that is not a plain word, as in a bad invite."""
    if not _NAME.fullmatch(table):
        raise ValueError(f"not a table: {table!r}")
    return folder / FOLDER / (table + suffix)


def tables_with(folder: Path, suffix: str) -> list[str]:
    """Return tables with a file of this kind, the newest first; copies that other programs make have other names."""
    names = (path.name.removesuffix(suffix) for path in newest_first(folder / FOLDER, suffix))
    return [name for name in names if _NAME.fullmatch(name)]


def _is_still(path: Path, descriptor: int) -> bool:
    """Return whether this open file still has that name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        # Not lockf, which would let one program take a seat twice.
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def keeper_runs(folder: Path) -> bool:
    """Return whether a keeper holds the seats that no screen does."""
    return seat_held(folder, KEEPER)


def seat_held(folder: Path, table: str) -> bool:
    """Return whether any program on this machine holds this seat."""
    if not seat_path(folder, table, LOCK).exists():
        return False
    try:
        with SeatLock(folder, table):
            return False
    except SeatTaken:
        return True
