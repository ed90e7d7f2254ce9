"""Stored ballots and pledges: one proof from a contradiction, and the order of dropping when space runs out."""

from __future__ import annotations

import pytest
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.envelope import open_envelope
from wasabi_protocol.signed.messages import Ballot, Pledge
from wasabi_protocol.verdicts import Code, Refused
from wasabi_protocol.voting.ballots import MAX_KEPT, Ballots, KeptWord
from wasabi_protocol.voting.blame import Evidence
from wasabi_protocol.voting.poll import CLIENT, PERSON

from tests.protocol.plain import GID, PEOPLE

LINK = b"l" * 32


class Kept:
    """The words of three seats; rounds up to `over` are decided."""

    def __init__(self) -> None:
        self.ballots = Ballots(GID, [who.key for who in PEOPLE[:3]])
        self.over = 0

    def say(self, message: Ballot | Pledge) -> list[Evidence] | None:
        who = PEOPLE[message.seat]
        signed = open_envelope(who.key, signed_message(who, message))
        return self.ballots.store(signed, message, self._is_over)

    def _is_over(self, said: KeptWord) -> bool:
        return said.word.round <= self.over

    def rounds(self, seat: int) -> list[int]:
        return [said.word.round for said in self.ballots if said.word.seat == seat]


def ballot(number: int, seat: int = 1, base: int = 0, out: int = 2, by: str = PERSON, epoch: int = 0) -> Ballot:
    return Ballot(GID, epoch, base, seat, LINK, number, out, by)


def full() -> Kept:
    kept = Kept()
    for number in range(1, MAX_KEPT + 1):
        assert kept.say(ballot(number)) == []
    assert kept.ballots.kept(1) == MAX_KEPT
    assert kept.ballots.kept(0) == 0
    return kept


def test_a_word_gives_one_proof_with_the_first_that_it_contradicts() -> None:
    kept = Kept()
    assert kept.say(ballot(1, base=4)) == []
    assert kept.say(ballot(1, base=4, by=CLIENT)) == []
    for base in (5, 6):
        (proof,) = kept.say(ballot(1, base=base)) or []
        assert (proof.seat, proof.epoch, proof.slot, proof.code) == (1, 0, 5, Code.EQUIVOCATION)
    assert kept.say(ballot(2, base=6)) == []
    assert kept.say(Pledge(GID, 0, 7, 1, LINK, 1, 2)) == []


def test_the_oldest_word_goes_first_and_what_is_older_still_is_refused() -> None:
    kept = full()
    kept.say(ballot(MAX_KEPT + 1))
    assert kept.rounds(1) == list(range(2, MAX_KEPT + 2))
    with pytest.raises(Refused) as refusal:
        kept.say(ballot(1))
    assert refusal.value.code is Code.HOLD_FULL
    assert kept.rounds(1) == list(range(2, MAX_KEPT + 2))


def test_a_word_that_another_seat_shares_stays_and_one_that_is_over_goes_before_it() -> None:
    kept = full()
    kept.say(ballot(1, seat=0))
    kept.say(ballot(MAX_KEPT + 1))
    assert kept.rounds(1)[:2] == [1, 3]
    kept.over = 1
    kept.say(ballot(MAX_KEPT + 2))
    assert kept.rounds(1)[:1] == [3]
    assert kept.rounds(0) == [1], "nobody else has to make room"


def test_of_two_words_in_a_place_only_one_has_to_go() -> None:
    kept = Kept()
    kept.say(ballot(1))
    kept.say(ballot(1, by=CLIENT))
    for number in range(2, MAX_KEPT + 1):
        kept.say(ballot(number))
    assert kept.rounds(1)[:3] == [1, 2, 3]
    assert kept.ballots.kept(1) == MAX_KEPT
    kept.say(ballot(MAX_KEPT + 1))
    assert kept.rounds(1)[:2] == [2, 3]


def test_words_are_of_one_epoch() -> None:
    kept = Kept()
    kept.say(ballot(1))
    kept.say(ballot(2, epoch=7))
    assert [word.round for word in kept.ballots.words(0)] == [1]
    assert [word.round for word in kept.ballots.words(7)] == [2]
