"""The disk of a client: its private seat file with its lock, and the growing game file."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Protocol

from wasabi_protocol.game.chain import State
from wasabi_protocol.game.events import Blamed, EntryAccepted, Event, SlotClosed, SlotsUndone
from wasabi_protocol.game.record import found_record, read_record, write_item, write_record
from wasabi_protocol.signed.envelope import Item, Signed
from wasabi_protocol.signed.identity import base32
from wasabi_protocol.verdicts import Refused

from ...games.plans import NO_PLANS, UNREADABLE, Plans
from ...store.durable import GrowingFile
from ...store.games import SUFFIX, create_game, read_game, reopen_game
from ...store.seat_notes import AWAY, CALLED, PLANS, SITUATION, SLOT, read_note, remove_note, write_note
from ...store.seats import SeatFile, SeatHold, seat_path
from ..client.talk import shown_name
from .seat import SavedSeat, SeatBroken
from .situation import Situation

SHORT = 6
"""Letters of a table's name that people see."""
LONGEST_NAME = 12
LONGEST_NUMBER = 20


class Disk(Protocol):
    """A client's disk. Every call returns when its data is safe; after an `OSError` it is not, and nothing was sent."""

    def save_seat(self, seat: SavedSeat) -> None:
        """Replace the private side of the seat."""

    def begin(self, head: bytes) -> str:
        """Create a game file that starts with these bytes; return its name."""

    def append(self, data: bytes) -> None:
        """Append to the game file."""

    def note(self, situation: Situation | None) -> None:
        """Save the game's situation for the list of unfinished games; None removes it from the list."""

    def plans(self) -> Plans:
        """Return our person's plans for later turns."""

    def save_plans(self, plans: Plans) -> None:
        """Replace our person's plans."""

    def slot_age(self, link: bytes, now: float) -> float:
        """Return for how many seconds the slot after this link has been known here, across programs."""

    def away(self, slot: int) -> None:
        """Note that a keeper goes on after this slot; the first such note is the last slot our person saw."""

    def back(self) -> int | None:
        """Note that our person is back; return the last slot they saw, or None if no keeper has been here since."""


class NoDisk:
    """A disk that saves nothing, for watchers."""

    def save_seat(self, seat: SavedSeat) -> None:
        del seat

    def begin(self, head: bytes) -> str:
        del head
        return ""

    def append(self, data: bytes) -> None:
        del data

    def note(self, situation: Situation | None) -> None:
        del situation

    def plans(self) -> Plans:
        return NO_PLANS

    def save_plans(self, plans: Plans) -> None:
        del plans

    def slot_age(self, link: bytes, now: float) -> float:
        del link, now
        return 0.0

    def away(self, slot: int) -> None:
        del slot

    def back(self) -> int | None:
        return None


