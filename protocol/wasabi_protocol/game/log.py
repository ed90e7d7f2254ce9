"""The log: entries in any order in, one verified list of slots out, and proof when a seat breaks it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from wasabi_protocol.game.chain import Header, S_co, Slot, VerifiedEntry, link, read_header, verified_entry
from wasabi_protocol.game.early_entries import EarlyEntries
from wasabi_protocol.game.events import Blamed, EntryAccepted, EntryHeld, Event, Excluded, SlotClosed
from wasabi_protocol.signed.codec import parse_as
from wasabi_protocol.signed.envelope import MAX_ENTRY, Signed, open_envelope
from wasabi_protocol.signed.messages import Entry
from wasabi_protocol.verdicts import Code, Invalid, Refused
from wasabi_protocol.voting.blame import Evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EntryPlace = tuple[int, int, int]  # epoch, slot, seat
MOST_PROOFS = 4


class Log(Generic[S_co]):
    """One game's slots as far as they are known here.

    An entry is judged only against the log that its `prev` names. With an unknown one it waits; what nobody
    owes is dropped; what is wrong, or second in its place, becomes evidence and never changes the state.
    `judge` stands in for the state's own `judge` where the owner knows a faster way to the same result.
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
        self._filled: dict[EntryPlace, Signed] = {}
        self._envelopes: set[bytes] = set()
        self._held = EarlyEntries()
        self._void: dict[int, tuple[int, int]] = {}
        self.broken: Evidence | None = None

    # What is known

    @property
    def head(self) -> Slot[S_co]:
        """The last closed slot."""
        return self.slots[-1]

    @property
    def state(self) -> S_co:
        """The state after the last closed slot."""
        return self.slots[-1].state

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats whose entry the open slot lacks."""
        return tuple(seat for seat in self.state.owed if seat not in self.open)

    def knows(self, slot: int, prev: bytes) -> bool:
        """Whether `prev` names this log up to and including that slot."""
        return 0 <= slot < len(self.slots) and self.slots[slot].link == prev

    @property
    def waiting(self) -> int:
        """How many entries are held for a past that is not known here."""
        return len(self._held)

    def seat_of(self, key: bytes) -> int | None:
        """The seat that a key holds in this game, whether still in the key set or not."""
        return self.keys.index(key) if key in self.keys else None

    def written(self, epoch: int, slot: int, seat: int) -> Signed | None:
        """The first body that filled a place here."""
        return self._filled.get((epoch, slot, seat))

    def has(self, envelope: bytes) -> bool:
        """Whether these very bytes were verified and filled a place here: to check them again would change nothing."""
        return envelope in self._envelopes

    def after(self, base: int) -> list[tuple[bytes, bytes]]:
        """Every entry and ballot beyond a slot, as (key, envelope), in slot order, the open slot last."""
        bodies = [signed for slot in self.slots[base + 1 :] for signed in slot.bodies]
        bodies += [self.open[seat].signed for seat in sorted(self.open)]
        return [(signed.key, signed.envelope) for signed in bodies]

    def last_written(self, seat: int) -> int:
        """The number of the last slot of this log that a seat signed into; 0 if none."""
        if seat in self.open:
            return self.head.number + 1
        return next((slot.number for slot in reversed(self.slots) if seat in slot.seats), 0)

    def settled(self, slot: int) -> bool:
        """Whether every current seat signed something later in this log than that slot."""
        return all(self.last_written(seat) > slot for seat in self.state.seats)

    # What arrives

    def receive(self, key: bytes, envelope: bytes) -> list[Event[S_co]]:
        """Take in one entry from its author's key; an empty list for one that is already here."""
        signed = open_envelope(key, envelope, MAX_ENTRY)
        header = read_header(signed.body)
        if header is None:
            raise Refused(Code.BAD_FIELD, "not an entry")
        return self.take(signed, header)

    def take(self, signed: Signed, header: Header) -> list[Event[S_co]]:
        """Take in a signed body with a readable header."""
        if header.gid != self.gid:
            raise Refused(Code.WRONG_GAME)
        if header.seat >= len(self.keys) or self.keys[header.seat] != signed.key:
            raise Refused(Code.WRONG_SEAT)
        if self.broken is not None:
            raise Refused(Code.GAME_OVER)
        return self._put(signed, header) + self._release()

    def _release(self) -> list[Event[S_co]]:
        """Take in what was held for the present head; what that sets free may set free more."""
        events: list[Event[S_co]] = []
        while self.broken is None and (waiting := self._held.take(self.head.number + 1, self.head.link)):
            for held in waiting:
                try:
                    events += self._put(*held)
                except Refused:
                    continue
        return events

    def _put(self, signed: Signed, header: Header) -> list[Event[S_co]]:
        place = (header.epoch, header.slot, header.seat)
        filled = self._filled.get(place)
        if filled is not None:
            if filled.body == signed.body:
                return []
            return self._second(header, filled, signed)
        if self._is_void(header):
            raise Refused(Code.VOID)
        if not self.knows(header.slot - 1, header.prev):
            self._held.add(signed, header)
            return [EntryHeld(header.seat, header.slot)]
        if header.slot <= self.head.number or header.seat not in self.state.owed:
            raise Refused(Code.NOT_OWED)
        try:
            entry = self._judge(signed, header)
        except Invalid as verdict:
            return self._wrong(signed, header, verdict.code)
        self.open[header.seat] = entry
        return [EntryAccepted(entry), *self._fill(signed, header), *self._close()]

    def _judge(self, signed: Signed, header: Header) -> VerifiedEntry:
        if header.epoch != self.state.epoch:
            raise Invalid(Code.WRONG_EPOCH, header.seat)
        try:
            message = parse_as(Entry, signed.body)
        except Refused as refusal:
            raise Invalid(refusal.code, header.seat, refusal.detail) from None
        state, judge = self.state, self._state_judge
        work = state.judge(message) if judge is None else judge(state, message)
        return verified_entry(signed, header, message, work)

    def _fill(self, signed: Signed, header: Header) -> list[Event[S_co]]:
        """Note who wrote here first; another body for this place may have been waiting under another past."""
        self._filled[header.epoch, header.slot, header.seat] = signed
        self._envelopes.add(signed.envelope)
        rival = self._held.rival(signed, header)
        return [] if rival is None else self._second(header, signed, rival)

    def _second(self, header: Header, first: Signed, second: Signed) -> list[Event[S_co]]:
        code = Code.EQUIVOCATION
        return self.blame(Evidence(header.seat, header.epoch, header.slot, code, (first, second)))

    def _wrong(self, signed: Signed, header: Header, code: Code) -> list[Event[S_co]]:
        events = self.blame(Evidence(header.seat, self.state.epoch, header.slot, code, (signed,)))
        # One proof a seat and slot is kept, so a seat cannot fill our memory with nonsense.
        return events + self._fill(signed, header) if events else []

    def _close(self) -> list[Event[S_co]]:
        if self.missing:
            return []
        entries = [self.open[seat] for seat in sorted(self.open)]
        number = self.head.number + 1
        try:
            state = self.state.close(entries)
        except Invalid as verdict:
            entry = self.open.pop(verdict.seat)
            evidence = Evidence(verdict.seat, self.state.epoch, number, verdict.code, (entry.signed,))
            return self.blame(evidence)
        bodies = tuple(entry.signed for entry in entries)
        seats = tuple(entry.seat for entry in entries)
        after = link(signed.body for signed in bodies)
        self.slots.append(Slot(number, self.state.epoch, bodies, seats, after, state))
        self.open = {}
        return [SlotClosed(self.head)]

    # Proof and its consequences

    def blame(self, evidence: Evidence) -> list[Event[S_co]]:
        """Keep a proof; two seats alone cannot go on after one."""
        if evidence.seat in self._void and sum(known.seat == evidence.seat for known in self.evidence) >= MOST_PROOFS:
            # It is out already: more of the same proves nothing new, and must not fill memory and file.
            return []
        place = (evidence.seat, evidence.epoch, evidence.slot)
        if any((known.seat, known.epoch, known.slot) == place for known in self.evidence):
            return []
        self.evidence.append(evidence)
        seats = self.slots[self.base_for(evidence)].state.seats
        if self.state.owed and evidence.seat in seats and len(seats) == 2:
            self.broken = evidence
        return [Blamed(evidence)]

    def base_for(self, evidence: Evidence) -> int:
        """The slot on which the ballot about a proof stands.

        The head once every seat has signed past the disputed slot, or when a vote has voided that slot already;
        else the slot before it, which cuts everything after.
        """
        head = self.head.number
        if self.settled(evidence.slot) or evidence.epoch != self.state.epoch:
            return head
        return min(evidence.slot - 1, head)

    def exclude(self, base: int, out: int, ballots: Sequence[tuple[int, Signed]]) -> list[Event[S_co]]:
        """Make these ballots slot base + 1: what was beyond base is void, a new epoch begins."""
        before = self.slots[base]
        bodies = tuple(signed for _, signed in ballots)
        voters = tuple(seat for seat, _ in ballots)
        del self.slots[base + 1 :]
        self.open = {}
        self._void[out] = (before.state.epoch, base)
        after = link(signed.body for signed in bodies)
        state = before.state.without(out)
        self.slots.append(Slot(base + 1, before.state.epoch, bodies, voters, after, state, out))
        return [Excluded(out, base, voters), SlotClosed(self.head), *self._release()]

    def _is_void(self, header: Header) -> bool:
        """Whether a ballot made this place void for ever."""
        if header.seat in self._void:
            epoch, base = self._void[header.seat]
            if header.epoch > epoch or header.slot > base:
                return True
        return any(slot.voted and header.epoch <= slot.epoch and header.slot >= slot.number for slot in self.slots)
