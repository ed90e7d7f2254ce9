"""The state of the decks as everyone sees it, watchers included: one immutable value after each slot."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, NamedTuple

from wasabi_protocol.sealed.cards import Card
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import Point, subtract
from wasabi_protocol.sealed.shuffle import Ciphertext
from wasabi_protocol.sealed.transcript import Context

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Card", "Ciphertext", "Decks", "Held", "Key", "KeySet", "Kind", "Owed", "Pending", "Pile", "Place"]

Kind = Literal["keys", "carry", "shuffle", "multiply", "tags", "shares", "play", "over"]


class Place(NamedTuple):
    """A slot of the log and the hash of everything before it."""

    slot: int
    prev: bytes


class Owed(NamedTuple):
    """The kind of message the decks expect in the next slot, and from which seats."""

    kind: Kind
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """A seat's proved masking key, and where it was published."""

    seat: int
    point: Point
    epoch: int
    place: Place


@dataclass(frozen=True, slots=True)
class KeySet:
    """The keys under which cards are masked, seats ascending, and their sum."""

    keys: tuple[Key, ...]
    total: Point

    def of(self, seat: int) -> Key:
        """Return the key of a seat; raise SealRefused if it has none."""
        for key in self.keys:
            if key.seat == seat:
                return key
        raise SealRefused("state.not-seated", seat=seat)

    def without(self, seat: int) -> KeySet:
        """Return the key set after a seat removed its layer from every card."""
        gone = self.of(seat)
        return KeySet(tuple(key for key in self.keys if key is not gone), subtract(self.total, gone.point))


@dataclass(frozen=True, slots=True)
class Held:
    """A hidden card in a hand: every seat but its holder has published its share of it."""

    card: Card
    seat: int
    cipher: Ciphertext
    shares: tuple[tuple[int, Point], ...]
    key: Key

    @property
    def open(self) -> Point:
        """The face under the holder's layer alone, after every published share is subtracted."""
        point = self.cipher.b
        for _, share in self.shares:
            point = subtract(point, share)
        return point

    def without(self, seat: int) -> Held:
        """Return the card after that seat has left the key set."""
        (gone,) = (share for owner, share in self.shares if owner == seat)
        shares = tuple(pair for pair in self.shares if pair[0] != seat)
        return replace(self, cipher=Ciphertext(self.cipher.a, subtract(self.cipher.b, gone)), shares=shares)


@dataclass(frozen=True, slots=True)
class Pending:
    """A card on its way from a deck to a hand or, if `seat` is None, to be shown to all."""

    card: Card
    seat: int | None
    cipher: Ciphertext


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards of one deck while they are being shuffled."""

    deck: int
    cards: tuple[Card, ...]
    ciphers: tuple[Ciphertext, ...]


@dataclass(frozen=True, slots=True)
class Decks:
    """Everything public about the hidden cards. A new value follows from an old one only by verified messages."""

    gid: bytes
    identities: tuple[tuple[int, bytes], ...]
    sizes: tuple[int, ...]
    epoch: int
    seats: tuple[int, ...]
    kind: Kind
    turns: int = 0
    keys: KeySet | None = None
    decks: tuple[tuple[Card, ...], ...] = ()
    ciphers: Mapping[Card, Ciphertext] = field(default_factory=dict)
    held: tuple[Held, ...] = ()
    faces: Mapping[Card, int] = field(default_factory=dict)
    pending: tuple[Pending, ...] = ()
    piles: tuple[Pile, ...] = ()
    shuffles: int = 0
    named: tuple[int, ...] = ()
    carried: tuple[Pending, ...] = ()
    chain: tuple[Ciphertext, ...] = ()
    spent: frozenset[Point] = frozenset()
    voided: tuple[Pending, ...] = ()
    retired: frozenset[Point] = frozenset()

    @property
    def owed(self) -> Owed:
        """The kind and seats of the next slot; no seats while the rules of the game decide."""
        match self.kind:
            case "keys" | "tags":
                return Owed(self.kind, self.seats)
            case "carry":
                return Owed("carry", tuple(seat for seat in self.seats if self.hand(seat)))
            case "shuffle" | "multiply":
                return Owed(self.kind, (self.seats[self.turns],))
            case "shares":
                receivers = {pending.seat for pending in (*self.carried, *self.pending)}
                return Owed("shares", tuple(seat for seat in self.seats if receivers != {seat}))
            case _:
                return Owed(self.kind, ())

    @property
    def masks(self) -> frozenset[Point]:
        """The first halves no card may get, because a share of one card would be a share of the other."""
        lying = [*self.ciphers.values(), *(pending.cipher for pending in (*self.carried, *self.pending))]
        return self.spent.union(cipher.a for cipher in lying)

    def deck(self, deck: int) -> tuple[Card, ...]:
        """Return the cards of a deck, the top one first."""
        return self.decks[deck] if deck < len(self.decks) else ()

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return the hidden cards of a seat, in the order in which they came."""
        return tuple(held.card for held in self.held if held.seat == seat)

    def wanted(self, seat: int) -> tuple[Pending, ...]:
        """Return the cards on their way to other seats or to all; this seat must publish its share of each."""
        if seat not in self.seats:
            return ()
        return tuple(pending for pending in (*self.carried, *self.pending) if pending.seat != seat)

    def holding(self, seat: int, card: Card) -> Held:
        """Return a card in the hand of that seat."""
        for held in self.held:
            if held.card == card and held.seat == seat:
                return held
        raise SealRefused("card.not-in-hand", card=card)

    def identity(self, seat: int) -> bytes:
        """Return the identity key of a seat."""
        return dict(self.identities)[seat]

    def shown(self, deck: int) -> set[int]:
        """Return the faces of a deck that lie face up."""
        return {face for card, face in self.faces.items() if card.deck == deck}

    def context(self, place: Place, seat: int) -> Context:
        """Return the context of this seat's message here; its proofs are invalid anywhere else."""
        keys = () if self.keys is None else tuple((key.seat, key.point) for key in self.keys.keys)
        joint = None if self.keys is None else self.keys.total
        return Context(self.gid, self.epoch, place.slot, place.prev, seat, self.identity(seat), keys, joint)

    @property
    def joint(self) -> KeySet:
        """The current keys; raises SealRefused while they are being made."""
        if self.keys is None:
            raise SealRefused("state.no-keys")
        return self.keys

    def digest(self) -> bytes:
        """Return 32 bytes that are equal for two people only if they agree about every card."""
        return sha256(b"wsb1 sealed state" + _canonical(self)).digest()


def _canonical(value: object) -> bytes:
    """Encode a value uniquely: a tag, a length, the contents; sets and maps in byte order."""
    match value:
        case None:
            return b"n"
        case bytes():
            return b"b" + len(value).to_bytes(4, "big") + value
        case str():
            return b"s" + len(value.encode()).to_bytes(4, "big") + value.encode()
        case int():
            return b"i" + value.to_bytes(8, "big")
        case tuple():
            return b"t" + _joined(_canonical(item) for item in value)
        case frozenset():
            return b"f" + _joined(sorted(_canonical(item) for item in value))
        case dict():
            return b"m" + _joined(sorted(_canonical(pair) for pair in value.items()))
        case Decks() | KeySet() | Key() | Held() | Pending() | Pile():
            return b"d" + _joined(_canonical(getattr(value, part.name)) for part in fields(value))
        case _:
            raise TypeError(f"no canonical form for {type(value).__name__}")


def _joined(parts: Iterable[bytes]) -> bytes:
    listed = list(parts)
    return len(listed).to_bytes(4, "big") + b"".join(listed)
