"""A table in memory: every message is packed, checked, and stored for a spectator to check again."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING

import msgpack
from wasabi_protocol.sealed.decks import SealedMessage, begin_epoch, check, check_row, close, open_decks
from wasabi_protocol.sealed.player import Draw, Reshuffle, Return, Reveal, Seal, SealedPlayer, TurnUp
from wasabi_protocol.sealed.state import Card, Decks, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

SMALL = (5, 4, 3)
CLASSIC = (21, 15, 10, 6)
MASTER = (18, 18, 16, 13, 16)
LARGEST_ENTRY = 28_000
FIRST_PLACE = Place(1, sha256(b"genesis").digest())


@dataclass(frozen=True)
class Slot:
    """The messages of one slot, as bytes."""

    place: Place
    entries: tuple[tuple[int, str, bytes], ...]


@dataclass(frozen=True)
class Exclusion:
    """The moment at which seats were voted out."""

    out: tuple[int, ...]


@dataclass
class Table:
    """Seats that all follow the protocol, unless a test makes one of them deviate."""

    decks: Decks
    players: dict[int, SealedPlayer]
    log: list[Slot | Exclusion] = field(default_factory=list)
    after: Callable[[Decks], object] | None = None
    place: Place = FIRST_PLACE
    """The next slot."""

    def write(self, entries: Iterable[tuple[int, str, object]]) -> None:
        """Write one slot: pack, unpack, check, close and store it."""
        place = self.place
        packed = tuple((seat, kind, pack(payload)) for seat, kind, payload in entries)
        self.decks = read_slot(self.decks, Slot(place, packed))
        self.log.append(Slot(place, packed))
        self._move(1, packed)
        if self.after is not None:
            self.after(self.decks)

    def answer(self) -> None:
        """Let everybody answer until the rules of the game decide again."""
        while self.decks.owed.seats:
            self.answer_slot()

    def answer_slot(self) -> None:
        """Write the one slot that is owed."""
        owed = self.decks.owed
        place = self.place
        self.write([(seat, owed.kind, self.players[seat].answer(self.decks, place)) for seat in owed.seats])

    def until(self, kind: str, turns: int = 0) -> None:
        """Answer until this kind of message is owed."""
        while (self.decks.kind, self.decks.turns) != (kind, turns):
            self.answer_slot()

    def bundle(self, seat: int, *seals: Seal) -> None:
        """Write a turn's seals and everybody's answers to them."""
        self.write([(seat, "seals", self.players[seat].seals(self.decks, self.place, seals))])
        self.answer()

    def leave(self, seat: int) -> None:
        """Write a graceful leave."""
        self.write([(seat, "leave", self.players[seat].give_up_hand(self.decks, self.place))])

    def open(self, seat: int) -> None:
        """Show a hand at the end."""
        self.write([(seat, "open", self.players[seat].open(self.decks, self.place))])

    def exclude(self, *out: int) -> None:
        """Vote these seats out; the new epoch still has to be set up."""
        self.decks = begin_epoch(self.decks, out, self.decks.epoch + 1)
        self.log.append(Exclusion(out))
        self._move(0, out)
        if self.after is not None:
            self.after(self.decks)

    def vanish(self, *out: int) -> None:
        """Vote these seats out and let the others set up the new epoch."""
        self.exclude(*out)
        self.answer()

    def _move(self, slots: int, told: object) -> None:
        self.place = Place(self.place.slot + slots, sha256(self.place.prev + repr(told).encode()).digest())

    def faces(self) -> dict[Card, int]:
        """Return every card whose face somebody legitimately knows: open ones and, through their owners, all hands."""
        known = dict(self.decks.faces)
        for seat in self.decks.seats:
            known |= self.players[seat].hand(self.decks)
        return known


def pack(payload: object) -> bytes:
    """Pack a message for the wire."""
    packed: bytes = msgpack.packb(payload)
    return packed


def unpack(raw: bytes) -> object:
    """Unpack a message from the wire."""
    payload: object = msgpack.unpackb(raw)
    return payload


def read_slot(decks: Decks, slot: Slot) -> Decks:
    """Return the decks after a slot's bytes, as anybody computes them."""
    checked = [check(decks, slot.place, seat, kind, unpack(payload)) for seat, kind, payload in slot.entries]
    return close(decks, checked)


