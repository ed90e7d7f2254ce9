"""Every signed message: its name on the wire and its fields in order, with their kinds and bounds.

A body is a msgpack map that starts with `v` and `t`; the fields follow in the order of the class. An entry of the log
starts with the fields of `Entry`, so that its place can be read even if the rest is malformed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from wasabi_protocol.signed.canonical import Value
from wasabi_protocol.signed.envelope import MAX_ENTRY
from wasabi_protocol.signed.fields import Binary, Flag, Integer, Many, OneOf, RowOf, Text, Whole

SMALL = "abcdefghijklmnopqrstuvwxyz0123456789"
MAX_SEATS = 4
MAX_SEALED_CARDS = 130
MAX_HELD = 64
MAX_CLOCK = 14 * 86_400

Key = Annotated[bytes, Binary((32,))]
Hash = Annotated[bytes, Binary((32,))]
Mark = Annotated[bytes, Binary((16,))]
MaybeKey = Annotated[bytes, Binary((0, 32))]
TableId = Annotated[str, Text(26, SMALL, exact=True)]
MaybeTableId = Annotated[str, Text(26, SMALL)]
Counter = Annotated[int, Integer(0, 2**32 - 1)]
Slot = Annotated[int, Integer(1, 99_999)]
Base = Annotated[int, Integer(0, 99_999)]
Epoch = Annotated[int, Integer(0, 400_003)]
Round = Annotated[int, Integer(1, 2**32 - 1)]
Seat = Annotated[int, Integer(0, MAX_SEATS - 1)]
Out = Annotated[int, Integer(0, MAX_SEATS)]
Yes = Annotated[bool, Flag()]
Name = Annotated[str, Text(64)]
Work = Annotated[Value, Whole()]
_ENVELOPE = Binary(most=MAX_ENTRY)
Envelopes = Annotated[tuple[bytes, ...], Many(_ENVELOPE, 0, MAX_HELD)]
SeatEnvelopes = Annotated[tuple[bytes, ...], Many(Binary(most=2_000), 2, MAX_SEATS)]
SeatItems = Annotated[tuple[tuple[bytes, bytes], ...], Many(RowOf((Binary((32,)), Binary(most=2_000))), 2, MAX_SEATS)]
Wishes = Annotated[tuple[bytes, ...], Many(Binary(most=400), 0, MAX_SEATS - 1)]
Items = Annotated[tuple[tuple[bytes, bytes], ...], Many(RowOf((Binary((32,)), _ENVELOPE)), 0, MAX_HELD)]


@dataclass(frozen=True)
class Terms:
    """The terms that a host offers and a join agrees to; `decks` are the sizes of the sealed decks."""

    edition: Annotated[str, Text(40, SMALL + "-")]
    edition_hash: Hash
    rules: Annotated[int, Integer(0, 65_535)]
    params: Hash
    decks: Annotated[tuple[int, ...], Many(Integer(0, MAX_SEALED_CARDS), 1, 8)]
    least: Annotated[int, Integer(2, MAX_SEATS)]
    most: Annotated[int, Integer(2, MAX_SEATS)]
    clock: Annotated[int, Integer(0, MAX_CLOCK)]
    options: Annotated[tuple[str, ...], Many(Text(20, SMALL + "-"), 0, 16)]


@dataclass(frozen=True)
class Message:
    """A signed body, parsed and checked field by field."""

    t: ClassVar[str]
    v: ClassVar[int] = 1
    """The version of the message's fields."""


# In the lobby


@dataclass(frozen=True)
class Offer(Message):
    t = "offer"
    table: TableId
    key: Key
    salt: Hash
    n: Counter
    terms: Terms
    door: MaybeKey
    name: Name
    taken: Annotated[int, Integer(0, MAX_SEATS)]
    begun: Yes


@dataclass(frozen=True)
class Closed(Message):
    t = "closed"
    table: TableId
    key: Key
    n: Counter


@dataclass(frozen=True)
class Birth(Message):
    t = "birth"
    v = 2
    key: Key
    nonce: Mark
    name: Name


@dataclass(frozen=True)
class Off(Message):
    t = "off"
    key: Key
    nonce: Mark


@dataclass(frozen=True)
class Say(Message):
    t = "say"
    table: MaybeTableId
    key: Key
    n: Counter
    text: Annotated[str, Text(500)]


# At the door


@dataclass(frozen=True)
class Knock(Message):
    """A request for a seat by somebody without the invite; `box` is the key to seal the invite to."""

    t = "knock"
    table: TableId
    key: Key
    box: Key
    n: Counter
    name: Name
    gone: Yes


@dataclass(frozen=True)
class Knocked(Message):
    """The host's answer: the invite, sealed to the box of that knock; empty if the guest is turned away."""

    t = "knocked"
    table: TableId
    key: Key
    guest: Key
    box: Key
    sealed: Annotated[bytes, Binary(most=2_000)]


@dataclass(frozen=True)
class Seek(Message):
    """A wish to play with anybody whose terms are the same, at a private table of the one who says it."""

    t = "seek"
    table: TableId
    key: Key
    n: Counter
    terms: Hash


# From the offer to the start


@dataclass(frozen=True)
class Join(Message):
    t = "join"
    table: TableId
    key: Key
    terms: Hash
    commit: Hash
    name: Name
    runner: MaybeKey
    ticket: Annotated[bytes, Binary((0, 64))]


