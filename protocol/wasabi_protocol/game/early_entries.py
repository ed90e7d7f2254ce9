"""Early entries, whose past is not known here yet: stored per seat within bounds, released when it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wasabi_protocol.game.chain import Header
    from wasabi_protocol.signed.envelope import Signed

MAX_ENTRIES = 1024
MAX_BYTES = 1_000_000


@dataclass
class _Waiting:
    """The stored entries of one seat, by slot and then by the hash of the body."""

    slots: dict[int, dict[bytes, tuple[Signed, Header]]] = field(default_factory=dict)
    count: int = 0
    size: int = 0

    def put(self, signed: Signed, header: Header) -> None:
        self.slots.setdefault(header.slot, {})[signed.body_hash] = (signed, header)
        self.count += 1
        self.size += len(signed.envelope)

    def drop(self, signed: Signed, header: Header) -> None:
        bodies = self.slots[header.slot]
        del bodies[signed.body_hash]
        if not bodies:
            del self.slots[header.slot]
        self.count -= 1
        self.size -= len(signed.envelope)


class EarlyEntries:
    """At most 1,024 entries and 1,000,000 bytes per seat; when space runs out, the nearest slots are kept.

    That is more than a long game has; a late joiner may get the whole log of one seat before any other's.
    """

    def __init__(self) -> None:
        self._seats: dict[int, _Waiting] = {}

    def add(self, signed: Signed, header: Header) -> None:
        """Store an entry, dropping entries of later slots for space; raise HOLD_FULL if that is not enough."""
        waiting = self._seats.setdefault(header.seat, _Waiting())
        if signed.body_hash in waiting.slots.get(header.slot, {}):
            return
        count, size = waiting.count + 1, waiting.size + len(signed.envelope)
        give_up: list[tuple[Signed, Header]] = []
        if count > MAX_ENTRIES or size > MAX_BYTES:
            later = sorted(slot for slot in waiting.slots if slot > header.slot)
            last = [entry for slot in later for entry in waiting.slots[slot].values()]
            while count > MAX_ENTRIES or size > MAX_BYTES:
                if not last:
                    raise Refused(Code.HOLD_FULL)
                give_up.append(last.pop())
                count -= 1
                size -= len(give_up[-1][0].envelope)
        for entry in give_up:
            waiting.drop(*entry)
        waiting.put(signed, header)

    def pop(self, slot: int, prev: bytes) -> list[tuple[Signed, Header]]:
        """Remove and return the entries that waited for exactly this past, in seat order."""
        found: list[tuple[Signed, Header]] = []
        for _, waiting in sorted(self._seats.items()):
            ready = [entry for entry in waiting.slots.get(slot, {}).values() if entry[1].prev == prev]
            for entry in ready:
                waiting.drop(*entry)
            found += ready
        return found

    def rival(self, signed: Signed, header: Header) -> Signed | None:
        """Return another body of the same seat for the same epoch and slot, if there is one."""
        waiting = self._seats.get(header.seat, _Waiting())
        for other, theirs in waiting.slots.get(header.slot, {}).values():
            if theirs.epoch == header.epoch and other.body != signed.body:
                return other
        return None

    def __iter__(self) -> Iterator[Header]:
        for waiting in self._seats.values():
            for bodies in waiting.slots.values():
                for _, header in bodies.values():
                    yield header

    def __len__(self) -> int:
        return sum(waiting.count for waiting in self._seats.values())
