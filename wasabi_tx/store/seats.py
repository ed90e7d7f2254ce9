"""The private side of a seat at a table, for the eyes of one person and the hands of one program."""

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
"""Seconds that a keeper may take to hand a seat over; it usually takes a fraction of one."""
GLANCE = 0.5
"""Seconds for which a keeper that looks whether somebody wants a seat may hold the wish itself."""
LOOK_AGAIN = 0.02
COARSE = 2.5
"""Seconds within which two changes of a folder may bear the same time."""
SITUATION = ".situation"
CALLED = ".called"
AHEAD = ".ahead"
AWAY = ".away"
SLOT = ".slot"
KEEPER = "keeper"
"""The name of the lock of the one keeper that a person needs."""
LARGEST_NOTE = 10_000
LARGEST_NUMBER = 20
LARGEST_AHEAD = 100_000
_NAME = re.compile(r"[a-z0-9-]{1,64}")


class SeatTaken(Exception):
    """Another program on this machine sits here."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


class SeatFile:
    """What a seat keeps to itself; `folder` is the games folder, in which `seats` is ours alone."""

    def __init__(self, folder: Path, table: str) -> None:
        self.path = _place(folder, table, SUFFIX)

    def read(self) -> bytes | None:
        try:
            return read_all(self.path, LARGEST)
        except FileNotFoundError:
            return None

    def write(self, data: bytes) -> None:
        """Returns when the new bytes are on disk in the place of the old ones."""
        make_private_folder(self.path.parent)
        replace_file(self.path, data, PRIVATE)

    def delete(self) -> None:
        remove_file(self.path)


def list_seats(folder: Path) -> list[str]:
    """Tables at which there is a seat, the one last written to first."""
    return _tables(folder, SUFFIX)


def seat_written(folder: Path, table: str) -> float:
    """When a seat was last written to."""
    return SeatFile(folder, table).path.stat().st_mtime


def write_situation(folder: Path, table: str, text: str) -> None:
    """Notes how the game of a seat stands; the file is as old as what it says."""
    path = _place(folder, table, SITUATION)
    make_private_folder(path.parent)
    replace_file(path, text.encode(), PRIVATE)


def read_situation(folder: Path, table: str) -> tuple[str, float]:
    """What was last noted of a seat's game, and when; a `FileNotFoundError` if nothing was."""
    return _read_note(_place(folder, table, SITUATION))


def remove_situation(folder: Path, table: str) -> None:
    """Nothing is noted of this seat's game any more."""
    remove_file(_place(folder, table, SITUATION))


def list_situations(folder: Path) -> list[str]:
    """Tables of whose games something is noted, the newest note first."""
    return _tables(folder, SITUATION)


def write_ahead(folder: Path, table: str, text: str) -> None:
    """Keeps what a person has left for later turns at a table; nothing any more if it is empty."""
    path = _place(folder, table, AHEAD)
    if text:
        make_private_folder(path.parent)
        replace_file(path, text.encode(), PRIVATE)
    else:
        remove_file(path)


def read_ahead(folder: Path, table: str) -> str:
    """What they have left there; empty if it is nothing."""
    try:
        return read_all(_place(folder, table, AHEAD), LARGEST_AHEAD).decode(errors="replace")
    except FileNotFoundError:
        return ""


def slot_age(folder: Path, table: str, link: bytes) -> float:
    """For how many seconds by this machine's clock a slot of a game has been known here; a new one is noted."""
    path, text = _place(folder, table, SLOT), link.hex().encode()
    try:
        if read_all(path, LARGEST_NOTE) == text:
            return max(0.0, time.time() - path.stat().st_mtime)
    except FileNotFoundError:
        make_private_folder(path.parent)
    replace_file(path, text, PRIVATE)
    return 0.0


def remove_slot(folder: Path, table: str) -> None:
    remove_file(_place(folder, table, SLOT))


def write_away(folder: Path, table: str, slot: int) -> None:
    """Notes the last slot that a person saw at a table, unless they have been away since before."""
    path = _place(folder, table, AWAY)
    if not path.exists():
        make_private_folder(path.parent)
        replace_file(path, str(slot).encode(), PRIVATE)


def take_away(folder: Path, table: str) -> int | None:
    """The last slot that a person saw there before they were away; they are back."""
    path = _place(folder, table, AWAY)
    try:
        noted = read_all(path, LARGEST_NUMBER)
    except FileNotFoundError:
        return None
    except OSError:
        noted = b""
    remove_file(path)
    return int(noted) if noted.isdigit() else None