class FileDisk:
    """One seat at one table; `name` is the table, with a suffix for a bot of the same person."""

    def __init__(self, folder: Path, table: str, name: str | None = None) -> None:
        self.folder = folder
        self.table = table
        self._name = name or table
        self._seat = SeatFile(folder, self._name)
        self.seat_hold = SeatHold(folder, self._name)
        """Acquire this lock before reading or writing the seat in order to play it."""
        self._game: GrowingFile | None = None

    @property
    def path(self) -> Path | None:
        """The game's file, once there is one."""
        return None if self._game is None else self._game.path

    @property
    def exists(self) -> bool:
        """True if this seat was ever saved here."""
        return self._seat.path.exists()

    def seat(self) -> SavedSeat | None:
        """Return the saved seat, or None; raise `SeatBroken` if it cannot be read."""
        data = self._seat.read()
        return None if data is None else SavedSeat.load(data)

    def save_seat(self, seat: SavedSeat) -> None:
        self._seat.write(seat.dump())
        if seat.over:
            self._clear()

    def note(self, situation: Situation | None) -> None:
        """Save the situation only if it is new: the age of the note is the age of the situation."""
        if situation is None:
            self._remove(SITUATION)
        elif situation != self.situation():
            self._write(SITUATION, situation.dump())

    def situation(self) -> Situation | None:
        """Return the last saved situation; None if there is none, or it cannot be read."""
        try:
            return Situation.load(self._read(SITUATION)[0])
        except OSError:
            return None

    def forget(self) -> None:
        """Delete everything saved for this seat."""
        self._seat.delete()
        self._clear()

    def _clear(self) -> None:
        """Remove the notes beside the seat, which are no longer needed."""
        for kind in (SITUATION, PLANS, AWAY, CALLED, SLOT):
            self._remove(kind)

    def slot_age(self, link: bytes, now: float) -> float:
        """Return the age by wall-clock time: the client's own clock restarts with each program."""
        del now
        with suppress(OSError):
            try:
                text, since = self._read(SLOT)
            except FileNotFoundError:
                text, since = "", 0.0
            if text == link.hex():
                return max(0.0, time.time() - since)
            self._write(SLOT, link.hex())
        return 0.0

    def plans(self) -> Plans:
        try:
            return Plans.load(self._read(PLANS)[0])
        except FileNotFoundError:
            return NO_PLANS
        except OSError:
            return UNREADABLE

    def save_plans(self, plans: Plans) -> None:
        if plans == NO_PLANS:
            self._remove(PLANS)
        else:
            self._write(PLANS, plans.dump())

    def away(self, slot: int) -> None:
        if not seat_path(self.folder, self._name, AWAY).exists():
            self._write(AWAY, str(slot))

    def back(self) -> int | None:
        try:
            noted, _ = self._read(AWAY)
        except FileNotFoundError:
            return None
        except OSError:
            noted = ""
        self._remove(AWAY)
        return int(noted) if noted.isdigit() and len(noted) < LONGEST_NUMBER else None

    def _read(self, kind: str) -> tuple[str, float]:
        return read_note(self.folder, self._name, kind)

    def _write(self, kind: str, text: str) -> None:
        write_note(self.folder, self._name, kind, text)

    def _remove(self, kind: str) -> None:
        remove_note(self.folder, self._name, kind)

    def begin(self, head: bytes) -> str:
        # Only this seat uses this suffix, and it is locked: a file with nothing but the head was left by a crash.
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
        """Reopen the game's file and return its entries; cut a record torn by a crash; raise `SeatBroken` if it is no
        game.
        """
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
        self.seat_hold.let_go()


def watcher_disk(folder: Path, table: str, key: bytes, saved: bool) -> Disk:
    """Return the locked disk for a watcher with this key; one that saves nothing without `saved`."""
    if not saved:
        return NoDisk()
    disk = FileDisk(folder, table, f"{table}-watch-{base32(key)[:8]}")
    disk.seat_hold.acquire()
    return disk


@contextmanager
def releasing(disk: Disk) -> Iterator[None]:
    """Close a disk that was locked for something that failed."""
    try:
        yield
    except BaseException:
        if isinstance(disk, FileDisk):
            disk.close()
        raise


def _people(head: bytes) -> list[str]:
    """Return the players' names as short parts of a file name, with letters and digits only."""
    joins = found_record(read_record(head)[0]).joins
    names = ("".join(letter for letter in shown_name(join.name, join.key) if letter.isalnum()) for join in joins)
    return [name.casefold()[:LONGEST_NAME] for name in names if name]


def _torn(data: bytes, items: list[Item]) -> int:
    """Return the number of bytes at the end that are not a whole record."""
    return len(data) - len(write_record(items))


class Ledger:
    """Writes each message of a game to disk once."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._known: set[tuple[bytes, bytes]] = set()
        self._waiting: list[bytes] = []

    def known(self, items: Iterable[tuple[bytes, bytes]]) -> None:
        """Note that these items are already in the file."""
        self._known.update(items)

    def own(self, key: bytes, envelope: bytes) -> None:
        """Save our own message, and everything before it; if that fails, it was never sent."""
        if (key, envelope) in self._known:
            return
        self._disk.append(b"".join([*self._waiting, write_item(key, envelope)]))
        self._waiting.clear()
        self._known.add((key, envelope))

    def said(self, signed: Iterable[Signed]) -> None:
        """Queue messages that change no slot by themselves and are few per seat: wishes, statements.

        Ballots are not among them: a seat can cast as many as it likes. Those that count make a slot.
        """
        for each in signed:
            self._note_signed(each)

    def note_events(self, events: Iterable[Event[State]]) -> None:
        """Queue the messages that the log accepted."""
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
        """Write everything queued to disk; it stays queued if that fails."""
        if self._waiting:
            self._disk.append(b"".join(self._waiting))
            self._waiting.clear()
