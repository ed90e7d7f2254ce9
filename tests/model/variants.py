"""Broken variants: each omits one rule of the votes, and the model must find a run that shows why it is there."""

from __future__ import annotations

from dataclasses import dataclass

from wasabi_protocol.voting.duty import View
from wasabi_protocol.voting.poll import BOT as BY_BOT
from wasabi_protocol.voting.poll import PERSON as BY_PERSON
from wasabi_protocol.voting.poll import WINDOW, Poll, Speakers, VoteChoice, Word, precedence

from tests.model.beginnings import IN_VAIN
from tests.model.table import BOT, KEEPER, PERSON, Heard, Rules, Slot


class EarlierRoundCounts(Poll):
    """The earlier of two decisions counts."""

    def _decision(self) -> tuple[int, VoteChoice] | None:
        found = [
            (number, choice)
            for number, choices in self.pledges.items()
            for choice, seats in choices.items()
            if len(seats) >= self.quorum(choice) and self.complete(choice, number)
        ]
        return min(found, key=lambda pair: (pair[0], precedence(pair[1])), default=None)


class EverySeatNeeded(Poll):
    """A choice needs every seat, even the one in question."""

    def quorum(self, choice: VoteChoice) -> int:
        return len(self._members(choice))


class OneBallotCompletes(Poll):
    """A single ballot completes a choice."""

    def complete(self, choice: VoteChoice, number: int, floor: int = 0) -> bool:
        del floor
        return bool(self.ballots.get(number, {}).get(choice))


class Unbound(View):
    """A ballot against a seat binds nobody."""

    @property
    def bound(self) -> bool:
        return False


class BoundByYes(View):
    """A yes ends only when every seat has said something else, as in the first design: no ballot withdraws it."""

    def withdraw(self) -> Word | None:
        return None

    def _lost(self, number: int) -> bool:
        del number
        return False


class WithdrawsInPlace(View):
    """A seat withdraws its ballot in the same round."""

    def withdraw(self) -> Word | None:
        word = super().withdraw()
        return None if word is None else word._replace(round=word.round - 1)


class AccusedIsSilent(View):
    """The seat in question takes no part in the vote."""

    def word(self) -> Word | None:
        word = super().word()
        asked = {w.choice.out for w in self.words if not w.pledge}
        return None if self.me in asked else word


class HolesInRounds(View):
    """A seat follows others only where their ballots count in its own log."""

    def _rounds(self) -> dict[int, int]:
        floor, found = self.poll.floor, dict[int, int]()
        for number, choices in self.poll.ballots.items():
            if floor < number <= floor + WINDOW:
                for seat in (seat for seats in choices.values() for seat in seats):
                    found[seat] = max(number, found.get(seat, 0))
        return found

    def _spoken_in(self, number: int) -> bool:
        return number in self.poll.ballots


class TwoDoNotVote(View):
    """After one of three has left, nobody continues the open vote about it, and it binds for ever."""

    def word(self) -> Word | None:
        return None if len(self.seats) < 3 else super().word()


class PledgesAlone(View):
    """A seat that pledged on the ballots of others never adds its own, though one of them has left."""

    def _back_up(self) -> Word | None:
        return None


@dataclass(frozen=True)
class WaitsForLeavers(Rules):
    """A vote about a seat that has left needs as many votes as before."""

    def voters(self, there: tuple[int, ...], out: int, head: Slot) -> tuple[int, ...]:
        del out, head
        return there


@dataclass(frozen=True)
class AsksNoClock(Rules):
    """A seat that is asked may say yes, whatever its own clock shows."""

    def patient(self, me: int, heard: Heard) -> bool:
        del me, heard
        return True


@dataclass(frozen=True)
class BotsAlone(Rules):
    """Bots exclude a seat on their own, without any person."""

    def agree(self, choice: VoteChoice, speakers: Speakers) -> bool:
        del choice
        return set(speakers.values()) <= {BY_PERSON, BY_BOT}

    def may_call(self, me: int, out: int, seats: tuple[int, ...]) -> bool:
        del out, seats
        return self.kinds[me] in (PERSON, BOT)


