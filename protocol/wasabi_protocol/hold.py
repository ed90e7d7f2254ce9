"""Entries whose past is not known here yet: kept for each seat within bounds, handed back when it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from wasabi_protocol.chain import Header
    from wasabi_protocol.envelope import Signed

MAX_ENTRIES = 64
MAX_BYTES = 256_000


class Hold:
    """At most 64 entries and 256,000 bytes a seat; the nearest slots stay when there is no room for all."""

    def __init__(self) -> None:
        self._seats: dict[int, dict[bytes, tuple[Signed, Header]]] = {}

    def add(self, signed: Signed, header: Header) -> None:
        """Keep an entry; HOLD_FULL if only entries of later slots could make room and there are none."""
        waiting = self._seats.setdefault(header.seat, {})
        if signed.body_hash in waiting:
            return
        later = sorted(
            (entry for entry in waiting.values() if entry[1].slot > header.slot),
            key=lambda entry: entry[1].slot,
        )
        count = len(waiting)
        size = sum(len(entry[0].envelope) for entry in waiting.values())
        give_up: list[bytes] = []
        while count >= MAX_ENTRIES or size + len(signed.envelope) > MAX_BYTES:
            if not later:
                raise Refused(Code.HOLD_FULL)
            dropped, _ = later.pop()
            give_up.append(dropped.body_hash)
            count -= 1
            size -= len(dropped.envelope)
        for name in give_up:
            del waiting[name]
        waiting[signed.body_hash] = (signed, header)

    def take(self, slot: int, prev: bytes) -> list[tuple[Signed, Header]]:
        """The entries that were waiting for exactly this past, by seat; they are no longer held."""
        found: list[tuple[Signed, Header]] = []
        for seat in sorted(self._seats):
            waiting = self._seats[seat]
            ready = [entry for entry in waiting.values() if entry[1].slot == slot and entry[1].prev == prev]
            for signed, _ in ready:
                del waiting[signed.body_hash]
            found += ready
        return found

    def rival(self, signed: Signed, header: Header) -> Signed | None:
        """Another body of the same seat for the same epoch and slot."""
        place = (header.epoch, header.slot)
        for other, theirs in self._seats.get(header.seat, {}).values():
            if (theirs.epoch, theirs.slot) == place and other.body != signed.body:
                return other
        return None

    def __len__(self) -> int:
        return sum(len(waiting) for waiting in self._seats.values())
