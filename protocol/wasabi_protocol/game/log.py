"""The log: turns entries and votes, in any order, into one verified list of slots, and collects proof of misconduct.

The list of slots depends on the set of messages, never on their order. An entry is judged only against the log that its
`prev` names and is stored while that is unknown. A wrong entry, or a second one for the same place, becomes evidence. A
place with two bodies stays open until every other seat has signed past one of them, or its author is voted out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from wasabi_protocol.game.chain import Header, S_co, Slot, VerifiedEntry, cut_link, link, read_header, verified_entry
from wasabi_protocol.game.early_entries import EarlyEntries
from wasabi_protocol.game.events import (
    Blamed,
    EntryAccepted,
    EntryHeld,
    Event,
    Excluded,
    SlotClosed,
    SlotsUndone,
    WordSaid,
)
from wasabi_protocol.signed.codec import parse_as
from wasabi_protocol.signed.envelope import MAX_ENTRY, Signed, open_envelope
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import MAX_SEATS, Ballot, Entry, Pledge
from wasabi_protocol.verdicts import Code, Invalid, Refused
from wasabi_protocol.voting.ballots import Ballots, KeptWord
from wasabi_protocol.voting.blame import Evidence
from wasabi_protocol.voting.poll import Poll, Speakers, VoteChoice, people_agree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EntryPlace = tuple[int, int, int]  # epoch, slot, seat
MOST_PROOFS = 4
"""Most proofs stored per seat; more prove nothing new and must not fill memory and file."""
MOST_BODIES = 4
"""Most bodies stored per seat and slot."""
MOST_SPARE = 64
"""Most bodies stored per seat that are not part of the log."""


@dataclass(eq=False)
class _Body:
    """A body whose past is known here, with the verdict of the state there."""

    signed: Signed
    header: Header
    entry: VerifiedEntry | None
    code: Code | None


class Log(Generic[S_co]):
    """One game's slots as far as they are known here.

    `judge` replaces the state's own `judge` if the owner has a faster way to the same result.
    """

    def __init__(
        self,
        gid: bytes,
        genesis_body: bytes,
        keys: Sequence[bytes],
        state: S_co,
        judge: Callable[[S_co, Entry], object] | None = None,
    ) -> None:
        self.gid = gid
        self.keys = tuple(keys)
        self.slots: list[Slot[S_co]] = [Slot(0, 0, (), (), link([genesis_body]), state)]
        self.open: dict[int, VerifiedEntry] = {}
        self.evidence: list[Evidence] = []
        self._state_judge = judge
        self.ballots = Ballots(gid, keys)
        self._bodies: dict[EntryPlace, list[_Body]] = {}
        self._early = EarlyEntries()
        self._closed: dict[tuple[bytes, ...], Slot[S_co]] = {}
        self._disputed = False
        """True if a place has two bodies or a vote is open; the list of slots is then derived again from scratch."""
        self._poll: Poll | None = None
        self._decided: dict[int, int] = {}
        """The last decided round of each epoch of this log."""
        self._unfit: list[Event[S_co]] = []
        """Events found while a slot was being closed."""

    # Known state

    @property
    def head(self) -> Slot[S_co]:
        """The last closed slot."""
        return self.slots[-1]

    @property
    def state(self) -> S_co:
        """The state after the last closed slot."""
        return self.slots[-1].state

    @property
    def start(self) -> Slot[S_co]:
        """The first slot of the current epoch."""
        return _start(self.slots)

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats whose entries the open slot still lacks."""
        return tuple(seat for seat in self.state.owed if seat not in self.open)

    def knows(self, slot: int, prev: bytes) -> bool:
        """Return whether `prev` names this log up to and including that slot."""
        return 0 <= slot < len(self.slots) and self.slots[slot].link == prev

    @property
    def waiting(self) -> int:
        """The number of entries that wait for an unknown past, except those that a vote made void."""
        return sum(not self._is_void(header) for header in self._early)

    def seat_of(self, key: bytes) -> int | None:
        """Return the seat of a key in this game, even if it is no longer in the key set."""
        return self.keys.index(key) if key in self.keys else None

    def written(self, epoch: int, slot: int, seat: int) -> Signed | None:
        """Return a body of a seat for a place, if there is one."""
        bodies = self._bodies.get((epoch, slot, seat), [])
        return bodies[0].signed if bodies else None

    def has(self, envelope: bytes) -> bool:
        """Return whether exactly these bytes are stored here, already verified."""
        header = read_header(envelope[SIGNATURE_BYTES:])
        if header is None:
            return False
        return any(body.signed.envelope == envelope for body in self._bodies.get(_place(header), []))

    def after(self, base: int) -> list[tuple[bytes, bytes]]:
        """Return every entry, ballot and pledge after a slot as (key, envelope), in slot order, the open slot last."""
        bodies = [signed for slot in self.slots[base + 1 :] for signed in slot.bodies]
        bodies += [self.open[seat].signed for seat in sorted(self.open)]
        return [(signed.key, signed.envelope) for signed in bodies]

    def last_written(self, seat: int) -> int:
        """Return the number of the last slot of this log that a seat signed into; 0 if none."""
        if seat in self.open:
            return self.head.number + 1
        return next((slot.number for slot in reversed(self.slots) if seat in slot.seats), 0)

    def signed_past(self, slot: int) -> bool:
        """Return whether every seat that could still undo a slot has signed something later in this log."""
        return all(self.last_written(seat) > slot for seat in (*self.state.seats, *self.doubted))

    def open_base(self, seat: int | None) -> int:
        """Return the slot after which a seat's own open votes may still make everything void; by default the head."""
        words = self.ballots.words(self.state.epoch)
        bases = [
            word.choice.base
            for word in words
            if word.seat == seat and not word.choice.stay and word.round > self.poll.floor
        ]
        return min(bases, default=self.head.number)

    @property
    def doubted(self) -> tuple[int, ...]:
        """The seats that two of three voted out on their word alone; each may have a different log."""
        proved, voted = self.proved, [slot.out for slot in self.slots if slot.doubted]
        return tuple(out for out in voted if out is not None and out not in proved)

    @property
    def proved(self) -> frozenset[int]:
        """The seats with proof against them: two statements for one place, or an invalid entry on this log."""
        return self._proved(self.slots)

    def _proved(self, slots: list[Slot[S_co]]) -> frozenset[int]:
        return frozenset(evidence.seat for evidence in self.evidence if _counts(evidence, slots))

    @property
    def broken(self) -> Evidence | None:
        """The proof that ends a two-player game, where neither can outvote the other."""
        state = self.state
        if len(state.seats) != 2 or not state.owed:
            return None
        found = [e for e in self.evidence if e.seat in state.seats and _counts(e, self.slots)]
        return min(found, key=lambda evidence: (evidence.epoch, evidence.slot, evidence.seat), default=None)

    @property
    def poll(self) -> Poll:
        """The result of the votes in the current epoch."""
        if self._poll is None:
            self._poll = self._count(self.slots)
        return self._poll

    def _count(self, slots: list[Slot[S_co]]) -> Poll:
        head, start = slots[-1].state, _start(slots)
        bases = {(slot.number, slot.link): slot.state.seats for slot in slots[start.number :]}

        def members(choice: VoteChoice) -> tuple[int, ...]:
            seats = bases.get((choice.base, choice.prev), ())
            if len(seats) < 3:
                return ()
            if choice.stay:
                return head.seats if choice.base == start.number else ()
            if choice.out not in seats:
                return ()
            # A seat that has left since is no longer waited for.
            return seats if choice.out in head.seats else tuple(seat for seat in seats if seat != choice.out)

        proved = self._proved(slots)

        def enough(choice: VoteChoice, speakers: Speakers) -> bool:
            """Return whether there is proof, nothing to lose yet, or a person's own vote."""
            state = slots[choice.base].state
            return choice.out in proved or not state.played or people_agree(speakers, choice.out, state.bots)

        return Poll(self.ballots.words(head.epoch), members, enough)

    # Incoming messages

    def receive(self, key: bytes, envelope: bytes) -> list[Event[S_co]]:
        """Receive one entry from its author's key; return no events if it is already here."""
        signed = open_envelope(key, envelope, MAX_ENTRY)
        header = read_header(signed.body)
        if header is None:
            raise Refused(Code.BAD_FIELD, "not an entry")
        return self.add_entry(signed, header)

    def add_entry(self, signed: Signed, header: Header) -> list[Event[S_co]]:
        """Receive a signed body with a readable header."""
        if header.gid != self.gid:
            raise Refused(Code.WRONG_GAME)
        if header.seat >= len(self.keys) or self.keys[header.seat] != signed.key:
            raise Refused(Code.WRONG_SEAT)
        if any(body.signed.body == signed.body for body in self._bodies.get(_place(header), [])):
            return []
        if not self.knows(header.slot - 1, header.prev):
            self._early.add(signed, header)
            events = self._rival(signed, header)
            if self._disputed or events:
                events += self._derive()
            return events or ([] if self._is_void(header) else [EntryHeld(header.seat, header.slot)])
        events = self._judge(self.slots[header.slot - 1], signed, header)
        return events + (self._derive() if self._disputed else self._extend())

    def add_vote(self, signed: Signed, message: Ballot | Pledge) -> list[Event[S_co]]:
        """Receive a ballot or a pledge."""
        proofs = self.ballots.store(signed, message, self.is_over)
        if proofs is None:
            return []
        events: list[Event[S_co]] = [WordSaid(message)]
        for proof in proofs:
            events += self.blame(proof)
        self._disputed = True
        return events + self._derive()

    def is_over(self, said: KeptWord) -> bool:
        """Return whether a later round of the epoch is decided and no slot of the log uses this vote."""
        if said.word.round >= self._decided.get(said.epoch, 0):
            return False
        return not any(said.signed in slot.bodies for slot in self.slots if slot.voted)

    def accuse(self, evidence: Evidence) -> list[Event[S_co]]:
        """Add a proof that needs no log: two statements of a seat for one place."""
        events = [] if evidence.seat in self.proved else self.blame(evidence)
        return events + (self._derive() if events else [])

    def _is_void(self, header: Header) -> bool:
        """Return whether a vote voided this place: its seat is out, or its slot comes after the vote's base."""
        cuts = [slot for slot in self.slots if slot.voted]
        if any(header.seat == slot.out and (header.epoch > slot.epoch or header.slot >= slot.number) for slot in cuts):
            return True
        return any(header.epoch <= slot.epoch and header.slot >= slot.number for slot in cuts)

    def _judge(self, base: Slot[S_co], signed: Signed, header: Header) -> list[Event[S_co]]:
        """Judge a body by the state before its slot and store it; refuse an entry that nobody owes."""
        bodies = self._bodies.get(_place(header), [])
        if header.seat not in base.state.owed:
            raise Refused(Code.NOT_OWED)
        if len(bodies) >= MOST_BODIES:
            raise Refused(Code.HOLD_FULL)
        try:
            entry = self._entry(base, signed, header)
        except Invalid as verdict:
            body = _Body(signed, header, None, verdict.code)
            # The place counts in the log's own epoch, whatever a wrong entry claims. A second body is proof anyway.
            wrong = Evidence(header.seat, base.state.epoch, header.slot, verdict.code, (signed,))
            events = [] if bodies else self.blame(wrong)
        else:
            body = _Body(signed, header, entry, None)
            events = [] if bodies or self._is_void(header) else [EntryAccepted(entry)]
        self._bodies.setdefault(_place(header), []).append(body)
        if self._is_spare(body):
            self._make_room(header.seat)
        return events + self._rival(signed, header)

    def _entry(self, base: Slot[S_co], signed: Signed, header: Header) -> VerifiedEntry:
        """Return the entry, judged by the state before its slot; raise Invalid if it is wrong."""
        if header.epoch != base.state.epoch:
            raise Invalid(Code.WRONG_EPOCH, header.seat)
        try:
            message = parse_as(Entry, signed.body)
        except Refused as refusal:
            raise Invalid(refusal.code, header.seat, refusal.detail) from None
        judge = self._state_judge
        work = base.state.judge(message) if judge is None else judge(base.state, message)
        return verified_entry(signed, header, message, work)

    def _rival(self, signed: Signed, header: Header) -> list[Event[S_co]]:
        """Add proof if there is another body for the same place, whatever past it names."""
        others = [body.signed for body in self._bodies.get(_place(header), []) if body.signed.body != signed.body]
        other = others[0] if others else self._early.rival(signed, header)
        if other is None:
            return []
        self._disputed = True
        return self.blame(Evidence(header.seat, header.epoch, header.slot, Code.EQUIVOCATION, (other, signed)))

    def _is_spare(self, body: _Body) -> bool:
        """Return whether a body is anything but the single entry its seat may still add to the log."""
        place = _place(body.header)
        return len(self._bodies[place]) > 1 or place[1] <= self.head.number or body.code is Code.WRONG_EPOCH

    def _make_room(self, seat: int) -> None:
        """Drop a seat's bodies that are not part of the log, if there are too many.

        Bodies of wrong epochs go first, since they never join the log and show no fork; then the oldest.
        """
        here = {signed.body_hash for slot in self.slots for signed in slot.bodies}
        spare = [
            body
            for place, bodies in self._bodies.items()
            if place[2] == seat
            for body in bodies
            if body.signed.body_hash not in here and self._is_spare(body)
        ]
        spare.sort(key=lambda body: (body.code is not Code.WRONG_EPOCH, _place(body.header)))
        for body in spare[: max(0, len(spare) - MOST_SPARE)]:
            bodies = self._bodies[_place(body.header)]
            bodies.remove(body)
            if not bodies:
                del self._bodies[_place(body.header)]

    # The list of slots

    def _extend(self) -> list[Event[S_co]]:
        """Close every slot after the head that can be closed while nothing is in dispute."""
        events: list[Event[S_co]] = []
        self._poll = None
        while True:
            events += self._open_slot(self.head)
            self.open = self._valid(self.head)
            slot = None if self._disputed or self.missing or not self.open else self._close(self.head, self.open)
            if slot is None:
                return events + (self._derive() if self._disputed else [])
            self.slots.append(slot)
            self.open = {}
            events.append(SlotClosed(slot))

    def _derive(self) -> list[Event[S_co]]:
        """Derive the list of slots again from everything stored; return the events for what changed."""
        before, events = len(self.evidence), list[Event[S_co]]()
        slots = self._follow(self.slots[:1], events)
        decided: dict[int, int] = {}
        while True:
            poll = self._count(slots)
            decided[slots[-1].state.epoch] = poll.floor
            voted = self._voted(slots, poll)
            if voted is None:
                break
            slots = self._follow([*slots[: voted.number], voted], events)
        self._decided = decided
        events += self._unfit
        self._unfit = []
        same = 0
        while same < min(len(slots), len(self.slots)) and slots[same].link == self.slots[same].link:
            same += 1
        if same < len(self.slots):
            events.append(SlotsUndone(same - 1, self._deciding(slots[-1].state.epoch, poll)))
        # A vote's slot gains a body with each further vote for it.
        self.slots[:same] = slots[:same]
        self.slots[same:] = slots[same:]
        for slot in slots[same:]:
            if slot.out is not None:
                events.append(Excluded(slot.out, slot.number - 1, slot.voters))
            events.append(SlotClosed(slot))
        self.open = self._valid(self.head, doubt=True)
        self._poll = poll
        self._disputed = self._in_dispute()
        return events + (self._derive() if len(self.evidence) != before else [])

    def _in_dispute(self) -> bool:
        """Return whether the next message may change more than the open slot."""
        floor, epoch = self.poll.floor, self.state.epoch
        if any(word.round > floor for word in self.ballots.words(epoch)):
            return True
        return any(self._doubtful(slot, seat) for slot in self.slots for seat in slot.state.owed)

    def _follow(self, slots: list[Slot[S_co]], events: list[Event[S_co]]) -> list[Slot[S_co]]:
        """Close slots, one after another, as far as possible."""
        while True:
            head = slots[-1]
            events += self._open_slot(head)
            owed = head.state.owed
            doubtful = [seat for seat in owed if self._doubtful(head, seat)]
            there = self._valid(head)
            if not owed or len(doubtful) > 1 or any(seat not in there for seat in owed):
                return slots
            if not doubtful:
                slot = self._close(head, there)
                if slot is None:
                    continue
                slots = [*slots, slot]
                continue
            branch = self._settled_branch(slots, there, doubtful[0], events)
            if branch is None:
                return slots
            slots = branch

    def _settled_branch(
        self, slots: list[Slot[S_co]], there: dict[int, VerifiedEntry], author: int, events: list[Event[S_co]]
    ) -> list[Slot[S_co]] | None:
        """Extend the log with that one of a seat's two bodies that all others built on; None if neither is settled."""
        head = slots[-1]
        bodies = self._bodies.get((head.state.epoch, head.number + 1, author), [])
        for body in sorted(bodies, key=lambda body: body.signed.body_hash):
            if body.entry is None or body.header.prev != head.link:
                continue
            slot = self._close(head, there | {author: body.entry})
            if slot is not None:
                branch = self._follow([*slots, slot], events)
                if self._settled(branch, slot.number, author):
                    return branch
        return None

    def _settled(self, branch: list[Slot[S_co]], number: int, author: int) -> bool:
        """Return whether every other seat signed on this branch after that slot, or a vote on it is decided."""
        links = {slot.number: slot.link for slot in branch[number:]}
        signed = {said.word.seat for said in self.ballots if _on(said.word.choice, links)}
        signed |= {
            seat
            for (_, slot, seat), bodies in self._bodies.items()
            if any(links.get(slot - 1) == body.header.prev for body in bodies)
        }
        if all(seat in signed for seat in branch[number].state.seats if seat != author):
            return True
        decision = self._count(branch).decision
        return decision is not None and _on(decision[1], links)

    def _open_slot(self, head: Slot[S_co]) -> list[Event[S_co]]:
        """Judge the entries that waited for exactly this past."""
        events: list[Event[S_co]] = []
        for signed, header in self._early.pop(head.number + 1, head.link):
            try:
                events += self._judge(head, signed, header)
            except Refused:
                continue
        return events

    def _doubtful(self, head: Slot[S_co], seat: int) -> bool:
        """Return whether a seat has signed more than one body for its place in the next slot."""
        bodies = self._bodies.get((head.state.epoch, head.number + 1, seat), [])
        if len(bodies) > 1:
            return True
        return bool(bodies) and self._early.rival(bodies[0].signed, bodies[0].header) is not None

    def _valid(self, head: Slot[S_co], doubt: bool = False) -> dict[int, VerifiedEntry]:
        """Return the valid entries for the next slot; with `doubt`, only those of seats that signed a single body."""
        found: dict[int, VerifiedEntry] = {}
        for seat in head.state.owed:
            bodies = self._bodies.get((head.state.epoch, head.number + 1, seat), [])
            fit = [body.entry for body in bodies if body.entry is not None and body.header.prev == head.link]
            if fit and not (doubt and self._doubtful(head, seat)):
                found[seat] = fit[0]
        return found

    def _close(self, head: Slot[S_co], there: dict[int, VerifiedEntry]) -> Slot[S_co] | None:
        """Return the slot of exactly these entries; None if they contradict each other, which is proof against one
        seat.
        """
        entries = [there[seat] for seat in sorted(there)]
        key = (head.link, *(entry.signed.body_hash for entry in entries))
        if key not in self._closed:
            try:
                state = head.state.close(entries)
            except Invalid as verdict:
                self._put_aside(there[verdict.seat], verdict.code)
                return None
            bodies = tuple(entry.signed for entry in entries)
            after = link(signed.body for signed in bodies)
            seats = tuple(entry.seat for entry in entries)
            self._closed[key] = Slot(head.number + 1, head.state.epoch, bodies, seats, after, state)
        return self._closed[key]

    def _put_aside(self, entry: VerifiedEntry, code: Code) -> None:
        """Reject an entry that is valid alone but not beside the others of its slot."""
        header = entry.header
        for body in self._bodies[_place(header)]:
            if body.entry is entry:
                body.entry, body.code = None, code
        self._disputed = True
        self._unfit += self.blame(Evidence(header.seat, header.epoch, header.slot, code, (entry.signed,)))

    def _voted(self, slots: list[Slot[S_co]], poll: Poll) -> Slot[S_co] | None:
        """Return the slot that a vote in the last epoch creates; everything after its base is void and a new epoch
        begins.
        """
        if poll.decision is None or poll.decision[1].stay:
            return None
        choice = poll.decision[1]
        before, number = slots[choice.base], choice.base + 1
        epoch = before.state.epoch
        bodies = self._deciding(epoch, poll)
        seats = tuple(self.keys.index(signed.key) for signed in bodies)
        after = cut_link(choice.prev, choice.out)
        key = (b"cut", after)
        if key not in self._closed:
            state = before.state.without(choice.out, MAX_SEATS * number + choice.out)
            self._closed[key] = Slot(number, epoch, bodies, seats, after, state, choice.out)
        made = self._closed[key]
        doubted = len(poll.voters(choice)) <= 3
        return Slot(number, epoch, bodies, seats, after, made.state, choice.out, doubted)

    def _deciding(self, epoch: int, poll: Poll) -> tuple[Signed, ...]:
        """Return the signed votes that make the decision of an epoch."""
        if poll.decision is None:
            return ()
        number, choice = poll.decision
        rounds = (number, None if choice.stay else poll.agreed_in(choice, number))
        return tuple(
            said.signed
            for said in self.ballots
            if said.epoch == epoch and said.word.choice == choice and said.word.round in rounds
        )

    # Proof

    def blame(self, evidence: Evidence) -> list[Event[S_co]]:
        """Store a proof, one for each place and a few for each seat."""
        if sum(known.seat == evidence.seat and _counts(known, self.slots) for known in self.evidence) >= MOST_PROOFS:
            return []
        place = (evidence.seat, evidence.epoch, evidence.slot, evidence.equivocation)
        if any((known.seat, known.epoch, known.slot, known.equivocation) == place for known in self.evidence):
            return []
        self.evidence.append(evidence)
        return [Blamed(evidence)]


def _place(header: Header) -> EntryPlace:
    return header.epoch, header.slot, header.seat


def _start(slots: list[Slot[S_co]]) -> Slot[S_co]:
    """Return the first slot of the last epoch."""
    return next((slot for slot in reversed(slots) if slot.voted), slots[0])


def _on(choice: VoteChoice, links: dict[int, bytes]) -> bool:
    """Return whether a choice removes a seat at one of these slots."""
    return not choice.stay and links.get(choice.base) == choice.prev


def _counts(evidence: Evidence, slots: list[Slot[S_co]]) -> bool:
    """Return whether a proof counts on this log: an equivocation always, a wrong entry if its past is here."""
    if evidence.equivocation:
        return True
    header = read_header(evidence.bodies[0].body)
    return header is not None and 0 < header.slot <= len(slots) and slots[header.slot - 1].link == header.prev