@dataclass(frozen=True)
class Seated(Message):
    """The guests the host has seated or turned away so far: a hint for people with no other effect."""

    t = "seated"
    table: TableId
    key: Key
    n: Counter
    seated: Annotated[tuple[bytes, ...], Many(Binary((32,)), 0, MAX_SEATS)]
    away: Annotated[tuple[bytes, ...], Many(Binary((32,)), 0, 16)]


@dataclass(frozen=True)
class Genesis(Message):
    t = "genesis"
    table: TableId
    key: Key
    salt: Hash
    attempt: Annotated[int, Integer(1, 999)]
    terms: Terms
    door: MaybeKey
    joins: SeatItems


@dataclass(frozen=True)
class Accept(Message):
    t = "accept"
    gid: Hash
    seat: Seat


@dataclass(frozen=True)
class Start(Message):
    t = "start"
    gid: Hash
    key: Key
    accepts: SeatEnvelopes


# Entries of the log


@dataclass(frozen=True)
class Entry(Message):
    gid: Hash
    epoch: Epoch
    slot: Slot
    seat: Seat
    prev: Hash


@dataclass(frozen=True)
class Sealing(Entry):
    """An entry that a client writes automatically: work on the sealed decks."""

    work: Work


@dataclass(frozen=True)
class Keys(Sealing):
    t = "keys"
    nonce: MaybeKey


@dataclass(frozen=True)
class Carry(Sealing):
    t = "carry"


@dataclass(frozen=True)
class Shuffle(Sealing):
    t = "shuffle"


@dataclass(frozen=True)
class Multiply(Sealing):
    t = "multiply"


@dataclass(frozen=True)
class Tags(Sealing):
    t = "tags"


@dataclass(frozen=True)
class Shares(Sealing):
    t = "shares"


@dataclass(frozen=True)
class Bundle(Entry):
    t = "bundle"
    steps: Annotated[tuple[str, ...], Many(Text(200), 0, 64)]
    seals: Work
    wishes: Wishes
    digest: Hash


@dataclass(frozen=True)
class Leave(Entry):
    t = "leave"
    work: Work
    open: Yes
    digest: Hash


@dataclass(frozen=True)
class End(Entry):
    t = "end"
    digest: Hash
    scores: Annotated[tuple[int, ...], Many(Integer(-(2**31), 2**31 - 1), 0, MAX_SEATS)]
    open: Yes
    hand: Work


# Out of turn


@dataclass(frozen=True)
class Wish(Message):
    t = "wish"
    gid: Hash
    seat: Seat
    want: Annotated[str, OneOf(("leave", "rematch"))]


@dataclass(frozen=True)
class Ballot(Message):
    t = "ballot"
    v = 2
    gid: Hash
    epoch: Epoch
    base: Base
    seat: Seat
    prev: Hash
    round: Round
    out: Out
    by: Annotated[str, OneOf(("proof", "client", "person", "bot"))]


@dataclass(frozen=True)
class Pledge(Message):
    t = "pledge"
    v = 2
    gid: Hash
    epoch: Epoch
    base: Base
    seat: Seat
    prev: Hash
    round: Round
    out: Out


@dataclass(frozen=True)
class Abandon(Message):
    t = "abandon"
    gid: Hash
    base: Base
    seat: Seat
    prev: Hash


@dataclass(frozen=True)
class Blame(Message):
    t = "blame"
    gid: Hash
    key: Key
    seat: Seat
    entries: Annotated[tuple[bytes, ...], Many(_ENVELOPE, 1, 2)]


@dataclass(frozen=True)
class Head(Message):
    t = "head"
    gid: Hash
    seat: Seat
    slot: Base
    prev: Hash
    run: Mark
    n: Counter
    met: Mark


@dataclass(frozen=True)
class Doing(Message):
    """The current activity of somebody at a table: a hint for people. The broker publishes `lost` when the client
    vanishes.

    `gone` is the last message of a run: the client has closed the table.
    """

    t = "doing"
    table: TableId
    key: Key
    run: Mark
    n: Counter
    slot: Base
    what: Annotated[str, OneOf(("", "composing", "paused", "lost", "gone"))]


# Asking for what is missing


@dataclass(frozen=True)
class Ask(Message):
    t = "ask"
    table: TableId
    key: Key
    whom: Key
    after: Base


@dataclass(frozen=True)
class Answer(Message):
    t = "answer"
    table: TableId
    key: Key
    items: Items


@dataclass(frozen=True)
class Chunk(Message):
    t = "chunk"
    table: TableId
    key: Key
    n: Counter
    entries: Envelopes


ENTRIES: tuple[type[Entry], ...] = (Keys, Carry, Shuffle, Multiply, Tags, Shares, Bundle, Leave, End)
OTHERS: tuple[type[Message], ...] = (
    *(Offer, Closed, Birth, Off, Say),
    *(Knock, Knocked, Seek),
    *(Join, Seated, Genesis, Accept, Start),
    *(Wish, Ballot, Pledge, Abandon, Blame, Head, Doing),
    *(Ask, Answer, Chunk),
)
TYPES: dict[str, type[Message]] = {cls.t: cls for cls in (*ENTRIES, *OTHERS)}
