"""Broken variants: each leaves out one rule of the votes, and the model must find a run that shows why it is there."""

from __future__ import annotations

from dataclasses import dataclass

from wasabi_protocol.voting.duty import View
from wasabi_protocol.voting.poll import Poll, VoteChoice, Word, precedence

from tests.model.table import Heard, Rules, Slot


class EarlierRoundCounts(Poll):
    """Of two decisions the earlier one counts."""

    def _decision(self) -> tuple[int, VoteChoice] | None:
        found = [
            (number, choice)
            for number, choices in self.pledges.items()
            for choice, seats in choices.items()
            if len(seats) >= self.quorum(choice) and self.complete(choice, number)
        ]
        return min(found, key=lambda pair: (pair[0], precedence(pair[1])), default=None)


class EverySeatNeeded(Poll):
    """A choice needs every seat, the one in question too."""

    def quorum(self, choice: VoteChoice) -> int:
        return len(self._members(choice))


class OneBallotCompletes(Poll):
    """What one seat wants is complete."""

    def complete(self, choice: VoteChoice, number: int, floor: int = 0) -> bool:
        del floor
        return bool(self.ballots.get(number, {}).get(choice))


class Unbound(View):
    """A ballot against a seat binds nobody."""

    @property
    def bound(self) -> bool:
        return False


class BoundByYes(View):
    """A yes is over only when every seat has said something else, as in the first design: no ballot withdraws it."""

    def withdraw(self) -> Word | None:
        return None

    def _lost(self, number: int) -> bool:
        del number
        return False


class WithdrawsInPlace(View):
    """A seat takes its ballot back in the same round."""

    def withdraw(self) -> Word | None:
        word = super().withdraw()
        return None if word is None else word._replace(round=word.round - 1)


class AccusedIsSilent(View):
    """The seat in question has no part in the vote."""

    def word(self) -> Word | None:
        word = super().word()
        asked = {w.choice.out for w in self.words if not w.pledge}
        return None if self.me in asked else word


@dataclass(frozen=True)
class FirstBodyStays(Rules):
    """Of two bodies for one place the one that sorts first fills it, even if all have signed past the other."""

    def rivals(self, head: Slot, seat: int, heard: Heard) -> bool:
        del head, seat, heard
        return False


@dataclass(frozen=True)
class BallotsDisputeSlots(Rules):
    """Two ballots of a seat in one round dispute the slot that they name, as in the first design."""

    def rivals(self, head: Slot, seat: int, heard: Heard) -> bool:
        return super().rivals(head, seat, heard) or seat in self.proved([], heard)

    def settled(self, branch: list[Slot], number: int, author: int, heard: Heard) -> bool:
        del branch, number, author, heard
        return False


@dataclass(frozen=True)
class ClientsOfThree(Rules):
    """Two of three go on by their clients' word, and what follows is called confirmed."""

    def cut(self, base: Slot, out: int, proved: frozenset[int]) -> Slot:
        return super().cut(base, out, proved)._replace(doubted=())


@dataclass(frozen=True)
class Variant:
    """A broken rule, the promise that it breaks, and a run that leads there at a table with one liar."""

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
_CALLED = "0 says ballot of 0 in round 1: without 2 on slot 0"
_WROTE = "0 says entry good of 0 in slot 1 of epoch 0"
_TAKEN_BACK = """
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

VARIANTS = (
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
}
"""The same runs break nothing under the rules as they are."""
