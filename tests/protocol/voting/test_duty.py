"""The duty of a seat in votes, from words alone: which round it is in, what it calls for, when it has said enough."""

from __future__ import annotations

import pytest
from wasabi_protocol.voting.duty import View
from wasabi_protocol.voting.poll import CLIENT, NOBODY, PERSON, PROOF, WINDOW, Poll, VoteChoice, Word

SEATS = (0, 1, 2, 3)
HEAD = (0, b"head")
STAY, GOES = VoteChoice(*HEAD, NOBODY), VoteChoice(*HEAD, 3)


def ballots(choice: VoteChoice, number: int, *seats: int) -> list[Word]:
    return [Word(seat, number, choice, PERSON, False) for seat in seats]


def pledges(choice: VoteChoice, number: int, *seats: int) -> list[Word]:
    return [Word(seat, number, choice, CLIENT, True) for seat in seats]


def view(words: list[Word], missing: tuple[int, ...] = (3,), proved: frozenset[int] = frozenset()) -> View:
    """What seat 0 of four knows on the first slot."""
    poll = Poll(words, lambda _: SEATS, lambda _: True)
    return View(0, SEATS, poll, frozenset(words), STAY, HEAD, missing, proved)


def test_proof_calls_three_times_for_one_choice_and_pledges_are_no_calls() -> None:
    calls: list[Word] = []
    for number in range(1, 4):
        seen = view(calls + pledges(GOES, number, 0), proved=frozenset({3}))
        assert seen._wanted() == GOES
        calls += ballots(GOES, number, 0)
    assert view(calls, proved=frozenset({3}))._wanted() is None
    elsewhere = [word._replace(choice=VoteChoice(1, b"other", 3)) for word in calls]
    assert view(elsewhere, proved=frozenset({3}))._wanted() == GOES


def test_proof_against_ourselves_calls_for_nothing() -> None:
    assert view([], proved=frozenset({0}))._wanted() is None
    assert view([], proved=frozenset({0})).word() is None
    assert view([], proved=frozenset({3})).word() == Word(0, 1, GOES, PROOF, False)


@pytest.mark.parametrize(
    ("ahead", "number"),
    [({}, 0), ({1: 9}, 1), ({1: 9, 2: 5}, 5), ({1: 9, 2: 9}, 9), ({1: 9, 2: 5, 3: 7}, 7), ({1: WINDOW + 1}, 0)],
)
def test_a_seat_follows_one_other_by_one_round_and_two_to_wherever_they_are(ahead: dict[int, int], number: int) -> None:
    words = [word for seat, round_ in ahead.items() for word in ballots(STAY, round_, seat)]
    assert view(words).round() == number


def test_nobody_speaks_beyond_the_window() -> None:
    for number, said in ((WINDOW - 1, Word(0, WINDOW, STAY, CLIENT, False)), (WINDOW, None)):
        words = ballots(GOES, number, 0) + ballots(STAY, number, 1)
        assert view(words).word() == said
    for number in (WINDOW, WINDOW + 1):
        pledge = view(ballots(STAY, number, 1, 2, 3))._pledge()
        assert pledge == (Word(0, number, STAY, CLIENT, True) if number == WINDOW else None)
    for number in (WINDOW - 1, WINDOW):
        assert (view(ballots(GOES, number, 0)).withdraw() is None) is (number == WINDOW)


def test_a_complete_round_is_lost_only_for_one_who_pledged_something_else_there() -> None:
    complete = ballots(STAY, 1, 0, 1, 2)
    assert not view(complete)._lost(1)
    assert not view(complete + pledges(STAY, 1, 0))._lost(1)
    assert not view(complete + pledges(GOES, 2, 0))._lost(1)
    assert view(complete + pledges(GOES, 1, 0))._lost(1)


def test_after_a_decided_round_nobody_has_to_speak() -> None:
    decided = ballots(STAY, 1, 1, 2, 3) + pledges(STAY, 1, 1, 2, 3)
    seen = view(ballots(GOES, 1, 0) + decided)
    assert not seen.bound
    assert seen.word() is None
    assert seen.question() is None
    assert seen.say(3, PERSON) == Word(0, 2, GOES, PERSON, False)
