"""The abstract table of the model: entries and words are plain values, a seat is the set of messages it has heard.

The votes are counted by the library's own `Poll` and `View`. The log is implemented again here in a few lines; a test
compares its result for a set of messages with the library's log.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from wasabi_protocol.voting.duty import View
from wasabi_protocol.voting.poll import NOBODY, Poll, Speakers, VoteChoice, Word, people_agree

if TYPE_CHECKING:
    from collections.abc import Iterable

GOOD, OTHER, WRONG, LEAVE = "good", "other", "wrong", "leave"
"""The content of an entry: honest seats write the first; the second is a valid second body; the third is invalid.

With the last, a seat leaves in its turn.
"""
PERSON, BOT, KEEPER, ABSENT = "person", "bot", "keeper", "absent"
"""The player of a seat: somebody at a screen, a program that plays, a keeper told to say yes, or a program whose person
has gone. The last two answer for the cards and play no turn.
"""


class Entry(NamedTuple):
    epoch: int
    slot: int
    seat: int
    prev: bytes
    content: str


class Vote(NamedTuple):
    epoch: int
    word: Word


class Waited(NamedTuple):
    """A seat's own clock: the slot after this link was open for long enough. Nobody else hears of it."""

    seat: int
    link: bytes


Message = Entry | Vote | Waited
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
    """The seats that two of three voted out on their word alone."""
    left: tuple[int, ...] = ()
    """The seats that left on their own."""

    @property
    def out(self) -> int | None:
        """Return the seat that a vote excluded here."""
        return self.epoch - 4 * self.number if self.number and self.start == self.number else None


