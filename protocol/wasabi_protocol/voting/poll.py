"""The poll: the result of one epoch's ballots and pledges. It depends on the set of them, never on their order.

In each round a seat has one ballot (what it wants) and one pledge (what it saw complete). A choice is complete in a
round when every seat but one wants it there; a seat is excluded only if, in one round, each of the others wanted that.
A choice is decided when every seat but one has pledged it in one round. Of two decisions the later round counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

NOBODY = 4
"""The choice that nobody goes: all continue together."""
PROOF, CLIENT, PERSON, BOT = "proof", "client", "person", "bot"
"""The speaker of a ballot: a client with proof, a client on its own, a person, a bot or keeper for its person."""
_SPEAKERS = ("", CLIENT, PROOF, BOT, PERSON)
WINDOW = 64
"""Rounds beyond the last decided one that a client accepts; an honest seat never gets that far ahead."""


class VoteChoice(NamedTuple):
    """The subject of a vote: a seat is excluded on one closed slot, or nobody is in this epoch."""

    base: int
    prev: bytes
    out: int

    @property
    def stay(self) -> bool:
        return self.out == NOBODY


class Word(NamedTuple):
    """One signed ballot or pledge."""

    seat: int
    round: int
    choice: VoteChoice
    by: str
    pledge: bool


Members = tuple[int, ...]
Speakers = Mapping[int, str]
"""The speaker in the ballot of each seat."""


def people_agree(speakers: Speakers, out: int, bots: Collection[int]) -> bool:
    """Return whether these ballots of all others suffice to exclude a seat without proof.

    Each must come from a person or from a bot for its person, and at least one from a person directly; a bot's seat has
    no person. Bots exclude only another bot on their own.
    """
    if not set(speakers.values()) <= {PERSON, BOT}:
        return False
    if any(by == PERSON and seat not in bots for seat, by in speakers.items()):
        return True
    return {out, *speakers} <= set(bots)


class Poll:
    """The words of one epoch.

    `members` returns the seats that vote on a choice, none if its base is not a slot of the epoch; `enough` returns
    whether the ballots of all others suffice to exclude a seat, given their speakers.
    """

    def __init__(
        self,
        words: Iterable[Word],
        members: Callable[[VoteChoice], Members],
        enough: Callable[[VoteChoice, Speakers], bool],
    ) -> None:
        self._members = members
        self._enough = enough
        self.ballots: dict[int, dict[VoteChoice, dict[int, str]]] = {}
        self.pledges: dict[int, dict[VoteChoice, set[int]]] = {}
        for word in words:
            if word.seat not in members(word.choice):
                continue
            if word.pledge:
                self.pledges.setdefault(word.round, {}).setdefault(word.choice, set()).add(word.seat)
            else:
                said = self.ballots.setdefault(word.round, {}).setdefault(word.choice, {})
                said[word.seat] = max(word.by, said.get(word.seat, ""), key=_SPEAKERS.index)
        self.decision = self._decision()
        """The round and choice of the decision that counts."""
        self.floor = 0 if self.decision is None else self.decision[0]
        """The last decided round; only later ones are open."""

    # Decisions

    def voters(self, choice: VoteChoice) -> Members:
        """Return the seats that vote on a choice."""
        return self._members(choice)

    def quorum(self, choice: VoteChoice) -> int:
        """Return the number of votes that decide: every seat but one."""
        return max(len(self._members(choice)) - 1, 2)

    def complete(self, choice: VoteChoice, number: int, floor: int = 0) -> bool:
        """Return whether a choice is complete in a round."""
        said = self.ballots.get(number, {}).get(choice, {})
        if len(said) < self.quorum(choice):
            return False
        return choice.stay or self.wanted_by_all(choice, number, floor)

    def wanted_by_all(self, choice: VoteChoice, latest: int, floor: int) -> bool:
        """Return whether, in one round up to `latest`, every other seat wanted to exclude the choice's seat."""
        return self.agreed_in(choice, latest, floor) is not None

    def agreed_in(self, choice: VoteChoice, latest: int, floor: int = 0) -> int | None:
        """Return the last round in which every other seat wanted this exclusion."""
        others = [seat for seat in self._members(choice) if seat != choice.out]
        for number in sorted(self.ballots, reverse=True):
            said = self.ballots[number].get(choice, {})
            # Nobody votes on a slot that is not in the log.
            agreed = floor < number <= latest and others and all(seat in said for seat in others)
            if agreed and self._enough(choice, {seat: said[seat] for seat in others}):
                return number
        return None

    def _decision(self) -> tuple[int, VoteChoice] | None:
        found = [
            (number, choice)
            for number, choices in self.pledges.items()
            for choice, seats in choices.items()
            if len(seats) >= self.quorum(choice) and self.complete(choice, number)
        ]
        return min(found, key=lambda pair: (-pair[0], precedence(pair[1])), default=None)

    # Open rounds

    def completed(self, number: int) -> VoteChoice | None:
        """Return the complete choice of an open round; there are two only if one of three seats said two things."""
        found = [c for c in self.ballots.get(number, {}) if self.complete(c, number, self.floor)]
        return min(found, key=precedence, default=None) if number > self.floor else None

    def best(self, below: int) -> VoteChoice | None:
        """Return the complete choice of the highest open round below this one; honest seats keep supporting it."""
        for number in sorted(self.ballots, reverse=True):
            if number < below and (choice := self.completed(number)) is not None:
                return choice
        return None

    def possible(self, choice: VoteChoice, number: int) -> bool:
        """Return whether a choice can still become complete in a round, as far as is known."""
        choices = self.ballots.get(number, {})
        said = choices.get(choice, {})
        elsewhere = {seat for other, seats in choices.items() if other != choice for seat in seats} - set(said)
        if not choice.stay and not self.wanted_by_all(choice, number - 1, self.floor):
            return elsewhere <= {choice.out}
        return len(self._members(choice)) - len(elsewhere) >= self.quorum(choice)


def precedence(choice: VoteChoice) -> tuple[bool, int, bytes, int]:
    """Return the sort key that decides between two choices of one round: staying first, then the earlier base."""
    return not choice.stay, choice.base, choice.prev, choice.out