@dataclass(frozen=True)
class FirstBodyStays(Rules):
    """The first in order of two bodies fills a place, even if all have signed past the other."""

    def rivals(self, head: Slot, seat: int, heard: Heard) -> bool:
        del head, seat, heard
        return False


@dataclass(frozen=True)
class BallotsDisputeSlots(Rules):
    """Two ballots of a seat in one round dispute the slot they name, as in the first design."""

    def rivals(self, head: Slot, seat: int, heard: Heard) -> bool:
        return super().rivals(head, seat, heard) or seat in self.proved([], heard)

    def settled(self, branch: list[Slot], number: int, author: int, heard: Heard) -> bool:
        del branch, number, author, heard
        return False


@dataclass(frozen=True)
class ClientsOfThree(Rules):
    """Two of three go on by their clients' word, and what follows counts as confirmed."""

    def cut(self, base: Slot, out: int, doubted: bool) -> Slot:
        del doubted
        return super().cut(base, out, False)


@dataclass(frozen=True)
class Variant:
    """A broken rule, the promise it breaks, and a run that leads there at a table with one liar."""

    name: str
    rules: Rules
    liar: int
    law: str
    run: str


_CONFIRMED = """
2 tells 0 entry other of 2 in slot 1 of epoch 0
1 hears entry other of 2 in slot 1 of epoch 0
0 says entry good of 0 in slot 1 of epoch 0
1 says entry good of 1 in slot 1 of epoch 0
0 hears entry good of 1 in slot 1 of epoch 0
1 hears entry good of 0 in slot 1 of epoch 0
0 says entry good of 0 in slot 2 of epoch 0
1 hears entry good of 0 in slot 2 of epoch 0
1 says entry good of 1 in slot 3 of epoch 0
2 tells 0 entry good of 2 in slot 3 of epoch 0
0 hears entry good of 1 in slot 3 of epoch 0
"""
_AGREED = """
0 waits on slot 0
0 says ballot of 0 in round 1: without 1 on slot 0
2 tells 0 ballot of 2 in round 1: without 1 on slot 0
0 says pledge of 0 in round 1: without 1 on slot 0
2 tells 0 pledge of 2 in round 1: without 1 on slot 0
0 says entry good of 0 in slot 2 of epoch 5
2 tells 0 entry good of 2 in slot 3 of epoch 5
1 hears ballot of 0 in round 1: without 1 on slot 0
1 says ballot of 1 in round 1: that all stay
2 tells 1 ballot of 2 in round 2: that all stay
1 says ballot of 1 in round 2: that all stay
1 says pledge of 1 in round 2: that all stay
2 tells 1 pledge of 2 in round 2: that all stay
0 hears ballot of 1 in round 2: that all stay
0 hears ballot of 2 in round 2: that all stay
0 hears pledge of 1 in round 2: that all stay
0 hears pledge of 2 in round 2: that all stay
"""
_WENT_ON = """
0 waits on slot 0
0 says ballot of 0 in round 1: without 1 on slot 0
0 says entry good of 0 in slot 1 of epoch 0
1 says entry good of 1 in slot 1 of epoch 0
2 tells 0 entry good of 2 in slot 1 of epoch 0
1 hears entry good of 2 in slot 1 of epoch 0
0 hears entry good of 1 in slot 1 of epoch 0
1 hears entry good of 0 in slot 1 of epoch 0
0 says entry good of 0 in slot 2 of epoch 0
1 hears entry good of 0 in slot 2 of epoch 0
2 tells 1 entry good of 2 in slot 3 of epoch 0
2 tells 0 ballot of 2 in round 1: without 1 on slot 0
0 says pledge of 0 in round 1: without 1 on slot 0
1 hears ballot of 0 in round 1: without 1 on slot 0
1 hears ballot of 2 in round 1: without 1 on slot 0
1 hears pledge of 0 in round 1: without 1 on slot 0
2 tells 1 pledge of 2 in round 1: without 1 on slot 0
"""
_CALLED = """
0 waits on slot 0
0 says ballot of 0 in round 1: without 2 on slot 0
"""
_WROTE = "0 says entry good of 0 in slot 1 of epoch 0"
_TAKEN_BACK = """
0 waits on slot 0
0 says ballot of 0 in round 1: without 2 on slot 0
0 says ballot of 0 in round 1: that all stay
"""
_ONE_WANTS = """
3 tells 0 ballot of 3 in round 1: without 0 on slot 0
0 says pledge of 0 in round 1: without 0 on slot 0
1 hears ballot of 3 in round 1: without 0 on slot 0
1 says pledge of 1 in round 1: without 0 on slot 0
0 hears pledge of 1 in round 1: without 0 on slot 0
3 tells 0 pledge of 3 in round 1: without 0 on slot 0
"""

