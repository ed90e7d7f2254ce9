"""A log without cards: seats take turns and now and then all write; content is right if it says so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.game.log import Log
from wasabi_protocol.signed.codec import parse, signed_message
from wasabi_protocol.signed.envelope import Item as Item
from wasabi_protocol.signed.envelope import Signed, open_envelope
from wasabi_protocol.signed.messages import Ballot, Entry, Message, Pledge, Shares
from wasabi_protocol.verdicts import Code, Invalid, Refused
from wasabi_protocol.voting.poll import PERSON
from wasabi_protocol.voting.voter import Voter

from tests.protocol.sessions import identity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wasabi_protocol.game.chain import VerifiedEntry
    from wasabi_protocol.game.events import Event

GID = b"g" * 32
GENESIS = b"genesis body"
PEOPLE = [identity(("plain", number)) for number in range(4)]


@dataclass(frozen=True)
class PlainState:
    """Every third slot is a round of all, the others are turns in order; the game has no end."""

    seats: tuple[int, ...]
    epoch: int = 0
    number: int = 0
    rounds: bool = True

    @property
    def owed(self) -> tuple[int, ...]:
        if self.rounds and self.number % 3 == 0:
            return self.seats
        return (self.seats[self.number % len(self.seats)],)

    @property
    def played(self) -> bool:
        return True

    def judge(self, entry: Entry) -> object:
        if not isinstance(entry, Shares) or not str(entry.work).startswith("ok"):
            raise Invalid(Code.BAD_PROOF, entry.seat)
        return entry.work

    def close(self, entries: Sequence[VerifiedEntry]) -> PlainState:
        twins = [entry for entry in entries if entry.work == "ok twin"]
        if len(twins) > 1:
            raise Invalid(Code.BAD_PROOF, twins[-1].seat)
        return replace(self, number=self.number + 1)

    def without(self, out: int, epoch: int) -> PlainState:
        return PlainState(tuple(seat for seat in self.seats if seat != out), epoch, self.number + 1)


def new_log(seats: int, rounds: bool = True) -> Log[PlainState]:
    keys = [who.key for who in PEOPLE[:seats]]
    return Log(GID, GENESIS, keys, PlainState(tuple(range(seats)), rounds=rounds))


def entry(log: Log[PlainState], seat: int, work: str = "ok") -> Item:
    """A seat's entry on the head of a log, as (key, envelope)."""
    head = log.head
    message = Shares(GID, log.state.epoch, head.number + 1, seat, head.link, work)
    return PEOPLE[seat].key, signed_message(PEOPLE[seat], message)


def grow(log: Log[PlainState], slots: int) -> list[Item]:
    """Lets honest seats close that number of slots; gives what they wrote."""
    items: list[Item] = []
    for _ in range(slots):
        written = [entry(log, seat) for seat in log.missing]
        for item in written:
            log.receive(*item)
        items += written
    return items


def links(log: Log[PlainState]) -> list[bytes]:
    return [slot.link for slot in log.slots]


@lru_cache(maxsize=10_000)
def opened(key: bytes, envelope: bytes) -> tuple[Signed, Message]:
    """A checked envelope and its message: many nodes hear the same."""
    signed = open_envelope(key, envelope)
    return signed, parse(signed.body)


class Node:
    """An honest seat: a log, ballots, a disk."""

    def __init__(self, seats: int, seat: int | None) -> None:
        self.log = new_log(seats)
        self.seat = seat
        self.ballots = Voter(self.log, seat)
        self.said: list[Item] = []

    def take(self, item: Item) -> list[Event[PlainState]]:
        signed, message = opened(*item)
        header = read_header(signed.body)
        try:
            if isinstance(message, (Ballot, Pledge)):
                return self.log.say(signed, message)
            return [] if header is None else self.log.take(signed, header)
        except Refused:
            return []

    def say(self, item: Item) -> Item:
        self.said.append(item)
        self.take(item)
        return item

    def write(self, work: str = "ok") -> Item | None:
        """The entry that this seat owes, if its own votes let it write."""
        if self.seat is None or self.seat not in self.log.missing or self.ballots.bound():
            return None
        if self.log.broken is not None:
            return None
        written = self.log.written(self.log.state.epoch, self.log.head.number + 1, self.seat)
        return None if written is not None else self.say(entry(self.log, self.seat, work))

    def vote(self, out: int, by: str = PERSON) -> Item:
        """This seat's ballot to go on without another, or with all."""
        return self._cast(self.ballots.say(out, by))

    def duties(self) -> Item | None:
        """What this seat must say in a vote, if anything."""
        word = self.ballots.word()
        return None if word is None else self._cast(word)

    def withdraw(self) -> Item | None:
        """What this seat says when nobody has answered its ballot for long."""
        word = self.ballots.withdraw()
        return None if word is None else self._cast(word)

    def _cast(self, word: Ballot | Pledge) -> Item:
        assert self.seat is not None
        return self.say((PEOPLE[self.seat].key, signed_message(PEOPLE[self.seat], word)))
