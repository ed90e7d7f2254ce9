"""The disk of a client: its private seat file, its lock, and the game's file, in the games folder."""

from __future__ import annotations

from pathlib import Path

from wasabi_protocol.record import found_record, read_record, write_record
from wasabi_protocol.verdicts import Refused

from ...store.games import SUFFIX, GameFile, create_game, read_game, reopen_game
from ...store.seats import SeatFile, SeatLock
from .disk import Item, Seat, SeatBroken


class FileDisk:
    """One seat at one table; `name` is the table, with something after it for a bot of the same person."""

    def __init__(self, folder: Path, table: str, name: str | None = None) -> None:
        self.folder = folder
        self.table = table
        self._name = name or table
        self._seat = SeatFile(folder, self._name)
        self._lock = SeatLock(folder, self._name)
        self._game: GameFile | None = None

    def lock(self) -> None:
        """Raises `SeatTaken` if another program plays this seat."""
        self._lock.__enter__()

    @property
    def path(self) -> Path | None:
        """The game's file, once there is one."""
        return None if self._game is None else self._game.path

    @property
    def exists(self) -> bool:
        """Whether this seat was ever kept here."""
        return self._seat.path.exists()

    def seat(self) -> Seat | None:
        """What was kept of this seat; `SeatBroken` if it cannot be read."""
        data = self._seat.read()
        return None if data is None else Seat.load(data)

    def keep(self, seat: Seat) -> None:
        self._seat.write(seat.dump())

    def forget(self) -> None:
        """Nothing is kept of this seat."""
        self._seat.delete()

    def begin(self, head: bytes) -> str:
        # The name is this seat's alone, and so is its lock: a file that only begins is what a crash left of ours.
        left = self.folder / (self._name + SUFFIX)
        if left.is_file() and read_game(left) == head:
            self._game = reopen_game(left, len(head))
        else:
            self._game = create_game(self.folder, self._name, head)
        return self._game.path.name

    def append(self, data: bytes) -> None:
        if self._game is not None:
            self._game.append(data)

    def reopen(self, record: str) -> list[Item]:
        """The entries of the game so far; a record that a crash has torn is cut off; `SeatBroken` if it is no game."""
        path = self.folder / Path(record).name
        data = read_game(path)
        try:
            items, whole = read_record(data)
            found_record(items)
        except Refused:
            raise SeatBroken from None
        length = len(data) if whole else len(data) - _torn(data, items)
        self._game = reopen_game(path, length)
        return items

    def close(self) -> None:
        if self._game is not None:
            self._game.close()
        self._lock.__exit__(None, None, None)


def _torn(data: bytes, items: list[Item]) -> int:
    """How many bytes at the end are no whole record."""
    return len(data) - len(write_record(items))