_FIRST_TURN = """
0 says entry good of 0 in slot 1 of epoch 0
1 says entry good of 1 in slot 1 of epoch 0
2 tells 1 entry good of 2 in slot 1 of epoch 0
1 hears entry good of 0 in slot 1 of epoch 0
0 hears entry good of 1 in slot 1 of epoch 0
0 hears entry good of 2 in slot 1 of epoch 0
1 waits on slot 1
1 says ballot of 1 in round 1: without 0 on slot 1
"""
_NO_SUCH_SLOT = (
    IN_VAIN
    + """
1 waits on slot 1
1 says ballot of 1 in round 4: without 0 on slot 1
0 tells 1 entry other of 0 in slot 1 of epoch 0
"""
)
_LEFT = """
1 says entry good of 1 in slot 1 of epoch 0
2 says entry good of 2 in slot 1 of epoch 0
0 tells 1 entry good of 0 in slot 1 of epoch 0
1 hears entry good of 2 in slot 1 of epoch 0
1 waits on slot 1
1 says ballot of 1 in round 1: without 0 on slot 1
0 tells 1 entry leave of 0 in slot 2 of epoch 0
"""
_PLEDGED_ALONE = """
1 says entry good of 1 in slot 1 of epoch 0
2 says entry good of 2 in slot 1 of epoch 0
0 tells 1 entry good of 0 in slot 1 of epoch 0
1 hears entry good of 2 in slot 1 of epoch 0
1 waits on slot 1
1 says ballot of 1 in round 1: without 0 on slot 1
1 says ballot of 1 in round 2: that all stay
0 tells 2 ballot of 0 in round 2: that all stay
2 hears ballot of 1 in round 2: that all stay
2 says pledge of 2 in round 2: that all stay
0 tells 1 entry leave of 0 in slot 2 of epoch 0
"""
_LEFT_OF_FOUR = """
0 says entry good of 0 in slot 1 of epoch 0
1 says entry good of 1 in slot 1 of epoch 0
2 says entry good of 2 in slot 1 of epoch 0
3 tells 0 entry good of 3 in slot 1 of epoch 0
0 hears entry good of 1 in slot 1 of epoch 0
0 hears entry good of 2 in slot 1 of epoch 0
1 hears entry good of 0 in slot 1 of epoch 0
1 hears entry good of 2 in slot 1 of epoch 0
1 hears entry good of 3 in slot 1 of epoch 0
2 hears entry good of 0 in slot 1 of epoch 0
2 hears entry good of 1 in slot 1 of epoch 0
2 hears entry good of 3 in slot 1 of epoch 0
1 waits on slot 1
2 waits on slot 1
1 says ballot of 1 in round 1: without 0 on slot 1
2 says ballot of 2 in round 1: without 0 on slot 1
0 says entry leave of 0 in slot 2 of epoch 0
3 tells 1 ballot of 3 in round 1: without 0 on slot 1
"""
_ONE_BALLOT = (
    _FIRST_TURN.replace("1 waits on slot 1\n1 says ballot of 1 in round 1: without 0 on slot 1\n", "")
    + """
2 tells 1 ballot of 2 in round 1: without 0 on slot 1
1 says ballot of 1 in round 1: without 0 on slot 1
1 says pledge of 1 in round 1: without 0 on slot 1
2 tells 1 pledge of 2 in round 1: without 0 on slot 1
"""
)
_BOTS_ALONE = (
    _FIRST_TURN
    + """
2 tells 1 ballot of 2 in round 1: without 0 on slot 1
1 says pledge of 1 in round 1: without 0 on slot 1
2 tells 1 pledge of 2 in round 1: without 0 on slot 1
"""
)

