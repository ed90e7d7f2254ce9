"""The game's file as it grows: our own words are on disk before anybody hears them, others' soon after."""

from __future__ import annotations

from collections.abc import Iterable

from wasabi_protocol.envelope import Signed
from wasabi_protocol.events import Blamed, EntryAccepted, Event, SlotClosed
from wasabi_protocol.record import write_item

from .disk import Disk


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

    def follow(self, events: Iterable[Event]) -> None:
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
