"""The duty of a seat in votes, from words alone: its round, the votes it calls, and when it has said enough."""

from __future__ import annotations

from dataclasses import replace

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
    """Return the knowledge of seat 0 of four on the first slot."""
    poll = Poll(words, lambda _: SEATS, lambda _, __: True)
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
    ("plans", "number"),
    [({}, 0), ({1: 9}, 1), ({1: 9, 2: 5}, 5), ({1: 9, 2: 9}, 9), ({1: 9, 2: 5, 3: 7}, 7), ({1: WINDOW + 1}, 0)],
)
def test_a_seat_follows_one_other_by_one_round_and_two_to_wherever_they_are(plans: dict[int, int], number: int) -> None:
    words = [word for seat, round_ in plans.items() for word in ballots(STAY, round_, seat)]
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
    assert seen.ballot(3, PERSON) == Word(0, 2, GOES, PERSON, False)


def test_one_who_is_out_owes_no_word_and_neither_does_one_of_two() -> None:
    seen = view(ballots(STAY, 1, 1, 2, 3))
    assert seen.word() == Word(0, 1, STAY, CLIENT, True)
    assert replace(seen, seats=(1, 2, 3)).word() is None
    nobody = Poll(seen.words, lambda _: (), lambda _, __: True)
    assert replace(seen, seats=(0, 1), poll=nobody).word() is None, "nobody votes in an epoch of two"
    assert replace(seen, seats=(0, 1, 2)).word() is not None


def test_two_end_a_vote_that_three_began_about_one_who_has_left() -> None:
    after, stays = (1, b"after the leave"), Word(0, 2, STAY, CLIENT, False)
    called = ballots(GOES, 1, 0)
    for proved in (frozenset[int](), frozenset({3})):
        left = view(called, missing=(1,), proved=proved)
        left = replace(left, seats=(0, 1), head=after, poll=_poll_of_two(called))
        assert left.bound
        assert left.word() == stays
        assert left.question() is None
    both = [*called, stays, stays._replace(seat=1)]
    seen = replace(left, words=frozenset(both), poll=_poll_of_two(both))
    assert seen.word() == Word(0, 2, STAY, CLIENT, True)
    decided = [*both, *pledges(STAY, 2, 0, 1)]
    free = replace(left, words=frozenset(decided), poll=_poll_of_two(decided))
    assert not free.bound
    assert free.word() is None, "two call no vote, whatever is proved"
    alone = replace(left, seats=(0,))
    assert not alone.bound
    assert alone.word() is None


def _poll_of_two(words: list[Word]) -> Poll:
    """Return a poll with votes of three seats from before seat 3 left, and of two from after."""
    return Poll(words, lambda choice: (0, 1) if choice.stay else (0, 1, 3), lambda _, __: True)


def test_a_ballot_on_a_slot_that_is_not_in_our_log_says_in_which_round_its_author_is() -> None:
    elsewhere = VoteChoice(1, b"no longer", 3)
    words = [Word(1, 1, elsewhere, PERSON, False), Word(1, 2, STAY, CLIENT, False)]
    poll = Poll(words, lambda choice: () if choice == elsewhere else SEATS, lambda _, __: True)
    seen = View(0, SEATS, poll, frozenset(words), STAY, HEAD, (), frozenset())
    assert seen.round() == 1
    assert seen.word() == Word(0, 1, STAY, CLIENT, False), "else the one who is bound by it waits for ever"
    left = replace(seen, seats=(0, 2, 3))
    assert (left.round(), left.word()) == (0, None), "nobody follows one who has left"
    only = replace(seen, words=frozenset(words[:1]))
    assert (only.round(), only.word()) == (1, Word(0, 1, STAY, CLIENT, False))


def test_what_was_complete_is_what_a_seat_wants_in_every_later_round() -> None:
    complete = ballots(GOES, 1, 0, 1, 2) + pledges(GOES, 1, 0)
    for missing in ((3,), ()):
        assert view(complete + ballots(STAY, 2, 1), missing).word() == Word(0, 2, GOES, CLIENT, False)
    assert view(complete).word() is None, "nobody speaks there yet"
    again = complete + ballots(STAY, 2, 0, 1)
    assert view(again).word() == Word(0, 3, GOES, CLIENT, False), "and it comes back to it"
    assert view(again).question() is None


def test_a_pledge_is_said_once_and_never_behind_our_own_ballot() -> None:
    complete = ballots(STAY, 1, 1, 2, 3)
    assert view(complete)._pledge() == Word(0, 1, STAY, CLIENT, True)
    assert view(complete + ballots(GOES, 1, 0))._pledge() == Word(0, 1, STAY, CLIENT, True)
    assert view(complete + pledges(STAY, 1, 0))._pledge() is None
    assert view(complete + ballots(STAY, 2, 0))._pledge() is None
    assert view(complete + ballots(STAY, 3, 1, 2, 3))._pledge() == Word(0, 3, STAY, CLIENT, True)
    assert view(complete + ballots(STAY, 2, 1))._pledge() == Word(0, 1, STAY, CLIENT, True), "round 2 is not complete"