def spectate(table: Table) -> Decks:
    """Return the decks that somebody without any secret derives from the messages alone, checking shuffles in rows."""
    first = table.decks
    decks = open_decks(first.gid, dict(first.identities), first.sizes)
    for in_a_row, items in groupby(table.log, lambda item: isinstance(item, Slot) and item.entries[0][1] == "shuffle"):
        if in_a_row:
            slots = [item for item in items if isinstance(item, Slot)]
            decks = read_shuffles(decks, slots)
            continue
        for item in items:
            decks = read_slot(decks, item) if isinstance(item, Slot) else begin_epoch(decks, item.out, decks.epoch + 1)
    return decks


def read_shuffles(decks: Decks, slots: Sequence[Slot]) -> Decks:
    """Return the decks after consecutive shuffles, checked together."""
    messages = [SealedMessage(slot.place, seat, unpack(raw)) for slot in slots for seat, _, raw in slot.entries]
    *_, last = check_row(decks, messages)
    return close(last.decks, [last])


def new_table(seats: int, sizes: Sequence[int] = SMALL, name: str = "a game") -> Table:
    """Return a table where every seat owes its key."""
    gid = sha256(name.encode()).digest()
    identities = {seat: sha256(b"identity %d" % seat).digest() for seat in range(seats)}
    players = {seat: SealedPlayer(seat, sha256(b"%s %d" % (gid, seat)).digest()) for seat in range(seats)}
    return Table(open_decks(gid, identities, sizes), players)


def ready_table(seats: int, sizes: Sequence[int] = SMALL, name: str = "a game") -> Table:
    """Return a table with its decks shuffled."""
    table = new_table(seats, sizes, name)
    table.answer()
    return table


def largest_payload(table: Table) -> int:
    """Return the size of the largest message so far, in bytes."""
    return max(len(raw) for slot in table.log if isinstance(slot, Slot) for _, _, raw in slot.entries)


def deal(table: Table, cards: int = 2) -> None:
    for seat in table.decks.seats:
        table.bundle(seat, *(Draw(deck) for deck in range(cards)))


def assert_all_cards_are_somewhere(table: Table) -> None:
    """Check that every face is open, in one hand or in its deck, exactly once."""
    decks = table.decks
    known = [(card.deck, face) for card, face in table.faces().items()]
    assert len(set(known)) == len(known)
    for deck, size in enumerate(decks.sizes):
        assert len(decks.deck(deck)) + sum(1 for where, _ in known if where == deck) == size


def draw_everything(table: Table) -> None:
    """Draw everything, to check the content of the decks."""
    for deck in range(len(table.decks.sizes)):
        while table.decks.deck(deck):
            table.bundle(table.decks.seats[0], Draw(deck))
    faces = {(card.deck, face) for card, face in table.faces().items()}
    assert faces == {(deck, face) for deck, size in enumerate(table.decks.sizes) for face in range(size)}


def random_turn(table: Table, chance: Random) -> None:
    """Let some seat reveal, return, draw, or turn up a card; open cards of an empty deck are shuffled first."""
    seat = chance.choice(table.decks.seats)
    for deck in range(len(table.decks.sizes)):
        opened = tuple(card for card in table.decks.faces if card.deck == deck)
        if opened and not table.decks.deck(deck):
            table.bundle(seat, Reshuffle(deck, opened))
    hand = list(table.decks.hand(seat))
    chance.shuffle(hand)
    seals: list[Draw | TurnUp | Reveal | Return] = [
        Return(card) if chance.random() < 0.8 else Reveal(card) for card in hand[: chance.randrange(3)]
    ]
    full = [deck for deck in range(len(table.decks.sizes)) if table.decks.deck(deck)]
    chosen = chance.sample(full, min(len(full), chance.randrange(1, 3)))
    seals += [TurnUp(deck) if chance.random() < 0.02 else Draw(deck) for deck in chosen]
    table.bundle(seat, *seals)
