"""The poll: what the ballots and pledges of one epoch come to. It depends on the set of them and never on their order.

In each round a seat has one ballot (what it wants) and one pledge (what it saw complete). A choice is complete in
a round when every seat but one wants it there; a seat goes only if, in one round, each of the others wanted it gone.
A choice is decided when every seat but one has pledged it in one round. Of two decisions the later round counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

NOBODY = 4
"""The choice that nobody goes: all go on together."""
PROOF, CLIENT, PERSON, BOT = "proof", "client", "person", "bot"
"""Who speaks in a ballot: a client that holds proof, a client by itself, a person, a bot for its person."""
_SPEAKERS = ("", CLIENT, PROOF, BOT, PERSON)
WINDOW = 64
"""How many rounds beyond the last decided one a client hears; an honest seat never gets that far ahead."""


class VoteChoice(NamedTuple):
    """What a vote decides: that a seat goes on one closed slot, or that nobody goes in this epoch."""

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


class Poll:
    """The words of one epoch. `members` gives the seats that vote on a choice, none if its base is no slot of the
    epoch; `by_clients` says whether clients may decide it by themselves, or only people.
    """

    def __init__(
        self, words: Iterable[Word], members: Callable[[VoteChoice], Members], by_clients: Callable[[VoteChoice], bool]
    ) -> None:
        self._members = members
        self._by_clients = by_clients
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
        """The last decided round: only later ones are open."""

    # What is decided

    def quorum(self, choice: VoteChoice) -> int:
        """Every seat but one."""
        return max(len(self._members(choice)) - 1, 2)

    def complete(self, choice: VoteChoice, number: int, floor: int = 0) -> bool:
        """Whether a choice is complete in a round."""
        said = self.ballots.get(number, {}).get(choice, {})
        if len(said) < self.quorum(choice):
            return False
        return choice.stay or self.wanted_by_all(choice, number, floor)

    def wanted_by_all(self, choice: VoteChoice, latest: int, floor: int) -> bool:
        """Whether, in one round up to the latest, every other seat wanted the choice's seat gone."""
        return self.agreed_in(choice, latest, floor) is not None

    def agreed_in(self, choice: VoteChoice, latest: int, floor: int = 0) -> int | None:
        """The last such round."""
        others = [seat for seat in self._members(choice) if seat != choice.out]
        for number in sorted(self.ballots, reverse=True):
            said = self.ballots[number].get(choice, {})
            agreed = floor < number <= latest and all(seat in said for seat in others)
            if agreed and ({said[seat] for seat in others} <= {PERSON, BOT} or self._by_clients(choice)):
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

    # What is open

    def completed(self, number: int) -> VoteChoice | None:
        """The choice that is complete in an open round; only if a seat of three has said two things are there two."""
        found = [c for c in self.ballots.get(number, {}) if self.complete(c, number, self.floor)]
        return min(found, key=precedence, default=None) if number > self.floor else None

    def best(self, below: int) -> VoteChoice | None:
        """The complete choice of the highest open round below this one: honest seats go on speaking for it."""
        for number in sorted(self.ballots, reverse=True):
            if number < below and (choice := self.completed(number)) is not None:
                return choice
        return None

    def possible(self, choice: VoteChoice, number: int) -> bool:
        """Whether a choice can still become complete in a round, as far as is known."""
        choices = self.ballots.get(number, {})
        said = choices.get(choice, {})
        elsewhere = {seat for other, seats in choices.items() if other != choice for seat in seats} - set(said)
        if not choice.stay and not self.wanted_by_all(choice, number - 1, self.floor):
            return elsewhere <= {choice.out}
        return len(self._members(choice)) - len(elsewhere) >= self.quorum(choice)


def precedence(choice: VoteChoice) -> tuple[bool, int, bytes, int]:
    """Which of two choices of one round counts: staying first, then the earlier base."""
    return not choice.stay, choice.base, choice.prev, choice.out
