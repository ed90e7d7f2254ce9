"""The duty of an honest seat in votes: what it says next, from what it knows and has said itself."""

from __future__ import annotations

from dataclasses import dataclass

from wasabi_protocol.voting.poll import CLIENT, NOBODY, PROOF, WINDOW, Poll, VoteChoice, Word

MOST_CALLS = 3
"""A seat calls the same vote by itself this many times; then it waits until something has changed."""


@dataclass(frozen=True)
class View:
    """What a seat knows when it speaks: the poll, its own log and its own words of this epoch."""

    me: int
    seats: tuple[int, ...]
    poll: Poll
    words: frozenset[Word]
    start: VoteChoice
    """That nobody goes, on the first slot of the epoch."""
    head: tuple[int, bytes]
    missing: tuple[int, ...]
    proved: frozenset[int]

    # What we said ourselves

    @property
    def mine(self) -> list[Word]:
        return [word for word in self.words if word.seat == self.me]

    @property
    def spoken(self) -> int:
        """The highest round in which we said anything."""
        return max((word.round for word in self.mine), default=0)

    @property
    def bound(self) -> bool:
        """Whether a ballot of ours against a seat is open: meanwhile we write no entry."""
        floor = self.poll.floor
        return any(not word.pledge and not word.choice.stay and word.round > floor for word in self.mine)

    # What we say by ourselves

    def word(self) -> Word | None:
        """Our pledge or ballot that needs nobody's decision; None if there is none now."""
        if self.me not in self.seats or len(self.seats) < 3:
            return None
        return self._pledge() or self._ballot()

    def _pledge(self) -> Word | None:
        """We pledge what is complete in the round in which we are, or in a later one."""
        mine = self.mine
        cast = max((word.round for word in mine if not word.pledge), default=0)
        pledged = max((word.round for word in mine if word.pledge), default=0)
        for number in sorted(self.poll.ballots, reverse=True):
            if number < cast or number <= pledged:
                return None
            choice = self.poll.completed(number)
            if choice is not None and number <= self.poll.floor + WINDOW:
                return Word(self.me, number, choice, CLIENT, True)
        return None

    def _ballot(self) -> Word | None:
        number = self.round()
        if number <= max(self.spoken, self.poll.floor):
            if not self._lost(number):
                return self._call()
            number += 1
        if number > self.poll.floor + WINDOW:
            return None
        best = self.poll.best(number)
        if best is not None:
            return Word(self.me, number, best, CLIENT, False)
        wanted = self._wanted()
        if wanted is not None:
            return Word(self.me, number, wanted, PROOF, False)
        if self.asked(number):
            return None
        return Word(self.me, number, self.start, CLIENT, False) if number in self.poll.ballots or self.bound else None

    def _call(self) -> Word | None:
        """A vote that proof in our hands calls for."""
        wanted = self._wanted()
        if wanted is None or self.spoken > self.poll.floor:
            return None
        return Word(self.me, self.poll.floor + 1, wanted, PROOF, False)

    def round(self) -> int:
        """The round in which the table is: the next one if a seat speaks there, a later one if two others do."""
        here = max(self.spoken, self.poll.floor)
        ahead = sorted((number for seat, number in self._rounds().items() if seat != self.me), reverse=True)
        return max([here, *(min(number, here + 1) for number in ahead[:1]), *ahead[1:2]])

    def _rounds(self) -> dict[int, int]:
        """The last open round in which each seat has a ballot."""
        floor, found = self.poll.floor, dict[int, int]()
        for number, choices in self.poll.ballots.items():
            if floor < number <= floor + WINDOW:
                for seat in (seat for seats in choices.values() for seat in seats):
                    found[seat] = max(number, found.get(seat, 0))
        return found

    def _lost(self, number: int) -> bool:
        """Whether what we want in our round can no longer come, or is no longer what we want."""
        if number <= self.poll.floor:
            return False
        complete = self.poll.completed(number)
        if complete is not None:
            # One of three has said two things: we may have pledged what does not count in the end.
            return any(word.pledge and word.round == number and word.choice != complete for word in self.mine)
        best = self.poll.best(number)
        return any(
            choice != best if best is not None else not self.poll.possible(choice, number) or self._unwanted(choice)
            for choice in (word.choice for word in self.mine if word.round == number and not word.pledge)
        )

    def _unwanted(self, choice: VoteChoice) -> bool:
        """Whether a seat that we wanted to go without has written after all."""
        if choice.stay or choice.out in self.proved:
            return False
        return (choice.base, choice.prev) != self.head or choice.out not in self.missing

    def _wanted(self) -> VoteChoice | None:
        """The seat that proof asks us to go on without, unless we have called that vote a few times in vain."""
        for out in sorted(self.proved - {self.me}):
            choice = VoteChoice(*self.head, out)
            calls = sum(word.choice == choice and not word.pledge for word in self.mine)
            if out in self.seats and calls < MOST_CALLS:
                return choice
        return None

    def withdraw(self) -> Word | None:
        """Our ballot in the next round when nothing came of ours for long: so no yes binds us for ever."""
        number = self.spoken
        last = [word for word in self.mine if word.round == number and not word.pledge and not word.choice.stay]
        if (
            not last
            or not self.poll.floor < number < self.poll.floor + WINDOW
            or self.poll.completed(number) is not None
        ):
            return None
        return Word(self.me, number + 1, self.poll.best(number + 1) or self.start, CLIENT, False)

    # What a person, or patience, decides

    def asked(self, number: int) -> list[VoteChoice]:
        """The seats that others still want gone in a round and about which only a person can answer for us."""
        rounds = self._rounds()
        return [
            choice
            for choice, seats in sorted(self.poll.ballots.get(number, {}).items())
            if not choice.stay
            and choice.out != self.me
            and any(rounds.get(seat) == number for seat in seats)
            and not self._unwanted(choice)
            and self.poll.possible(choice, number)
        ]

    def question(self) -> tuple[int, VoteChoice] | None:
        """The open question that waits for our person's answer."""
        number = self.round()
        asked = self.asked(number)
        if number <= self.spoken or self.poll.best(number) is not None or self._wanted() is not None or not asked:
            return None
        return number, asked[0]

    def say(self, out: int, by: str) -> Word | None:
        """Our ballot that a seat goes, or that nobody does; None while our last word still binds us."""
        question = self.question()
        if question is None and self.spoken > self.poll.floor:
            return None
        number = self.poll.floor + 1 if question is None else question[0]
        choice = self.start if out == NOBODY else VoteChoice(*self.head, out)
        if out != NOBODY and (self._unwanted(choice) or out == self.me):
            return None
        return Word(self.me, number, choice, by, False)
