"""Ballots: how the other seats go on without one that is absent, or proved to have broken the rules.

A ballot stands on a closed slot (its base) and has a round. A seat has one ballot in each round. The rounds of
a base follow each other: a seat casts in the next one only when the one it cast in is over for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple

from wasabi_protocol.game.chain import S_co, read_header
from wasabi_protocol.game.events import BallotCast, Event
from wasabi_protocol.signed.codec import parse_as
from wasabi_protocol.signed.envelope import Signed, open_envelope
from wasabi_protocol.signed.messages import Ballot
from wasabi_protocol.verdicts import Code, Refused
from wasabi_protocol.voting.blame import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wasabi_protocol.game.log import Log

MAX_KEPT = 64
MAX_KEPT_BYTES = 512_000
MAX_SAID = 8


class Cast(NamedTuple):
    signed: Signed
    ballot: Ballot


BallotRound = tuple[int, int, int]  # epoch, base, round


def agrees(ballot: Ballot, out: int) -> bool:
    """Whether it is a yes to going on without that seat."""
    return ballot.yes and ballot.out == out


def vote_of(ballot: Ballot) -> tuple[bytes, int, bool]:
    """What a ballot says, whatever it attaches: two that differ in this contradict each other."""
    return ballot.prev, ballot.out, ballot.yes


class Ballots(Generic[S_co]):
    """Every ballot that matters for one log; `me` is this client's own seat, if it has one."""

    def __init__(self, log: Log[S_co], me: int | None = None) -> None:
        self._log = log
        self._me = me
        # A seat that contradicts itself has several in one place, and each yes counts: some may rely on it.
        self._cast: dict[BallotRound, dict[int, list[Cast]]] = {}
        self._ended: set[BallotRound] = set()
        """Rounds with a yes of ours that somebody ended whose ballot is forgotten."""

    # What arrives

    def receive(self, signed: Signed, ballot: Ballot) -> list[Event[S_co]]:
        """Take in a ballot and what it attaches."""
        events = self._keep(signed, ballot)
        for key, envelope in ballot.held:
            events += self._attached(key, envelope)
        return events + self.decide()

    def _attached(self, key: bytes, envelope: bytes) -> list[Event[S_co]]:
        """What a no passes on: an entry or another ballot, which stands for itself."""
        try:
            signed = open_envelope(key, envelope)
            if read_header(signed.body) is not None:
                return self._log.receive(key, envelope)
            return self._keep(signed, parse_as(Ballot, signed.body))
        except Refused:
            return []

    def _keep(self, signed: Signed, ballot: Ballot) -> list[Event[S_co]]:
        log = self._log
        if ballot.gid != log.gid:
            raise Refused(Code.WRONG_GAME)
        if log.seat_of(signed.key) != ballot.seat:
            raise Refused(Code.WRONG_SEAT)
        if ballot.out == ballot.seat or ballot.out >= len(log.keys):
            raise Refused(Code.BALLOT_OUT)
        if ballot.yes and ballot.held:
            # So there is one body for each yes, and the slot that ballots make has one form.
            raise Refused(Code.WRONG_CONTENT, "a yes attaches nothing")
        place = (ballot.epoch, ballot.base, ballot.round)
        said = self._cast.get(place, {}).get(ballot.seat, [])
        if any(vote_of(cast.ballot) == vote_of(ballot) for cast in said):
            return []
        if ballot.epoch < log.state.epoch:
            return self._too_late(signed, ballot)
        known = self._known_base(ballot)
        if known and ballot.seat not in log.slots[ballot.base].state.seats:
            raise Refused(Code.BALLOT_VOTER)
        if not known and len(said) >= MAX_SAID:
            raise Refused(Code.HOLD_FULL)
        self._make_room(ballot, len(signed.envelope))
        self._cast.setdefault(place, {}).setdefault(ballot.seat, []).append(Cast(signed, ballot))
        return [BallotCast(ballot)]

    def _too_late(self, signed: Signed, ballot: Ballot) -> list[Event[S_co]]:
        """A ballot of a past epoch is void, and proof if its author said something else in the vote that passed."""
        slots, number = self._log.slots, ballot.base + 1
        passed = slots[number] if number < len(slots) else None
        if passed is None or not passed.voted or passed.epoch != ballot.epoch or ballot.seat not in passed.seats:
            raise Refused(Code.VOID)
        counted = passed.bodies[passed.seats.index(ballot.seat)]
        theirs = parse_as(Ballot, counted.body)
        if theirs.round != ballot.round or vote_of(theirs) == vote_of(ballot):
            raise Refused(Code.VOID)
        two = (counted, signed)
        return self._log.blame(Evidence(ballot.seat, ballot.epoch, number, Code.EQUIVOCATION, two))

    def _make_room(self, ballot: Ballot, size: int) -> None:
        """Forget a seat's oldest rounds if it fills its share; our own ballots are never forgotten."""
        if ballot.seat == self._me:
            return
        place = (ballot.epoch, ballot.base, ballot.round)
        sizes = {
            other: sum(len(cast.signed.envelope) for cast in seats[ballot.seat])
            for other, seats in self._cast.items()
            if ballot.seat in seats
        }
        kept = sorted(sizes)
        while kept and (len(kept) >= MAX_KEPT or sum(map(sizes.__getitem__, kept)) + size > MAX_KEPT_BYTES):
            if kept[0] >= place:
                raise Refused(Code.HOLD_FULL)
            kept.pop(0)
        for forgotten in sizes.keys() - set(kept):
            if self.mine(forgotten) is not None and self.over(forgotten):
                self._ended.add(forgotten)
            del self._cast[forgotten][ballot.seat]
            if not self._cast[forgotten]:
                del self._cast[forgotten]

    def present(self) -> list[Signed]:
        """The ballots of the present epoch: whoever said yes is bound until it has heard what the others said."""
        return [
            cast.signed
            for (epoch, _, _), seats in sorted(self._cast.items())
            if epoch == self._log.state.epoch
            for _, casts in sorted(seats.items())
            for cast in casts
        ]

    def kept(self, seat: int) -> int:
        """How many rounds are remembered in which a seat cast."""
        return sum(seat in seats for seats in self._cast.values())

    def _known_base(self, ballot: Ballot) -> bool:
        log = self._log
        return log.knows(ballot.base, ballot.prev) and log.slots[ballot.base].state.epoch == ballot.epoch

    def decide(self) -> list[Event[S_co]]:
        """Carry out every unanimous vote: yes from all but one, none of whom has since gone on elsewhere."""
        events = self._contradictions()
        while (passed := next(self._passed(), None)) is not None:
            base, out, casts = passed
            events += self._log.exclude(base, out, [(cast.ballot.seat, cast.signed) for cast in casts])
            self._forget()
        return events

    def _contradictions(self) -> list[Event[S_co]]:
        """Proof against every seat that voted in two ways in one round on a base of this log."""
        events: list[Event[S_co]] = []
        for (epoch, base, _), seats in self._cast.items():
            for seat, casts in seats.items():
                if len(casts) > 1 and any(self._known_base(cast.ballot) for cast in casts):
                    two = (casts[0].signed, casts[1].signed)
                    events += self._log.blame(Evidence(seat, epoch, base + 1, Code.EQUIVOCATION, two))
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
        return next((c for c in casts if agrees(c.ballot, out) and self._known_base(c.ballot)), None)

    def _forget(self) -> None:
        """Drop the rounds of past epochs, but for our own ballots."""
        self._ended = {place for place in self._ended if place[0] >= self._log.state.epoch}
        for place in [place for place in self._cast if place[0] < self._log.state.epoch]:
            own = self._cast[place].get(self._me, []) if self._me is not None else []
            if own and self._me is not None:
                self._cast[place] = {self._me: own}
            else:
                del self._cast[place]

    # How a round stands

    def mine(self, place: BallotRound) -> Ballot | None:
        """Our own ballot in a round."""
        casts = [] if self._me is None else self._cast.get(place, {}).get(self._me, [])
        return casts[0].ballot if casts else None

    def over(self, place: BallotRound) -> bool:
        """Whether a round in which we cast is over for us: we said no, or our yes can no longer be unanimous."""
        mine = self.mine(place)
        if mine is None or not mine.yes or place in self._ended:
            return True
        return self._hopeless(place, mine.out, mine.prev)

    def dead(self, place: BallotRound) -> bool:
        """Whether nobody can be voted out in a round any more, whatever we say in it."""
        pasts = {ballot.prev for ballot in self._said(place)}
        return bool(pasts) and all(self._hopeless(place, out, prev) for out in self._log.state.seats for prev in pasts)

    def _hopeless(self, place: BallotRound, out: int, prev: bytes) -> bool:
        """Whether somebody whose yes is needed said something else, or said it of another past."""
        return any(
            ballot.seat != out and (ballot.prev != prev or not agrees(ballot, out)) for ballot in self._said(place)
        )

    def _said(self, place: BallotRound) -> list[Ballot]:
        return [cast.ballot for casts in self._cast.get(place, {}).values() for cast in casts]