def write_called(folder: Path, table: str, occasion: str) -> None:
    """Notes for what a person was last called to a table."""
    path = _place(folder, table, CALLED)
    make_private_folder(path.parent)
    replace_file(path, occasion.encode(), PRIVATE)


def read_called(folder: Path, table: str) -> tuple[str, float]:
    """For what a person was last called there, and when; a `FileNotFoundError` if they never were."""
    return _read_note(_place(folder, table, CALLED))


def remove_called(folder: Path, table: str) -> None:
    """They were called for nothing there."""
    remove_file(_place(folder, table, CALLED))


class SeatLock:
    """Holds a seat for this program; the operating system lets go of it when the program dies."""

    def __init__(self, folder: Path, table: str, suffix: str = LOCK) -> None:
        self.table = table
        self._path = _place(folder, table, suffix)
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        return self._descriptor is not None

    def wait(self, patience: float) -> None:
        """Takes it, as soon as it is free; `SeatTaken` if it is not free within the given seconds."""
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
                # Who held it before us may have removed the file between our two calls.
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
    """Who holds a seat: a program with a person or a bot, or a keeper until such a program wants the seat.

    The program holds a wish for the seat as long as it wants or has it. A keeper takes no seat that is wished for, and
    lets go of one as soon as it is. Wish and seat are locks of the operating system: no death leaves one behind.
    """

    def __init__(self, folder: Path, table: str) -> None:
        self._wish = SeatLock(folder, table, WANTED)
        self._seat = SeatLock(folder, table)

    @property
    def held(self) -> bool:
        return self._seat.held

    def take(self, patience: float = GLANCE) -> None:
        """For a person or a bot; a keeper lets go of it.

        `SeatTaken` if another such program has the seat and does not end within so many seconds.
        """
        if self.held:
            raise SeatTaken(self._seat.table)
        self._wish.wait(patience)
        try:
            self._seat.wait(HAND_OVER)
        except BaseException:
            self._wish.__exit__(None, None, None)
            raise

    def keep(self) -> None:
        """For a keeper; `SeatTaken` if anybody has the seat or wants it."""
        with self._wish:
            self._seat.__enter__()

    def let_go(self) -> None:
        self._seat.__exit__(None, None, None)
        self._wish.__exit__(None, None, None)


def wanted_seats(folder: Path) -> frozenset[str]:
    """Tables at which somebody wants or has a seat, or died there."""
    return frozenset(_tables(folder, WANTED))


class WantedSeats:
    """The wishes for seats, for who looks often: a folder in which no name came or went is not read again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._place = str(folder / FOLDER)
        self._read: tuple[float, frozenset[str]] = (-1.0, frozenset())
        self.changed = True
        """Whether the last look found that a seat may have come, gone or been written to."""

    def look(self) -> frozenset[str]:
        """The same as `wanted_seats`."""
        try:
            written = os.stat(self._place).st_mtime  # noqa: PTH116 - several times a second, and a path takes longer
        except FileNotFoundError:
            return frozenset()
        # The clock of a file system is coarse: what changes soon after a change may bear the same time.
        self.changed = written != self._read[0] or abs(time.time() - written) < COARSE
        if self.changed:
            self._read = written, wanted_seats(self._folder)
        return self._read[1]


def _place(folder: Path, table: str, suffix: str) -> Path:
    """Names of tables come from invites: one that is no plain word leads nowhere."""
    if not _NAME.fullmatch(table):
        raise ValueError(f"not a table: {table!r}")
    return folder / FOLDER / (table + suffix)


def _tables(folder: Path, suffix: str) -> list[str]:
    """Tables with a file of this kind, the newest first; copies that other programs make have other names."""
    names = (path.name.removesuffix(suffix) for path in newest_first(folder / FOLDER, suffix))
    return [name for name in names if _NAME.fullmatch(name)]


def _read_note(path: Path) -> tuple[str, float]:
    return read_all(path, LARGEST_NOTE).decode(errors="replace"), path.stat().st_mtime


def _is_still(path: Path, descriptor: int) -> bool:
    """Whether this open file is the one of that name."""
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
        # Not lockf: that lets one program take a seat twice.
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def keeper_runs(folder: Path) -> bool:
    """Whether a keeper holds the seats that no screen does."""
    return seat_held(folder, KEEPER)


def seat_held(folder: Path, table: str) -> bool:
    """Whether any program of this machine sits there."""
    if not _place(folder, table, LOCK).exists():
        return False
    try:
        with SeatLock(folder, table):
            return False
    except SeatTaken:
        return True
