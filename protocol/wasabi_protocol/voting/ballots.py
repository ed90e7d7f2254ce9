"""Ballots and pledges as signed: bounded per seat, with proof when a seat contradicts itself in one round."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wasabi_protocol.signed.messages import MAX_SEATS, Ballot, Pledge
from wasabi_protocol.verdicts import Code, Refused
from wasabi_protocol.voting.blame import Evidence
from wasabi_protocol.voting.poll import CLIENT, WINDOW, VoteChoice, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from wasabi_protocol.signed.envelope import Signed

MAX_KEPT = 4 * WINDOW
"""Most words kept for each seat."""
MAX_SAID = 4
"""Most different words of a seat in one round that no other seat shares; a shared one is always kept."""

Place = tuple[int, int, int, bool]  # epoch, round, seat, pledge


class KeptWord(NamedTuple):
    signed: Signed
    epoch: int
    word: Word

    @property
    def place(self) -> Place:
        return self.epoch, self.word.round, self.word.seat, self.word.pledge


def word_of(message: Ballot | Pledge) -> Word:
    """Convert a message to a word of the vote."""
    choice = VoteChoice(message.base, message.prev, message.out)
    pledge = isinstance(message, Pledge)
    return Word(message.seat, message.round, choice, CLIENT if isinstance(message, Pledge) else message.by, pledge)


class Ballots:
    """Every ballot and pledge of one game that may matter."""

    def __init__(self, gid: bytes, keys: Sequence[bytes]) -> None:
        self._gid = gid
        self._keys = tuple(keys)
        self._said: dict[Place, list[KeptWord]] = {}

    def store(
        self, signed: Signed, message: Ballot | Pledge, is_over: Callable[[KeptWord], bool]
    ) -> list[Evidence] | None:
        """Store a word; return None if it is already here, else any proof that it completes.

        If space runs out, a word from a decided round is dropped first.
        """
        if message.gid != self._gid:
            raise Refused(Code.WRONG_GAME)
        if message.seat >= len(self._keys) or self._keys[message.seat] != signed.key:
            raise Refused(Code.WRONG_SEAT)
        if len(self._keys) <= message.out < MAX_SEATS:
            raise Refused(Code.BALLOT_OUT)
        said = KeptWord(signed, message.epoch, word_of(message))
        before = self._said.get(said.place, [])
        if any(other.word == said.word for other in before):
            return None
        if sum(not self._shared(other) for other in before) >= MAX_SAID and not self._shared(said):
            raise Refused(Code.HOLD_FULL)
        if self.kept(message.seat) >= MAX_KEPT:
            self._make_room(said, is_over)
        self._said.setdefault(said.place, []).append(said)
        # The speaker of a ballot is not part of its claim.
        others = [other for other in before if other.word.choice != said.word.choice][:1]
        return [
            Evidence(message.seat, message.epoch, other.word.choice.base + 1, Code.EQUIVOCATION, (other.signed, signed))
            for other in others
        ]

    def _shared(self, said: KeptWord) -> bool:
        """Return whether another seat says the same in that round."""
        epoch, number, seat, pledge = said.place
        return any(
            other.word.choice == said.word.choice
            for voter in range(len(self._keys))
            if voter != seat
            for other in self._said.get((epoch, number, voter, pledge), [])
        )

    def _make_room(self, new: KeptWord, is_over: Callable[[KeptWord], bool]) -> None:
        """Drop a seat's least important word: first a decided one, then an unshared one, then the oldest.

        A seat cannot take back what others rely on by saying a lot of other things.
        """

        def worth(said: KeptWord) -> tuple[bool, bool, Place]:
            return not is_over(said), self._shared(said), said.place

        mine = [said for place, words in self._said.items() if place[2] == new.word.seat for said in words]
        least = min([*mine, new], key=worth)
        if least is new:
            raise Refused(Code.HOLD_FULL)
        self._said[least.place].remove(least)
        if not self._said[least.place]:
            del self._said[least.place]

    def __iter__(self) -> Iterator[KeptWord]:
        for _, said in sorted(self._said.items()):
            yield from said

    def words(self, epoch: int) -> list[Word]:
        """Return the words of an epoch."""
        return [said.word for said in self if said.epoch == epoch]

    def kept(self, seat: int) -> int:
        """Return how many words of a seat are kept."""
        return sum(len(said) for place, said in self._said.items() if place[2] == seat)
