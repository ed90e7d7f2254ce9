"""A voter: one seat's part in the votes of its log, as messages to sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from wasabi_protocol.game.chain import S_co
from wasabi_protocol.signed.messages import Ballot, Pledge
from wasabi_protocol.verdicts import Code, Forbidden
from wasabi_protocol.voting.duty import View
from wasabi_protocol.voting.poll import BOT, NOBODY, PERSON, VoteChoice, Word

if TYPE_CHECKING:
    from wasabi_protocol.game.log import Log
    from wasabi_protocol.signed.envelope import Signed

# Seconds of waiting before an automatic answer (keys, shuffles, shares, tags) may be voted on.
AUTOMATIC_IN_SLOT = 30
AUTOMATIC_IN_GAME = 300
ROUND_PATIENCE = 60
"""Seconds we wait for answers to our ballot before we vote in the next round that nobody goes."""


def vote_allowed(in_slot: float, in_game: float) -> bool:
    """Return whether an automatic answer has been owed long enough for a vote; the caller measures the seconds."""
    return in_slot >= AUTOMATIC_IN_SLOT or in_game >= AUTOMATIC_IN_GAME


class Voter(Generic[S_co]):
    """This client's part in votes; `me` is its seat, None for a spectator."""

    def __init__(self, log: Log[S_co], me: int | None = None) -> None:
        self._log = log
        self._me = me
        self._seen: tuple[object, View] | None = None

    @property
    def view(self) -> View:
        """Our knowledge of the votes of this epoch."""
        log = self._log
        key = (log.poll, log.head.link, tuple(log.open), log.proved)
        if self._seen is None or self._seen[0] != key:
            words = frozenset(log.ballots.words(log.state.epoch))
            start = VoteChoice(log.start.number, log.start.link, NOBODY)
            me = -1 if self._me is None else self._me
            head = (log.head.number, log.head.link)
            view = View(me, log.state.seats, log.poll, words, start, head, log.missing, log.proved)
            self._seen = (key, view)
        return self._seen[1]

    # Our own part

    def bound(self) -> bool:
        """Return whether our ballot against a seat is open; we write no entry meanwhile."""
        return self.view.bound

    def word(self) -> Ballot | Pledge | None:
        """Return the message we owe in the vote now without anybody's decision."""
        word = None if self._over else self.view.word()
        return None if word is None else self._message(word)

    def question(self) -> int | None:
        """Return the seat that others want to exclude, if the vote waits for our person's answer."""
        question = None if self._over or self._me not in self.view.seats else self.view.question()
        return None if question is None else question[1].out

    def ballot(self, out: int, by: str) -> Ballot | Pledge:
        """Return our ballot to exclude a seat, or nobody; raise Forbidden if our duties rule it out."""
        if self._over or self._me not in self.view.seats or len(self.view.seats) < 3:
            raise Forbidden(Code.NOT_PLAYING)
        if out == self._me or (out != NOBODY and out not in self._log.missing):
            raise Forbidden(Code.BALLOT_OUT)
        word = self.view.ballot(out, by)
        if word is None:
            raise Forbidden(Code.BOUND_BY_BALLOT if self.bound() else Code.ROUND_OPEN)
        return self._message(word)

    def withdraw(self) -> Ballot | Pledge | None:
        """Return our ballot in the next round after nobody answered ours for long."""
        word = self.view.withdraw()
        return None if word is None else self._message(word)

    @property
    def _over(self) -> bool:
        return self._me is None or not self._log.state.owed or self._log.broken is not None

    def _message(self, word: Word) -> Ballot | Pledge:
        log, choice = self._log, word.choice
        place = (log.gid, log.state.epoch, choice.base, word.seat, choice.prev, word.round, choice.out)
        return Pledge(*place) if word.pledge else Ballot(*place, word.by)

    # Information for others and the screen

    def excused(self, seat: int) -> bool:
        """Return whether a seat is silent because of its own open ballot; then it is not late."""
        view, floor = self.view, self.view.poll.floor
        return any(
            word.seat == seat and not word.pledge and not word.choice.stay and floor < word.round <= view.round()
            for word in view.words
        )

    def tally(self, number: int) -> dict[int, VoteChoice]:
        """Return each seat's choice in a round of this epoch."""
        return {
            seat: choice
            for choice, seats in sorted(self._log.poll.ballots.get(number, {}).items())
            for seat in sorted(seats)
        }

    def pressed_no(self, number: int) -> tuple[int, ...]:
        """Return the seats that chose to go on together in a round by themselves, and not by their client alone."""
        choices = self._log.poll.ballots.get(number, {})
        return tuple(
            sorted(
                seat
                for choice, speakers in choices.items()
                for seat, by in speakers.items()
                if choice.stay and by in (PERSON, BOT)
            )
        )

    def standing(self) -> list[bytes]:
        """Return our own words that may still count, for a seat that missed one."""
        return [signed.envelope for signed in self._words() if signed.key == self._key]

    def present(self) -> list[Signed]:
        """Return everybody's words that may still count; a reader needs them to reach the same log."""
        return self._words()

    @property
    def _key(self) -> bytes:
        return b"" if self._me is None else self._log.keys[self._me]

    def _words(self) -> list[Signed]:
        log = self._log
        epochs = {log.state.epoch, log.start.epoch}
        return [said.signed for said in log.ballots if said.epoch in epochs and not log.is_over(said)]

    def kept(self, seat: int) -> int:
        """Return how many words of a seat are remembered."""
        return self._log.ballots.kept(seat)