VARIANTS = (
    Variant("rounds are followed where they count", Rules(3, 3, view=HolesInRounds), 0, "P2", _NO_SUCH_SLOT),
    Variant("a leave leaves its vote open", Rules(3, 4, view=TwoDoNotVote), 0, "P2", _LEFT),
    Variant("a pledge stands without a ballot", Rules(3, 4, view=PledgesAlone), 0, "P2", _PLEDGED_ALONE),
    Variant("who has left is waited for", WaitsForLeavers(4, 4), 3, "P2", _LEFT_OF_FOUR),
    Variant("a bot follows a ballot", AsksNoClock(3, 3, kinds=(PERSON, BOT, PERSON)), 2, "P7", _ONE_BALLOT),
    Variant("a keeper follows a ballot", AsksNoClock(3, 3, kinds=(PERSON, KEEPER, PERSON)), 2, "P7", _ONE_BALLOT),
    Variant("a person follows a ballot", AsksNoClock(3, 3), 2, "P7", _ONE_BALLOT),
    Variant("bots send a person away", BotsAlone(3, 3, kinds=(PERSON, BOT, BOT)), 2, "P8", _BOTS_ALONE),
    Variant("a ballot is taken back in its own round", Rules(3, 3, view=WithdrawsInPlace), 2, "P1", _TAKEN_BACK),
    Variant("the seat in question is silent", Rules(3, 3, view=AccusedIsSilent), 1, "P2", _CALLED),
    Variant("one ballot is enough", Rules(4, 3, poll=OneBallotCompletes), 3, "P3", _ONE_WANTS),
    Variant("every seat is needed", Rules(4, 3, poll=EverySeatNeeded), 3, "P4", _WROTE),
    Variant("nothing ends a yes", Rules(3, 3, view=BoundByYes), 2, "P2", _CALLED),
    Variant("a ballot against a seat binds nobody", Rules(3, 4, view=Unbound), 2, "P5", _WENT_ON),
    Variant(
        "of two bodies the first one stays",
        FirstBodyStays(3, 4),
        2,
        "P5",
        _CONFIRMED + "2 tells 0 entry good of 2 in slot 1 of epoch 0",
    ),
    Variant(
        "two ballots dispute a slot",
        BallotsDisputeSlots(3, 4),
        2,
        "P5",
        _CONFIRMED
        + "2 tells 0 ballot of 2 in round 1: without 1 on slot 0\n"
        + "2 tells 0 ballot of 2 in round 1: without 0 on slot 0",
    ),
    Variant("what two of three agreed on is confirmed", ClientsOfThree(3, 4), 2, "P5", _AGREED),
    Variant("the earlier decision counts", Rules(3, 4, poll=EarlierRoundCounts), 2, "P", _AGREED),
)
SOUND = {
    "called": _CALLED,
    "wrote": _WROTE,
    "taken back": _TAKEN_BACK,
    "one wants": _ONE_WANTS,
    "went on": _WENT_ON,
    "confirmed": _CONFIRMED + "2 tells 0 entry good of 2 in slot 1 of epoch 0",
    "agreed": _AGREED,
    "no such slot": _NO_SUCH_SLOT,
    "left": _LEFT,
    "pledged alone": _PLEDGED_ALONE,
    "left of four": _LEFT_OF_FOUR,
    "one ballot": _ONE_BALLOT,
    "bots alone": _BOTS_ALONE,
}
"""The same runs, which break nothing under the real rules."""
