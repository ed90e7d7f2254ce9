"""The abstract table of the model: entries and words are plain values, a seat is the set of what it has heard.

The votes are counted by the library's own `Poll` and `View`. The log is written here again in a few lines: a test
compares what it makes of a set of messages with the library's log.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from wasabi_protocol.voting.duty import View
from wasabi_protocol.voting.poll import NOBODY, Poll, VoteChoice, Word

if TYPE_CHECKING:
    from collections.abc import Iterable

GOOD, OTHER, WRONG = "good", "other", "wrong"
"""What an entry says: honest seats write the first; the second is as valid, and a second body; the third is invalid."""


class Entry(NamedTuple):
    epoch: int
    slot: int
    seat: int
    prev: bytes
    content: str


class Vote(NamedTuple):
    epoch: int
    word: Word


Message = Entry | Vote
Heard = frozenset[Message]


class Slot(NamedTuple):
    number: int
    link: bytes
    seats: tuple[int, ...]
    epoch: int
    start: int
    """The first slot of the epoch."""
    wrote: tuple[int, ...] = ()
    doubted: tuple[int, ...] = ()
    """The seats that two of three went on without, by nothing but their own word."""


class Log(NamedTuple):
    slots: tuple[Slot, ...]
    open: tuple[int, ...]
    """Who wrote in the open slot."""
    proved: frozenset[int]

    @property
    def head(self) -> Slot:
        return self.slots[-1]


@cache
def link(*parts: object) -> bytes:
    return hashlib.blake2b(repr(parts).encode(), digest_size=6).digest()


@dataclass(frozen=True)
class Rules:
    """The rules of the table; a broken variant changes one of them."""

    seats: int = 3
    last: int = 3
    """The game is over after this slot."""
    poll: type[Poll] = Poll
    view: type[View] = View

    def owed(self, slot: Slot) -> tuple[int, ...]:
        """Odd slots are rounds of all, even ones turns."""
        if slot.number >= self.last or len(slot.seats) < 2:
            return ()
        if slot.number % 2 == 0:
            return slot.seats
        return (slot.seats[slot.number // 2 % len(slot.seats)],)

    # What a set of messages means

    def log(self, heard: Heard) -> Log:
        found = _LOGS.get((self, heard))
        if found is None:
            found = _LOGS[self, heard] = self._log(heard)
        return found

    def _log(self, heard: Heard) -> Log:
        slots = [Slot(0, link("genesis"), tuple(range(self.seats)), 0, 0)]
        while True:
            slots = self.extend(slots, heard)
            proved = self.proved(slots, heard)
            poll = self.count(slots, heard, proved)
            if poll.decision is None or poll.decision[1].stay:
                break
            choice = poll.decision[1]
            slots = [*slots[: choice.base + 1], self.cut(slots[choice.base], choice.out, proved)]
        head = slots[-1]
        written = self.candidates(slots, heard)
        there = tuple(seat for seat in self.owed(head) if seat in written and not self.rivals(head, seat, heard))
        return Log(tuple(slots), there, proved)

    def cut(self, base: Slot, out: int, proved: frozenset[int]) -> Slot:
        number = base.number + 1
        seats = tuple(seat for seat in base.seats if seat != out)
        doubted = base.doubted if len(seats) > 2 or out in proved else (*base.doubted, out)
        return Slot(number, link("cut", base.link, out), seats, 4 * number + out, number, (), doubted)

    def extend(self, slots: list[Slot], heard: Heard) -> list[Slot]:
        """Close what can be closed. A place with two bodies is left open unless every other seat went on past it."""
        while True:
            written = self.candidates(slots, heard)
            owed = self.owed(slots[-1])
            if not owed or not all(written.get(seat) for seat in owed):
                return slots
            doubtful = [seat for seat in owed if self.rivals(slots[-1], seat, heard)]
            if not doubtful:
                slots = [*slots, self.close(slots[-1], [written[seat][0] for seat in owed])]
                continue
            if len(doubtful) > 1:
                return slots
            for entry in written[doubtful[0]]:
                chosen = [entry if seat == doubtful[0] else written[seat][0] for seat in owed]
                branch = self.extend([*slots, self.close(slots[-1], chosen)], heard)
                if self.settled(branch, len(slots), doubtful[0], heard):
                    return branch
            return slots

    def close(self, head: Slot, entries: list[Entry]) -> Slot:
        after = link("slot", head.link, *(entry.content for entry in entries))
        wrote = tuple(entry.seat for entry in entries)
        return head._replace(number=head.number + 1, link=after, wrote=wrote)

    def candidates(self, slots: list[Slot], heard: Heard) -> dict[int, list[Entry]]:
        """The valid entries on the head, by seat."""
        head, found = slots[-1], dict[int, list[Entry]]()
        for entry in sorted(m for m in heard if isinstance(m, Entry)):
            fits = (entry.epoch, entry.slot, entry.prev) == (head.epoch, head.number + 1, head.link)
            if fits and entry.seat in self.owed(head) and entry.content != WRONG:
                found.setdefault(entry.seat, []).append(entry)
        return found

    def rivals(self, head: Slot, seat: int, heard: Heard) -> bool:
        """Whether a seat has signed two bodies for its place in the next slot."""
        place = (head.epoch, head.number + 1, seat)
        return sum(isinstance(m, Entry) and (m.epoch, m.slot, m.seat) == place for m in heard) > 1

    def settled(self, branch: list[Slot], number: int, author: int, heard: Heard) -> bool:
        """Whether every other seat signed something on this branch after the disputed slot, or a vote was decided."""
        others = [seat for seat in branch[number].seats if seat != author]
        if all(self.signed_after(branch, seat, number, heard) for seat in others):
            return True
        decision = self.count(branch, heard, self.proved(branch, heard)).decision
        return decision is not None and not decision[1].stay and decision[1].base >= number

    def signed_after(self, slots: list[Slot], seat: int, number: int, heard: Heard) -> bool:
        links = {slot.number: slot.link for slot in slots if slot.number >= number}
        return any(
            m.seat == seat and links.get(m.slot - 1) == m.prev
            if isinstance(m, Entry)
            else m.word.seat == seat and not m.word.choice.stay and links.get(m.word.choice.base) == m.word.choice.prev
            for m in heard
        )

    def proved(self, slots: list[Slot], heard: Heard) -> frozenset[int]:
        """Who has broken the rules by the words that it signed itself."""
        links = {(slot.number, slot.link, slot.epoch) for slot in slots}
        places: dict[object, set[object]] = {}
        found = set()
        for m in heard:
            if isinstance(m, Entry):
                places.setdefault((m.epoch, m.slot, m.seat), set()).add(m)
                if m.content == WRONG and (m.slot - 1, m.prev, m.epoch) in links:
                    found.add(m.seat)
            else:
                word = m.word
                places.setdefault((m.epoch, word.round, word.seat, word.pledge), set()).add(word.choice)
        found |= {place[2] for place, said in places.items() if len(said) > 1}  # type: ignore[index]
        return frozenset(found)

    def count(self, slots: list[Slot], heard: Heard, proved: frozenset[int]) -> Poll:
        """The poll of the last epoch."""
        head = slots[-1]
        bases = {(slot.number, slot.link): slot.seats for slot in slots if slot.number >= head.start}

        def members(choice: VoteChoice) -> tuple[int, ...]:
            there = bases.get((choice.base, choice.prev), ())
            if len(there) < 3:
                return ()
            if choice.stay:
                return head.seats if choice.base == head.start else ()
            return there if choice.out in there else ()

        def by_clients(choice: VoteChoice) -> bool:
            return len(members(choice)) > 3 or choice.out in proved

        return self.poll([m.word for m in heard if isinstance(m, Vote) and m.epoch == head.epoch], members, by_clients)

    # What a seat may say

    def look(self, me: int, heard: Heard) -> View:
        log = self.log(heard)
        head, slots = log.head, list(log.slots)
        start = log.slots[head.start]
        words = frozenset(m.word for m in heard if isinstance(m, Vote) and m.epoch == head.epoch)
        missing = tuple(seat for seat in self.owed(head) if seat not in log.open)
        poll = self.count(slots, heard, log.proved)
        stay = VoteChoice(start.number, start.link, NOBODY)
        return self.view(me, head.seats, poll, words, stay, (head.number, head.link), missing, log.proved)

    def entry(self, me: int, heard: Heard) -> Entry | None:
        """The entry that a seat owes and may write."""
        log = self.log(heard)
        head = log.head
        if me not in self.owed(head) or self.look(me, heard).bound:
            return None
        place = (head.epoch, head.number + 1, me)
        if any(isinstance(m, Entry) and (m.epoch, m.slot, m.seat) == place for m in heard):
            return None
        return Entry(head.epoch, head.number + 1, me, head.link, GOOD)

    def confirmed(self, me: int, heard: Heard) -> int:
        """The last slot in which a seat has written and that every other seat has signed past: a promised move."""
        log = self.log(heard)
        slots = list(log.slots)
        others = [seat for seat in (*log.head.seats, *log.head.doubted) if seat != me]
        floor = self.count(slots, heard, log.proved).floor
        mine = [m.word for m in heard if isinstance(m, Vote) and m.epoch == log.head.epoch and m.word.seat == me]
        bases = [w.choice.base for w in mine if not w.pledge and not w.choice.stay and w.round > floor]
        found = 0
        for slot in slots[1 : min(bases, default=log.head.number) + 1]:
            if not all(self.entered_after(slots, seat, slot.number, heard) for seat in others):
                break
            found = slot.number if me in slot.wrote else found
        return found

    def entered_after(self, slots: list[Slot], seat: int, number: int, heard: Heard) -> bool:
        links = {slot.number: slot.link for slot in slots if slot.number >= number}
        return any(isinstance(m, Entry) and m.seat == seat and links.get(m.slot - 1) == m.prev for m in heard)


_LOGS: dict[tuple[Rules, Heard], Log] = {}


def union(sets: Iterable[Heard]) -> Heard:
    return frozenset().union(*sets)
