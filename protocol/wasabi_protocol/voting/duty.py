"""The duty of an honest seat in votes: its next word, given what it knows and has already said."""

from __future__ import annotations

from dataclasses import dataclass

from wasabi_protocol.voting.poll import CLIENT, NOBODY, PROOF, WINDOW, Poll, VoteChoice, Word

MOST_CALLS = 3
"""Times a seat calls the same vote on its own; after that it waits until something changes."""


@dataclass(frozen=True)
class View:
    """Everything a seat knows when it speaks: the poll, its own log and its own words of this epoch."""

    me: int
    seats: tuple[int, ...]
    poll: Poll
    words: frozenset[Word]
    start: VoteChoice
    """The choice that nobody goes, on the first slot of the epoch."""
    head: tuple[int, bytes]
    missing: tuple[int, ...]
    proved: frozenset[int]

    # Our own words

    @property
    def mine(self) -> list[Word]:
        return [word for word in self.words if word.seat == self.me]

    @property
    def spoken(self) -> int:
        """The highest round in which we said anything."""
        return max((word.round for word in self.mine), default=0)

    @property
    def bound(self) -> bool:
        """True while our own ballot or pledge against a seat is open; we write no entry meanwhile.

        If all other seats have left, there is nobody to wait for.
        """
        floor = self.poll.floor
        return len(self.seats) > 1 and any(not word.choice.stay and word.round > floor for word in self.mine)

    # Words that need no decision

    def word(self) -> Word | None:
        """Return our next pledge or ballot that needs nobody's decision, or None."""
        # After a seat has left, two may have to end a vote that three began.
        if len(self.seats) < 2 or self.me not in self.seats or self.me not in self.poll.voters(self.start):
            return None
        return self._pledge() or self._back_up() or self._ballot()

    def _pledge(self) -> Word | None:
        """Return our pledge for a choice that is complete in our current round or a later one."""
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

    def _back_up(self) -> Word | None:
        """Return our ballot for what we pledged on others' ballots alone, if one of those seats has left since.

        Without it the round would stay open for ever: we have spoken in it, and the others wait for our ballot there.
        """
        number = self.spoken
        stays = Word(self.me, number, self.start, CLIENT, False)
        if number <= self.poll.floor or number < self.round() or self.poll.completed(number) is not None:
            return None
        said = [word for word in self.mine if word.round == number]
        return stays if stays._replace(pledge=True) in said and all(word.pledge for word in said) else None

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
        return Word(self.me, number, self.start, CLIENT, False) if self._spoken_in(number) or self.bound else None

    def _call(self) -> Word | None:
        """Return our ballot for a vote that proof calls for."""
        wanted = self._wanted()
        if wanted is None or self.spoken > self.poll.floor:
            return None
        return Word(self.me, self.poll.floor + 1, wanted, PROOF, False)

    def round(self) -> int:
        """Return the table's current round: the next one if a seat speaks there, a later one if two others do."""
        here = max(self.spoken, self.poll.floor)
        ahead = sorted((number for seat, number in self._rounds().items() if seat != self.me), reverse=True)
        return max([here, *(min(number, here + 1) for number in ahead[:1]), *ahead[1:2]])

    def _rounds(self) -> dict[int, int]:
        """Return the last open round in which each seat has a ballot.

        A ballot on a slot that is not, or no longer, in our log decides nothing, but it still binds its author and
        shows that seat's round; without it the others could not follow there.
        """
        floor, found = self.poll.floor, dict[int, int]()
        for word in self.words:
            if word.seat in self.seats and not word.pledge and floor < word.round <= floor + WINDOW:
                found[word.seat] = max(word.round, found.get(word.seat, 0))
        return found

    def _spoken_in(self, number: int) -> bool:
        """Return whether any seat has a ballot in a round, on whatever slot."""
        return any(word.round == number and word.seat in self.seats and not word.pledge for word in self.words)

    def _lost(self, number: int) -> bool:
        """Return whether our choice in this round can no longer succeed, or is no longer what we want."""
        if number <= self.poll.floor:
            return False
        complete = self.poll.completed(number)
        if complete is not None:
            # One of three seats has said two things, so we may have pledged a choice that does not count in the end.
            return any(word.pledge and word.round == number and word.choice != complete for word in self.mine)
        best = self.poll.best(number)
        return any(
            choice != best if best is not None else not self.poll.possible(choice, number) or self._unwanted(choice)
            for choice in (word.choice for word in self.mine if word.round == number and not word.pledge)
        )

    def _unwanted(self, choice: VoteChoice) -> bool:
        """Return whether the seat we wanted to exclude has written after all, or has left."""
        if choice.stay:
            return False
        if choice.out not in self.seats:
            return True
        if choice.out in self.proved:
            return False
        return (choice.base, choice.prev) != self.head or choice.out not in self.missing

    def _wanted(self) -> VoteChoice | None:
        """Return the choice that proof calls for, unless we have called that vote a few times in vain."""
        if len(self.seats) < 3:
            return None
        for out in sorted(self.proved - {self.me}):
            choice = VoteChoice(*self.head, out)
            calls = sum(word.choice == choice and not word.pledge for word in self.mine)
            if out in self.seats and calls < MOST_CALLS:
                return choice
        return None

    def withdraw(self) -> Word | None:
        """Return our ballot in the next round after ours got no result for long, so that no yes binds us for ever."""
        number = self.spoken
        last = [word for word in self.mine if word.round == number and not word.pledge and not word.choice.stay]
        if (
            not last
            or not self.poll.floor < number < self.poll.floor + WINDOW
            or self.poll.completed(number) is not None
        ):
            return None
        return Word(self.me, number + 1, self.poll.best(number + 1) or self.start, CLIENT, False)

    # Decisions of a person, or of a timeout

    def asked(self, number: int) -> list[VoteChoice]:
        """Return the exclusions that others still want in a round and that only our person can decide."""
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
        """Return the open question that waits for our person's answer."""
        number = self.round()
        asked = self.asked(number)
        if number <= self.spoken or self.poll.best(number) is not None or self._wanted() is not None or not asked:
            return None
        return number, asked[0]

    def ballot(self, out: int, by: str) -> Word | None:
        """Return our ballot to exclude a seat, or nobody; None while our last word still binds us."""
        question = self.question()
        if question is None and self.spoken > self.poll.floor:
            return None
        number = self.poll.floor + 1 if question is None else question[0]
        choice = self.start if out == NOBODY else VoteChoice(*self.head, out)
        if out != NOBODY and (self._unwanted(choice) or out == self.me):
            return None
        return Word(self.me, number, choice, by, False)
