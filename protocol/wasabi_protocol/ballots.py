"""Ballots: how the other seats go on without one that is absent, or proved to have broken the rules.

A ballot stands on a closed slot (its base) and has a round. A seat has one ballot in each round. The rounds of
a base follow each other: a seat casts in the next one only when the one it cast in is over for it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from wasabi_protocol.blame import Evidence
from wasabi_protocol.envelope import MAX_ENVELOPE, Signed, open_envelope
from wasabi_protocol.events import BallotCast, Event
from wasabi_protocol.messages import MAX_HELD, Ballot
from wasabi_protocol.verdicts import Code, Forbidden, Refused
from wasabi_protocol.wire import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wasabi_protocol.log import Log

MAX_KEPT = 64
MAX_KEPT_BYTES = 512_000
_ATTACHED_BYTES = MAX_ENVELOPE - 512

# When an automatic answer (keys, shuffles, shares, tags) may be voted on, in seconds of waiting.
AUTOMATIC_IN_SLOT = 30
AUTOMATIC_IN_GAME = 300
BOT_PATIENCE = 300


class Answer(StrEnum):
    """What an honest client replies to a ballot."""

    YES = "yes"  # the proof is here
    NO = "no"  # the owed entry, or a later slot, is here
    FREE = "free"  # the user decides
    NONE = "none"  # nothing to say: already said, not ours to say, or the proof is not here yet


class Cast(NamedTuple):
    signed: Signed
    ballot: Ballot


Round = tuple[int, int, int]  # epoch, base, round


def vote_allowed(in_slot: float, in_game: float) -> bool:
    """Whether an automatic answer was owed long enough; the caller measures the seconds."""
    return in_slot >= AUTOMATIC_IN_SLOT or in_game >= AUTOMATIC_IN_GAME


def _agrees(ballot: Ballot, out: int) -> bool:
    return ballot.yes and ballot.out == out


class Ballots:
    """Every ballot that matters for one log, and this client's own duties under them."""

    def __init__(self, log: Log, me: int | None = None) -> None:
        self._log = log
        self._me = me
        # A seat that contradicts itself has two in one place; its yes then still counts for those who saw it.
        self._cast: dict[Round, dict[int, list[Cast]]] = {}

    # What arrives

    def receive(self, signed: Signed, ballot: Ballot) -> list[Event]:
        """Take in a ballot and what it attaches."""
        log = self._log
        if ballot.gid != log.gid:
            raise Refused(Code.WRONG_GAME)
        if log.seat_of(signed.key) != ballot.seat:
            raise Refused(Code.WRONG_SEAT)
        events = self._keep(signed, ballot)
        for key, envelope in ballot.held:
            events += self._attached(key, envelope)
        return events + self.decide()

    def _attached(self, key: bytes, envelope: bytes) -> list[Event]:
        try:
            signed = open_envelope(key, envelope)
            message = parse(signed.body)
            if isinstance(message, Ballot) and self._log.seat_of(key) == message.seat:
                return self._keep(signed, message)
        except Refused:
            pass
        try:
            return self._log.receive(key, envelope)
        except Refused:
            return []

    def _keep(self, signed: Signed, ballot: Ballot) -> list[Event]:
        log = self._log
        if ballot.out == ballot.seat or ballot.out >= len(log.keys):
            raise Refused(Code.BALLOT_OUT)
        if ballot.yes and ballot.why == "absent" and ballot.held:
            raise Refused(Code.WRONG_CONTENT, "a yes attaches nothing")
        place = (ballot.epoch, ballot.base, ballot.round)
        known = self._cast.get(place, {}).get(ballot.seat, [])
        if any(cast.signed.body == signed.body for cast in known):
            return []
        if ballot.epoch < log.state.epoch:
            raise Refused(Code.VOID)
        if self._known_base(ballot) and ballot.seat not in log.slots[ballot.base].state.seats:
            raise Refused(Code.BALLOT_VOTER)
        if len(known) < 2:
            self._make_room(ballot, len(signed.envelope))
            self._cast.setdefault(place, {}).setdefault(ballot.seat, []).append(Cast(signed, ballot))
        if not known:
            return [BallotCast(ballot)]
        two = (known[0].signed, signed)
        return log.blame(Evidence(ballot.seat, ballot.epoch, ballot.base + 1, Code.EQUIVOCATION, two))

    def _make_room(self, ballot: Ballot, size: int) -> None:
        """Forget a seat's oldest rounds if it fills its share; our own ballots are never forgotten."""
        if ballot.seat == self._me:
            return
        kept = sorted(place for place, seats in self._cast.items() if ballot.seat in seats)
        used = sum(len(cast.signed.envelope) for place in kept for cast in self._cast[place][ballot.seat])
        while kept and (len(kept) >= MAX_KEPT or used + size > MAX_KEPT_BYTES):
            oldest = kept.pop(0)
            if oldest >= (ballot.epoch, ballot.base, ballot.round):
                raise Refused(Code.HOLD_FULL)
            used -= sum(len(cast.signed.envelope) for cast in self._cast[oldest].pop(ballot.seat))

    def kept(self, seat: int) -> int:
        """How many rounds are remembered in which a seat cast."""
        return sum(seat in seats for seats in self._cast.values())

    def _known_base(self, ballot: Ballot) -> bool:
        log = self._log
        return log.knows(ballot.base, ballot.prev) and log.slots[ballot.base].state.epoch == ballot.epoch

    def decide(self) -> list[Event]:
        """Carry out every unanimous vote: yes from all but one, none of whom has since gone on elsewhere."""
        events: list[Event] = []
        while (passed := next(self._passed(), None)) is not None:
            base, out, casts = passed
            events += self._log.exclude(base, out, [(cast.ballot.seat, cast.signed) for cast in casts])
            self._forget()
        return events

    def _passed(self) -> Iterator[tuple[int, int, list[Cast]]]:
        log = self._log
        for (epoch, base, _), seats in sorted(self._cast.items()):
            if epoch != log.state.epoch or base > log.head.number or log.settled(base + 1):
                continue
            present = log.slots[base].state.seats
            if len(present) < 3:
                continue
            for out in present:
                casts = [self._yes(seats.get(voter, []), out) for voter in present if voter != out]
                if all(casts):
                    yield base, out, [cast for cast in casts if cast is not None]

    def _yes(self, casts: list[Cast], out: int) -> Cast | None:
        return next((c for c in casts if _agrees(c.ballot, out) and self._known_base(c.ballot)), None)

    def _forget(self) -> None:
        """Drop the rounds of past epochs, but for our own ballots."""
        for place in [place for place in self._cast if place[0] < self._log.state.epoch]:
            own = self._cast[place].get(self._me, []) if self._me is not None else []
            if own and self._me is not None:
                self._cast[place] = {self._me: own}
            else:
                del self._cast[place]

    # Our own part

    def bound(self) -> bool:
        """Whether a yes of ours still forbids us to write entries."""
        log = self._log
        return any(
            place[0] == log.state.epoch and place[1] <= log.head.number and not self._over(place)
            for place in self._cast
            if self._mine(place) is not None
        )

    def _mine(self, place: Round) -> Ballot | None:
        casts = [] if self._me is None else self._cast.get(place, {}).get(self._me, [])
        return casts[0].ballot if casts else None

    def _over(self, place: Round) -> bool:
        """Whether a round in which we cast is over for us: we said no, or our yes can no longer be unanimous."""
        mine = self._mine(place)
        if mine is None or not mine.yes:
            return True
        return any(
            not _agrees(cast.ballot, mine.out)
            for seat, casts in self._cast[place].items()
            if seat != mine.out
            for cast in casts
        )

    def answer(self, ballot: Ballot) -> Answer:
        """What we owe in reply to a ballot of another seat."""
        log = self._log
        if self._me is None or self._me in (ballot.out, ballot.seat):
            return Answer.NONE
        if not self._known_base(ballot) or ballot.epoch != log.state.epoch:
            return Answer.NONE
        present = log.slots[ballot.base].state.seats
        if len(present) < 3 or not {self._me, ballot.out} <= set(present):
            return Answer.NONE
        if ballot.round != self._next_round(ballot.base):
            return Answer.NONE
        bases = [log.base_for(evidence) for evidence in log.evidence if evidence.seat == ballot.out]
        if ballot.base in bases:
            return Answer.YES
        if ballot.why == "proof":
            # Ours stands further on: that round is out of date. Otherwise what it rests on is still on its way.
            return Answer.NO if any(base > ballot.base for base in bases) else Answer.NONE
        owed = log.slots[ballot.base].state.owed
        return Answer.NO if self._holds_owed(ballot.base, ballot.out) or ballot.out not in owed else Answer.FREE

    def unanswered(self) -> list[Ballot]:
        """The ballots of others that stand on this log and lack our answer, oldest round first."""
        return [
            casts[0].ballot
            for place, seats in sorted(self._cast.items())
            for _, casts in sorted(seats.items())
            if casts and self.answer(casts[0].ballot) is not Answer.NONE
        ]

    def _proof(self, out: int, base: int) -> Evidence | None:
        log = self._log
        return next((e for e in log.evidence if e.seat == out and log.base_for(e) == base), None)

    def _holds_owed(self, base: int, out: int) -> bool:
        return base < self._log.head.number or out in self._log.open

    def wanted(self) -> tuple[int, int] | None:
        """The base and seat of the vote that a proof in our hands calls for, if we have not cast it yet."""
        log = self._log
        if self._me is None or not log.state.owed:
            return None
        for evidence in log.evidence:
            base = log.base_for(evidence)
            present = log.slots[base].state.seats
            if self._me == evidence.seat or len(present) < 3 or not {self._me, evidence.seat} <= set(present):
                continue
            if self._next_round(base) is not None:
                return base, evidence.seat
        return None

    def _next_round(self, base: int) -> int | None:
        """The round in which we may cast next on a base; None while the one we cast in is not over."""
        epoch, number = self._log.state.epoch, 1
        while self._mine((epoch, base, number)) is not None:
            if not self._over((epoch, base, number)):
                return None
            number += 1
        return number

    def cast(self, base: int, out: int, yes: bool) -> Ballot:
        """Our ballot in our next round on that base; Forbidden where our duties say otherwise."""
        log, me = self._log, self._me
        if me is None or not 0 <= base <= log.head.number:
            raise Forbidden(Code.NOT_PLAYING)
        slot, epoch = log.slots[base], log.state.epoch
        present = slot.state.seats
        if slot.state.epoch != epoch or me not in present or out not in present or out == me or len(present) < 3:
            raise Forbidden(Code.BALLOT_OUT)
        number = self._next_round(base)
        if number is None:
            raise Forbidden(Code.ROUND_OPEN)
        proof = self._proof(out, base)
        if yes and proof is None:
            if self._holds_owed(base, out):
                raise Forbidden(Code.MUST_SAY_NO)
            if out not in slot.state.owed:
                raise Forbidden(Code.BALLOT_OUT, "that seat owes nothing")
        held = self._evidence(proof) if yes and proof else () if yes else self._attachments(base, out)
        why = "proof" if yes and proof else "absent"
        return Ballot(log.gid, epoch, base, me, slot.link, number, out, yes, why, held)

    def _attachments(self, base: int, out: int) -> tuple[tuple[bytes, bytes], ...]:
        """Everything beyond base that fits, the owed entry first."""
        items = self._log.after(base)
        items.sort(key=lambda item: item[0] != self._log.keys[out])
        return _fitting(items)

    def _evidence(self, proof: Evidence) -> tuple[tuple[bytes, bytes], ...]:
        return _fitting([(signed.key, signed.envelope) for signed in proof.bodies])


def _fitting(items: list[tuple[bytes, bytes]]) -> tuple[tuple[bytes, bytes], ...]:
    chosen: list[tuple[bytes, bytes]] = []
    room = _ATTACHED_BYTES
    for key, envelope in items[:MAX_HELD]:
        if len(envelope) + 48 <= room:
            chosen.append((key, envelope))
            room -= len(envelope) + 48
    return tuple(chosen)
