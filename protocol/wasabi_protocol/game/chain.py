"""The chain of slots: an entry's place, the past it names, and closed slots."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

import msgpack

from wasabi_protocol.signed.canonical import encode
from wasabi_protocol.signed.codec import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wasabi_protocol.signed.envelope import Signed
    from wasabi_protocol.signed.messages import Entry

LINK_LABEL = b"wsb1 slot\x00"
CUT_LABEL = b"wsb1 cut\x00"
_HEADER_KEYS = ("v", "t", "gid", "epoch", "slot", "seat", "prev")
_HEADER_BYTES = 256
_MOST = 2**32 - 1


def link(bodies: Iterable[bytes]) -> bytes:
    """Return the `prev` of the next slot's entries: a hash of the bodies in seat order, without signatures."""
    digest = hashlib.sha256(LINK_LABEL)
    for body in bodies:
        digest.update(len(body).to_bytes(4, "big"))
        digest.update(body)
    return digest.digest()


def cut_link(prev: bytes, out: int) -> bytes:
    """Return the link after a seat was voted out; it depends on the past and the seat, not on voters or rounds."""
    return hashlib.sha256(CUT_LABEL + prev + bytes([out])).digest()


@dataclass(frozen=True, slots=True)
class Header:
    """The first fields of an entry, readable even if the rest is malformed."""

    type: str
    gid: bytes
    epoch: int
    slot: int
    seat: int
    prev: bytes


def read_header(body: bytes) -> Header | None:
    """Return the header at the start of canonical bytes, or None if they do not start an entry."""
    if not body or not 0x80 | len(_HEADER_KEYS) <= body[0] <= 0x8F:
        return None
    unpacker = msgpack.Unpacker(raw=False, max_buffer_size=_HEADER_BYTES, max_ext_len=0, max_array_len=0)
    unpacker.feed(body[1:_HEADER_BYTES])
    try:
        values = [unpacker.unpack() for _ in range(2 * len(_HEADER_KEYS))]
    except (ValueError, TypeError, OverflowError, msgpack.UnpackException):
        return None
    version, name, gid, epoch, slot, seat, prev = values[1::2]
    if tuple(values[::2]) != _HEADER_KEYS or type(version) is not int or version != VERSION:
        return None
    if type(name) is not str or not all(type(part) is bytes and len(part) == 32 for part in (gid, prev)):
        return None
    if not all(type(number) is int and 0 <= number <= _MOST for number in (epoch, slot, seat)):
        return None
    if not body[1:].startswith(b"".join(encode(value) for value in values)):
        return None
    return Header(name, gid, epoch, slot, seat, prev)


class VerifiedEntry:
    """An entry whose signature and content are valid against the log it names; only a log creates one."""

    __slots__ = ("header", "message", "signed", "work")
    signed: Signed
    header: Header
    message: Entry
    work: object

    def __init__(self) -> None:
        raise TypeError("only a log makes a VerifiedEntry")

    @property
    def seat(self) -> int:
        return self.header.seat

    def __repr__(self) -> str:
        header = self.header
        return f"VerifiedEntry({header.type}, slot {header.slot}, seat {header.seat})"


def verified_entry(signed: Signed, header: Header, message: Entry, work: object) -> VerifiedEntry:
    """Return an entry together with the work that its state derived from it."""
    entry = object.__new__(VerifiedEntry)
    entry.signed, entry.header, entry.message, entry.work = signed, header, message, work
    return entry


class State(Protocol):
    """The meaning of a game's log after a slot: an immutable value."""

    @property
    def epoch(self) -> int: ...

    @property
    def seats(self) -> tuple[int, ...]:
        """The current key set, ascending."""

    @property
    def owed(self) -> tuple[int, ...]:
        """The seats that owe an entry in the next slot, ascending; none when the game is over."""

    @property
    def played(self) -> bool:
        """True once the game has begun, so that there is something to lose."""

    @property
    def bots(self) -> frozenset[int]:
        """The seats played by a program, whoever runs it."""

    def judge(self, entry: Entry) -> object:
        """Return the checked content of an owed seat's entry; raise Invalid if it is wrong."""

    def close(self, entries: Sequence[VerifiedEntry]) -> Self:
        """Return the state after a slot of exactly the owed entries; raise Invalid if they contradict each other."""

    def without(self, out: int, epoch: int) -> Self:
        """Return the first state of the given new epoch, after a seat is voted out here."""


S_co = TypeVar("S_co", bound=State, covariant=True)


@dataclass(frozen=True, slots=True)
class Slot(Generic[S_co]):
    """A closed slot: its signed bodies and their authors, the link for the next slot, and the resulting state."""

    number: int
    epoch: int
    bodies: tuple[Signed, ...]
    seats: tuple[int, ...]
    link: bytes
    state: S_co
    out: int | None = None
    doubted: bool = False
    """True if two votes were enough for this slot, so that one liar could make a different one with the third seat."""

    @property
    def voted(self) -> bool:
        """True if a vote made this slot."""
        return self.out is not None

    @property
    def voters(self) -> tuple[int, ...]:
        """The seats that went on without `out`."""
        return tuple(sorted(set(self.seats) - {self.out}))