class Log(NamedTuple):
    slots: tuple[Slot, ...]
    open: tuple[int, ...]
    """The seats that wrote in the open slot."""
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
    """The last slot of the game."""
    poll: type[Poll] = Poll
    view: type[View] = View
    kinds: tuple[str, ...] = (PERSON,) * 4
    """The kind of player in each seat."""

    @property
    def bots(self) -> frozenset[int]:
        return frozenset(seat for seat, kind in enumerate(self.kinds[: self.seats]) if kind == BOT)

    def owed(self, slot: Slot) -> tuple[int, ...]:
        """Return the seats that owe an entry: all in odd slots, one in even ones."""
        if slot.number >= self.last or len(slot.seats) < 2:
            return ()
        if slot.number % 2 == 0:
            return slot.seats
        return (slot.seats[slot.number // 2 % len(slot.seats)],)

    def is_turn(self, slot: Slot) -> bool:
        """Return whether the next slot is one seat's turn."""
        return slot.number % 2 == 1

    # The meaning of a set of messages

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
            doubted = len(poll.voters(choice)) <= 3 and choice.out not in proved
            slots = [*slots[: choice.base + 1], self.cut(slots[choice.base], choice.out, doubted)]
        head = slots[-1]
        written = self.candidates(slots, heard)
        there = tuple(seat for seat in self.owed(head) if seat in written and not self.rivals(head, seat, heard))
        return Log(tuple(slots), there, proved)

    def cut(self, base: Slot, out: int, doubted: bool) -> Slot:
        number = base.number + 1
        seats = tuple(seat for seat in base.seats if seat != out)
        doubts = (*base.doubted, out) if doubted else base.doubted
        return Slot(number, link("cut", base.link, out), seats, 4 * number + out, number, (), doubts, base.left)

    def extend(self, slots: list[Slot], heard: Heard) -> list[Slot]:
        """Close slots as far as possible; a place with two bodies stays open unless all others went on past it."""
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
        leavers = tuple(entry.seat for entry in entries if entry.content == LEAVE)
        seats = tuple(seat for seat in head.seats if seat not in leavers)
        return head._replace(number=head.number + 1, link=after, wrote=wrote, seats=seats, left=(*head.left, *leavers))

    def candidates(self, slots: list[Slot], heard: Heard) -> dict[int, list[Entry]]:
        """Return the valid entries on the head, by seat."""
        head, found = slots[-1], dict[int, list[Entry]]()
        for entry in sorted(m for m in heard if isinstance(m, Entry)):
            fits = (entry.epoch, entry.slot, entry.prev) == (head.epoch, head.number + 1, head.link)
            if fits and entry.seat in self.owed(head) and entry.content != WRONG:
                found.setdefault(entry.seat, []).append(entry)
        return found

    def rivals(self, head: Slot, seat: int, heard: Heard) -> bool:
        """Return whether a seat has signed two bodies for its place in the next slot."""
        place = (head.epoch, head.number + 1, seat)
        return sum(isinstance(m, Entry) and (m.epoch, m.slot, m.seat) == place for m in heard) > 1

    def settled(self, branch: list[Slot], number: int, author: int, heard: Heard) -> bool:
        """Return whether every other seat signed on this branch after the disputed slot, or a vote was decided."""
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
            if not isinstance(m, Waited)
        )

    def proved(self, slots: list[Slot], heard: Heard) -> frozenset[int]:
        """Return the seats that provably broke the rules by what they signed."""
        links = {(slot.number, slot.link, slot.epoch) for slot in slots}
        places: dict[object, set[object]] = {}
        found = set()
        for m in heard:
            if isinstance(m, Entry):
                places.setdefault((m.epoch, m.slot, m.seat), set()).add(m)
                if m.content == WRONG and (m.slot - 1, m.prev, m.epoch) in links:
                    found.add(m.seat)
            elif isinstance(m, Vote):
                word = m.word
                places.setdefault((m.epoch, word.round, word.seat, word.pledge), set()).add(word.choice)
        found |= {place[2] for place, said in places.items() if len(said) > 1}  # type: ignore[index]
        return frozenset(found)

    def count(self, slots: list[Slot], heard: Heard, proved: frozenset[int]) -> Poll:
        """Return the poll of the last epoch."""
        head = slots[-1]
        bases = {(slot.number, slot.link): slot.seats for slot in slots if slot.number >= head.start}

        def members(choice: VoteChoice) -> tuple[int, ...]:
            there = bases.get((choice.base, choice.prev), ())
            if len(there) < 3:
                return ()
            if choice.stay:
                return head.seats if choice.base == head.start else ()
            return self.voters(there, choice.out, head) if choice.out in there else ()

        def enough(choice: VoteChoice, speakers: Speakers) -> bool:
            return choice.out in proved or self.agree(choice, speakers)

        return self.poll([m.word for m in heard if isinstance(m, Vote) and m.epoch == head.epoch], members, enough)

    def voters(self, there: tuple[int, ...], out: int, head: Slot) -> tuple[int, ...]:
        """Return the seats of a base that vote about one of them; a seat that has left is no longer waited for."""
        return there if out in head.seats else tuple(seat for seat in there if seat != out)

    def agree(self, choice: VoteChoice, speakers: Speakers) -> bool:
        """Return whether these ballots suffice to exclude a seat without proof."""
        return people_agree(speakers, choice.out, self.bots)

    # The words that a seat may say

    def patient(self, me: int, heard: Heard) -> bool:
        """Return whether a seat's own clock lets it go on without those who keep it waiting."""
        return Waited(me, self.log(heard).head.link) in heard

    def may_call(self, me: int, out: int, seats: tuple[int, ...]) -> bool:
        """Return whether a seat may call a vote: a person may, and a bot only among bots."""
        return self.kinds[me] == PERSON or {out, *seats} <= self.bots

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
        """Return the entry that a seat owes and may write."""
        log = self.log(heard)
        head = log.head
        if me not in self.owed(head) or self.look(me, heard).bound:
            return None
        if self.kinds[me] in (KEEPER, ABSENT) and self.is_turn(head):
            return None
        place = (head.epoch, head.number + 1, me)
        if any(isinstance(m, Entry) and (m.epoch, m.slot, m.seat) == place for m in heard):
            return None
        return Entry(head.epoch, head.number + 1, me, head.link, GOOD)

    def confirmed(self, me: int, heard: Heard) -> int:
        """Return the last slot with a seat's entry that every other seat has signed past: a promised move."""
        log = self.log(heard)
        slots = list(log.slots)
        others = [seat for seat in (*log.head.seats, *log.head.doubted) if seat != me]
        floor = self.count(slots, heard, log.proved).floor
        mine = [m.word for m in heard if isinstance(m, Vote) and m.epoch == log.head.epoch and m.word.seat == me]
        bases = [w.choice.base for w in mine if not w.choice.stay and w.round > floor]
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
