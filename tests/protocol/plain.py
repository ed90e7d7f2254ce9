"""A log without cards: seats take turns, and sometimes all write; content is valid if it starts with "ok"."""

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
LEAVE = "leave"
"""The content of an entry with which a seat leaves in its turn."""
PEOPLE = [identity(("plain", number)) for number in range(4)]


@dataclass(frozen=True)
class PlainState:
    """A state in which every third slot is a round of all and the others are turns; the last leave ends the game."""

    seats: tuple[int, ...]
    epoch: int = 0
    number: int = 0
    rounds: bool = True

    @property
    def owed(self) -> tuple[int, ...]:
        if len(self.seats) < 2:
            return ()
        if self.rounds and self.number % 3 == 0:
            return self.seats
        return (self.seats[self.number % len(self.seats)],)

    @property
    def played(self) -> bool:
        return True

    @property
    def bots(self) -> frozenset[int]:
        return frozenset()

    def judge(self, entry: Entry) -> object:
        leaves = isinstance(entry, Shares) and entry.work == LEAVE and len(self.owed) == 1
        if not isinstance(entry, Shares) or not (leaves or str(entry.work).startswith("ok")):
            raise Invalid(Code.BAD_PROOF, entry.seat)
        return entry.work

    def close(self, entries: Sequence[VerifiedEntry]) -> PlainState:
        twins = [entry for entry in entries if entry.work == "ok twin"]
        if len(twins) > 1:
            raise Invalid(Code.BAD_PROOF, twins[-1].seat)
        leavers = {entry.seat for entry in entries if entry.work == LEAVE}
        return replace(self, seats=tuple(seat for seat in self.seats if seat not in leavers), number=self.number + 1)

    def without(self, out: int, epoch: int) -> PlainState:
        return PlainState(tuple(seat for seat in self.seats if seat != out), epoch, self.number + 1)


def new_log(seats: int, rounds: bool = True) -> Log[PlainState]:
    keys = [who.key for who in PEOPLE[:seats]]
    return Log(GID, GENESIS, keys, PlainState(tuple(range(seats)), rounds=rounds))


def entry(log: Log[PlainState], seat: int, work: str = "ok") -> Item:
    """Return a seat's entry on the head of a log, as (key, envelope)."""
    head = log.head
    message = Shares(GID, log.state.epoch, head.number + 1, seat, head.link, work)
    return PEOPLE[seat].key, signed_message(PEOPLE[seat], message)


def grow(log: Log[PlainState], slots: int) -> list[Item]:
    """Let honest seats close this many slots; return their entries."""
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
    """Open an envelope and parse its message, cached because many nodes hear the same."""
    signed = open_envelope(key, envelope)
    return signed, parse(signed.body)


class Node:
    """An honest seat with its log, ballots and disk."""

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
                return self.log.add_vote(signed, message)
            return [] if header is None else self.log.add_entry(signed, header)
        except Refused:
            return []

    def say(self, item: Item) -> Item:
        self.said.append(item)
        self.take(item)
        return item

    def write(self, work: str = "ok") -> Item | None:
        """Return the entry that this seat owes, if its own votes let it write."""
        if self.seat is None or self.seat not in self.log.missing or self.ballots.bound():
            return None
        if self.log.broken is not None:
            return None
        written = self.log.written(self.log.state.epoch, self.log.head.number + 1, self.seat)
        return None if written is not None else self.say(entry(self.log, self.seat, work))

    def vote(self, out: int, by: str = PERSON) -> Item:
        """Return this seat's ballot to exclude another, or nobody."""
        return self._cast(self.ballots.ballot(out, by))

    def duties(self) -> Item | None:
        """Return the vote that this seat owes, if any."""
        word = self.ballots.word()
        return None if word is None else self._cast(word)

    def withdraw(self) -> Item | None:
        """Return this seat's ballot when nobody has answered its last one for long."""
        word = self.ballots.withdraw()
        return None if word is None else self._cast(word)

    def _cast(self, word: Ballot | Pledge) -> Item:
        assert self.seat is not None
        return self.say((PEOPLE[self.seat].key, signed_message(PEOPLE[self.seat], word)))