def test_proof_answers_and_without_it_the_person_does() -> None:
    asked = ballots(GOES, 1, 1)
    assert view(asked).word() is None
    assert view(asked).question() == (1, GOES)
    sure = view(asked, proved=frozenset({3}))
    assert sure.word() == Word(0, 1, GOES, PROOF, False)
    assert sure.question() is None


def test_one_who_has_written_and_we_ourselves_stay() -> None:
    stays = Word(0, 1, STAY, CLIENT, False)
    assert view(ballots(GOES, 1, 1), missing=()).word() == stays
    about_us = VoteChoice(*HEAD, 0)
    assert view(ballots(about_us, 1, 1), missing=(0,)).word() == stays
    elsewhere = VoteChoice(1, b"other", 3)
    assert view(ballots(elsewhere, 1, 1)).word() == stays, "it is not about the slot that is open here"
    assert view(ballots(STAY, 1, 1)).word() == stays


def test_a_yes_that_cannot_come_true_is_followed_by_a_stay() -> None:
    ours, stays = ballots(GOES, 1, 0), Word(0, 2, STAY, CLIENT, False)
    assert view(ours).word() is None
    assert view(ballots(STAY, 1, 0)).word() is None, "a stay needs no second one"
    assert view(ours + ballots(STAY, 1, 3)).word() is None, "the seat in question alone ends nothing"
    assert view(ours + ballots(STAY, 1, 1)).word() == stays
    assert view(ours + ballots(STAY, 1, 1) + ballots(STAY, 2, 0, 1)).word() is None, "once is enough"
    assert view(ours, missing=()).word() == stays
    assert view(ours, missing=(), proved=frozenset({3})).word() is None, "proof does not go away"


def test_a_person_may_want_only_one_to_go_who_owes_or_was_proved_wrong() -> None:
    for out, choice in ((3, GOES), (NOBODY, STAY)):
        assert view([]).ballot(out, PERSON) == Word(0, 1, choice, PERSON, False)
        assert view(ballots(GOES, 1, 1)).ballot(out, PERSON) == Word(0, 1, choice, PERSON, False), "in that round"
        assert view(ballots(GOES, 1, 0)).ballot(out, PERSON) is None, "our last word still binds us"
        assert view(ballots(GOES, 1, 0) + ballots(GOES, 2, 1)).ballot(out, PERSON) == Word(0, 2, choice, PERSON, False)
    assert view([], missing=(0, 3)).ballot(0, PERSON) is None
    assert view([], missing=()).ballot(3, PERSON) is None
    assert view([], missing=(), proved=frozenset({3})).ballot(3, PERSON) == Word(0, 1, GOES, PERSON, False)


def test_a_ballot_against_a_seat_binds_until_its_round_is_decided() -> None:
    assert view(ballots(GOES, 1, 0)).bound
    assert not view(ballots(STAY, 1, 0)).bound
    assert view(pledges(GOES, 1, 0)).bound, "so does a pledge, of the one in question too"
    assert not view(pledges(STAY, 1, 0)).bound
    assert not view(ballots(GOES, 1, 1)).bound
    decided = ballots(STAY, 2, 1, 2, 3) + pledges(STAY, 2, 1, 2, 3)
    for number, bound in ((1, False), (2, False), (3, True)):
        assert view(decided + ballots(GOES, number, 0)).bound is bound


def test_a_call_that_nobody_answered_is_taken_back_in_the_next_round() -> None:
    assert view(ballots(GOES, 1, 0)).withdraw() == Word(0, 2, STAY, CLIENT, False)
    assert view(ballots(STAY, 1, 0)).withdraw() is None
    assert view(ballots(GOES, 1, 1)).withdraw() is None
    assert view(ballots(GOES, 1, 0) + pledges(GOES, 2, 0)).withdraw() is None, "our last word is no call"
    assert view(ballots(GOES, 1, 0, 1, 2)).withdraw() is None, "it is complete"
    before = ballots(GOES, 1, 0, 1, 2) + pledges(GOES, 1, 0) + ballots(GOES, 2, 0)
    assert view(before).withdraw() == Word(0, 3, GOES, CLIENT, False), "unless it was complete before"
    decided = ballots(STAY, 2, 1, 2, 3) + pledges(STAY, 2, 1, 2, 3)
    assert view(decided + ballots(GOES, 2, 0)).withdraw() is None
    assert view(decided + ballots(GOES, 3, 0)).withdraw() == Word(0, 4, STAY, CLIENT, False)


def test_a_question_is_open_while_somebody_still_asks_it() -> None:
    assert view(ballots(GOES, 1, 1)).asked(1) == [GOES]
    assert view(ballots(GOES, 1, 1) + ballots(STAY, 2, 1)).asked(1) == [], "who asked has gone on"
    assert view(ballots(GOES, 1, 1, 2) + ballots(STAY, 2, 1)).asked(1) == [GOES]
    assert view(ballots(GOES, 1, 1) + ballots(STAY, 1, 2)).asked(1) == [], "it cannot come true"
    assert view(ballots(GOES, 1, 1)).asked(2) == []
    assert view(ballots(STAY, 1, 1)).asked(1) == []
