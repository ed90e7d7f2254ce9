"""A voter: one seat's part in the votes of its log, as messages that it can sign."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from wasabi_protocol.game.chain import S_co
from wasabi_protocol.signed.envelope import MAX_ENTRY
from wasabi_protocol.signed.messages import MAX_HELD, Ballot
from wasabi_protocol.verdicts import Code, Forbidden
from wasabi_protocol.voting.ballots import BallotRound, Ballots, agrees

if TYPE_CHECKING:
    from wasabi_protocol.game.events import Event
    from wasabi_protocol.game.log import Log
    from wasabi_protocol.signed.envelope import Signed

_ATTACHED_BYTES = MAX_ENTRY - 512
_ITEM_BYTES = 48

# When an automatic answer (keys, shuffles, shares, tags) may be voted on, in seconds of waiting.
AUTOMATIC_IN_SLOT = 30
AUTOMATIC_IN_GAME = 300
BOT_PATIENCE = 300
MOST_CALLS = 3


class Duty(StrEnum):
    """What an honest client replies to a ballot."""

    YES = "yes"  # the proof is here
    NO = "no"  # the owed entry, or a later slot, is here; or our proof stands elsewhere
    FREE = "free"  # the user decides
    NONE = "none"  # nothing to say now


def vote_allowed(in_slot: float, in_game: float) -> bool:
    """Whether an automatic answer was owed long enough; the caller measures the seconds."""
    return in_slot >= AUTOMATIC_IN_SLOT or in_game >= AUTOMATIC_IN_GAME


class Voter(Ballots[S_co]):
    """The ballots of a log with this client's duties under them.

    A seat has at most one open yes at a time, on whatever base: two could both become unanimous.
    """

    def __init__(self, log: Log[S_co], me: int | None = None) -> None:
        super().__init__(log, me)
        self._called: dict[BallotRound, tuple[tuple[int, ...], int]] = {}

    def bound(self) -> bool:
        """Whether a yes of ours is open: until its round is over we write no entry and say no other yes."""
        log = self._log
        return any(
            place[0] == log.state.epoch and place[1] <= log.head.number and not self.over(place) for place in self._cast
        )

    def duty(self, ballot: Ballot) -> Duty:
        """What we owe in reply to a ballot of another seat."""
        log = self._log
        if self._me is None or self._me in (ballot.out, ballot.seat) or ballot.epoch != log.state.epoch:
            return Duty.NONE
        if self._proved(ballot.seat) is not None:
            # Whoever is proved to break the rules is not answered: our one ballot of the round is for its exclusion.
            return Duty.NONE
        if not self._known_base(ballot):
            return self._duty_elsewhere(ballot)
        if not self._votes(ballot.base, ballot.out) or ballot.round != self._next_round(ballot.base):
            return Duty.NONE
        proved = self._proved(ballot.out)
        if proved is not None:
            return Duty.YES if ballot.base == proved and not self.bound() else Duty.NO
        if self._holds_owed(ballot.base, ballot.out) or ballot.out not in log.slots[ballot.base].state.owed:
            return Duty.NO
        return Duty.NONE if self.bound() else Duty.FREE

    def _duty_elsewhere(self, ballot: Ballot) -> Duty:
        """A no to a ballot on a branch that our proof will cut away, so that its author is free to help cut it."""
        proved = [base for seat in range(len(self._log.keys)) if (base := self._proved(seat)) is not None]
        place = (ballot.epoch, ballot.base, ballot.round)
        spent = self.mine(place) is not None or self.dead(place)
        return Duty.NO if proved and min(proved) < ballot.base and not spent else Duty.NONE

    def unanswered(self) -> list[Ballot]:
        """The ballots of others that stand on this log and lack our answer, oldest round first."""
        ballots = [ballot for place in sorted(self._cast) for ballot in self._said(place)]
        return [ballot for ballot in ballots if self.duty(ballot) is not Duty.NONE]

    def tally(self, ballot: Ballot) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Who said yes and who no to going on without that seat, in that ballot's round."""
        said = self._said((ballot.epoch, ballot.base, ballot.round))
        yes = {other.seat for other in said if agrees(other, ballot.out)}
        no = {other.seat for other in said if other.out == ballot.out and not other.yes}
        return tuple(sorted(yes)), tuple(sorted(no))

    def standing(self) -> list[bytes]:
        """Our own ballots on the last closed slot: whoever missed one needs to hear it again."""
        head = self._log.head
        if self._me is None:
            return []
        return [
            cast.signed.envelope
            for (epoch, base, _), seats in sorted(self._cast.items())
            if epoch == self._log.state.epoch and base in (head.number, head.number - 1)
            for cast in seats.get(self._me, [])
        ]

    def wanted(self) -> tuple[int, int] | None:
        """The base and seat of the vote that proof in our hands calls for, if it is ours to call it now.

        A vote that was answered with no a few times is called again only by those who learned something since.
        """
        log = self._log
        if self._me is None or not log.state.owed or self.bound():
            return None
        accused = sorted({evidence.seat for evidence in log.evidence} - {self._me})
        for base, out in sorted((base, out) for out in accused if (base := self._proved(out)) is not None):
            knowledge, calls = self._called.get((log.state.epoch, base, out), ((), 0))
            again = calls < MOST_CALLS or knowledge != self._knowledge()
            if again and self._votes(base, out) and self._next_round(base) is not None:
                return base, out
        return None

    def cast(self, base: int, out: int, yes: bool) -> Ballot:
        """Our ballot in our next round on that base; Forbidden where our duties say otherwise."""
        log, me = self._log, self._me
        if me is None or not 0 <= base <= log.head.number:
            raise Forbidden(Code.NOT_PLAYING)
        if out == me or not self._votes(base, out):
            raise Forbidden(Code.BALLOT_OUT)
        number = self._next_round(base)
        if number is None:
            raise Forbidden(Code.ROUND_OPEN)
        if yes:
            self._may_say_yes(base, out)
        held = () if yes else self._attachments(base, out)
        return Ballot(log.gid, log.state.epoch, base, me, log.slots[base].link, number, out, yes, held)

    def reply(self, ballot: Ballot, yes: bool) -> Ballot:
        """Our ballot in answer to another seat's."""
        if self._me is None or yes or self._known_base(ballot):
            return self.cast(ballot.base, ballot.out, yes)
        if self._duty_elsewhere(ballot) is not Duty.NO:
            raise Forbidden(Code.BALLOT_OUT)
        place = (ballot.epoch, ballot.base)
        return Ballot(self._log.gid, *place, self._me, ballot.prev, ballot.round, ballot.out, False, ())

    def _may_say_yes(self, base: int, out: int) -> None:
        if self.bound():
            raise Forbidden(Code.BOUND_BY_BALLOT)
        if self._proved(out) == base:
            return
        if self._holds_owed(base, out):
            raise Forbidden(Code.MUST_SAY_NO)
        if out not in self._log.slots[base].state.owed:
            raise Forbidden(Code.BALLOT_OUT, "that seat owes nothing")

    def _keep(self, signed: Signed, ballot: Ballot) -> list[Event[S_co]]:
        events = super()._keep(signed, ballot)
        if ballot.seat == self._me and ballot.yes and events:
            place = (ballot.epoch, ballot.base, ballot.out)
            knowledge, calls = self._called.get(place, ((), 0))
            same = knowledge == self._knowledge()
            self._called[place] = (self._knowledge(), calls + 1 if same else 1)
        return events

    def _knowledge(self) -> tuple[int, ...]:
        log = self._log
        return log.head.number, len(log.open), len(log.evidence)

    def _votes(self, base: int, out: int) -> bool:
        """Whether we and that seat are of the three or more that a vote on this base is about."""
        state = self._log.slots[base].state
        if state.epoch != self._log.state.epoch or len(state.seats) < 3:
            return False
        return self._me in state.seats and out in state.seats

    def _proved(self, out: int) -> int | None:
        """The base on which our proof against a seat stands: the earliest one, if there are several."""
        log = self._log
        return min((log.base_for(evidence) for evidence in log.evidence if evidence.seat == out), default=None)

    def _holds_owed(self, base: int, out: int) -> bool:
        return base < self._log.head.number or out in self._log.open

    def _next_round(self, base: int) -> int | None:
        """The round in which we may cast next on a base; None while the one we cast in is not over."""
        number = 1
        while True:
            place: BallotRound = (self._log.state.epoch, base, number)
            if self.mine(place) is None and not self.dead(place):
                return number
            if not self.over(place):
                return None
            number += 1

    def _attachments(self, base: int, out: int) -> tuple[tuple[bytes, bytes], ...]:
        """Everything beyond base that fits, the owed entry first."""
        items = self._log.after(base)
        items.sort(key=lambda item: item[0] != self._log.keys[out])
        chosen: list[tuple[bytes, bytes]] = []
        room = _ATTACHED_BYTES
        for key, envelope in items[:MAX_HELD]:
            if len(envelope) + _ITEM_BYTES <= room:
                chosen.append((key, envelope))
                room -= len(envelope) + _ITEM_BYTES
        return tuple(chosen)
