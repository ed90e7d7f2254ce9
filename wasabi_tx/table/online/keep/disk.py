"""The disk of a client: its private seat file with its lock, and the game file as it grows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from wasabi_protocol.game.chain import State
from wasabi_protocol.game.events import Blamed, EntryAccepted, Event, SlotClosed, SlotsUndone
from wasabi_protocol.game.record import found_record, read_record, write_item, write_record
from wasabi_protocol.signed.envelope import Item, Signed
from wasabi_protocol.signed.identity import base32
from wasabi_protocol.verdicts import Refused

from ....store.durable import GrowingFile
from ....store.games import SUFFIX, create_game, read_game, reopen_game
from ....store.seats import (
    SeatFile,
    SeatHold,
    read_ahead,
    read_situation,
    remove_called,
    remove_situation,
    remove_slot,
    slot_age,
    take_away,
    write_ahead,
    write_away,
    write_situation,
)
from ...ahead import NOTHING, UNREADABLE, Ahead
from ..client.talk import shown_name
from .seat import SavedSeat, SeatBroken
from .situation import Situation

SHORT = 6
"""Letters of a table's name that people see."""
LONGEST_NAME = 12


class Disk(Protocol):
    """Every call returns when what it was given is safe; an `OSError` means that it is not, and nothing was sent."""

    def keep(self, seat: SavedSeat) -> None:
        """The private side, in the place of the one before."""

    def begin(self, head: bytes) -> str:
        """A new game file that starts with these bytes; its name."""

    def append(self, data: bytes) -> None:
        """More of the game file."""

    def note(self, situation: Situation | None) -> None:
        """How the game stands now, for the list of unfinished games; None if it is in no such list."""

    def ahead(self) -> Ahead:
        """What our person has left for later turns."""

    def leave(self, ahead: Ahead) -> None:
        """The same, in the place of what was there before."""

    def slot_age(self, link: bytes, now: float) -> float:
        """For how many seconds the slot after this link has been known here, whichever programs were there since."""

    def away(self, slot: int) -> None:
        """A keeper goes on after this slot; if none did before, it is the last that our person saw."""

    def back(self) -> int | None:
        """Our person sits here again: the last slot that they saw; None if no keeper has been here since."""


class NoDisk:
    """For watchers who keep nothing."""

    def keep(self, seat: SavedSeat) -> None:
        del seat

    def begin(self, head: bytes) -> str:
        del head
        return ""

    def append(self, data: bytes) -> None:
        del data

    def note(self, situation: Situation | None) -> None:
        del situation

    def ahead(self) -> Ahead:
        return NOTHING

    def leave(self, ahead: Ahead) -> None:
        del ahead

    def slot_age(self, link: bytes, now: float) -> float:
        del link, now
        return 0.0

    def away(self, slot: int) -> None:
        del slot

    def back(self) -> int | None:
        return None


class FileDisk:
    """One seat at one table; `name` is the table, with something after it for a bot of the same person."""

    def __init__(self, folder: Path, table: str, name: str | None = None) -> None:
        self.folder = folder
        self.table = table
        self._name = name or table
        self._seat = SeatFile(folder, self._name)
        self.hold = SeatHold(folder, self._name)
        """Has to be taken, or kept, before anything here is read or written by who plays the seat."""
        self._game: GrowingFile | None = None

    @property
    def path(self) -> Path | None:
        """The game's file, once there is one."""
        return None if self._game is None else self._game.path

    @property
    def exists(self) -> bool:
        """Whether this seat was ever kept here."""
        return self._seat.path.exists()

    def seat(self) -> SavedSeat | None:
        """What was kept of this seat; `SeatBroken` if it cannot be read."""
        data = self._seat.read()
        return None if data is None else SavedSeat.load(data)

    def keep(self, seat: SavedSeat) -> None:
        self._seat.write(seat.dump())
        if seat.over:
            self._clear()

    def note(self, situation: Situation | None) -> None:
        """Notes only what is new: the note says since when it is so."""
        if situation is None:
            remove_situation(self.folder, self._name)
        elif situation != self.situation():
            write_situation(self.folder, self._name, situation.dump())

    def situation(self) -> Situation | None:
        """What was last noted of the game; None if nothing was, or nothing that can be read."""
        try:
            return Situation.load(read_situation(self.folder, self._name)[0])
        except OSError:
            return None

    def forget(self) -> None:
        """Nothing is kept of this seat."""
        self._seat.delete()
        self._clear()

    def _clear(self) -> None:
        """What lies beside the seat is of no use any more."""
        self.note(None)
        self.leave(NOTHING)
        self.back()
        remove_called(self.folder, self._name)
        remove_slot(self.folder, self._name)

    def slot_age(self, link: bytes, now: float) -> float:
        """By the clock on the wall: the client's own clock begins anew with each program."""
        del now
        try:
            return slot_age(self.folder, self._name, link)
        except OSError:
            return 0.0

    def ahead(self) -> Ahead:
        try:
            text = read_ahead(self.folder, self._name)
        except OSError:
            return UNREADABLE
        return Ahead.load(text) if text else NOTHING

    def leave(self, ahead: Ahead) -> None:
        write_ahead(self.folder, self._name, "" if ahead == NOTHING else ahead.dump())

    def away(self, slot: int) -> None:
        write_away(self.folder, self._name, slot)

    def back(self) -> int | None:
        return take_away(self.folder, self._name)

    def begin(self, head: bytes) -> str:
        # The end of the name is this seat's alone, and so is its lock: a file that only begins was left by a crash.
        ending = self._name.replace(self.table, self.table[:SHORT], 1)
        for left in self.folder.glob(f"*-{ending}{SUFFIX}"):
            if left.stat().st_size == len(head) and read_game(left) == head:
                self._game = reopen_game(left, len(head))
                return left.name
        day = f"{datetime.now().astimezone():%Y-%m-%d}"
        self._game = create_game(self.folder, "-".join([day, *_people(head), ending]), head)
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
        self.hold.let_go()


def watcher_disk(folder: Path, table: str, key: bytes, keep: bool) -> Disk:
    """Where somebody who looks on under this key keeps the game, held for this program; nowhere without `keep`."""
    if not keep:
        return NoDisk()
    disk = FileDisk(folder, table, f"{table}-watch-{base32(key)[:8]}")
    disk.hold.take()
    return disk


@contextmanager
def releasing(disk: Disk) -> Iterator[None]:
    """Lets go of a seat that was taken if what it was taken for does not come about."""
    try:
        yield
    except BaseException:
        if isinstance(disk, FileDisk):
            disk.close()
        raise


def _people(head: bytes) -> list[str]:
    """The names of the players as parts of a file's name: letters and digits, few of them."""
    joins = found_record(read_record(head)[0]).joins
    names = ("".join(letter for letter in shown_name(join.name, join.key) if letter.isalnum()) for join in joins)
    return [name.casefold()[:LONGEST_NAME] for name in names if name]


def _torn(data: bytes, items: list[Item]) -> int:
    """How many bytes at the end are no whole record."""
    return len(data) - len(write_record(items))


class Ledger:
    """What of a game has been written down, each thing once."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._known: set[tuple[bytes, bytes]] = set()
        self._waiting: list[bytes] = []

    def known(self, items: Iterable[tuple[bytes, bytes]]) -> None:
        """These are in the file already."""
        self._known.update(items)

    def own(self, key: bytes, envelope: bytes) -> None:
        """Returns when our own words are safe, and everything before them; if that fails, they were never said."""
        if (key, envelope) in self._known:
            return
        self._disk.append(b"".join([*self._waiting, write_item(key, envelope)]))
        self._waiting.clear()
        self._known.add((key, envelope))

    def said(self, signed: Iterable[Signed]) -> None:
        """Words of which each seat has a few, that change no slot by themselves: wishes, statements.

        Ballots are not among them: a seat can cast as many as it likes. Those that count make a slot.
        """
        for each in signed:
            self._note_signed(each)

    def note_events(self, events: Iterable[Event[State]]) -> None:
        """Notes what the log took in."""
        for event in events:
            match event:
                case EntryAccepted(entry):
                    self._note_signed(entry.signed)
                case SlotClosed(slot) if slot.voted:
                    for signed in slot.bodies:
                        self._note_signed(signed)
                case Blamed(evidence):
                    for signed in evidence.bodies:
                        self._note_signed(signed)
                case SlotsUndone(_, words):
                    for signed in words:
                        self._note_signed(signed)

    def _note_signed(self, signed: Signed) -> None:
        self._note(signed.key, signed.envelope)

    def _note(self, key: bytes, envelope: bytes) -> None:
        if (key, envelope) not in self._known:
            self._known.add((key, envelope))
            self._waiting.append(write_item(key, envelope))

    def flush(self) -> None:
        """Brings to disk what waits; what failed waits on."""
        if self._waiting:
            self._disk.append(b"".join(self._waiting))
            self._waiting.clear()
