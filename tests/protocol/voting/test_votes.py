"""Votes: whatever the race, honest seats reach one log, and nobody is bound for ever."""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest
import wasabi_protocol
from wasabi_protocol.game.events import Blamed, EntryHeld, Event, Excluded, SlotsUndone
from wasabi_protocol.signed.codec import signed_message, write
from wasabi_protocol.signed.envelope import MAX_ENTRY, MAX_ENVELOPE, open_envelope, sign
from wasabi_protocol.signed.messages import Ballot, Pledge, Shares
from wasabi_protocol.verdicts import Code, Forbidden, Refused
from wasabi_protocol.voting.ballots import MAX_KEPT, MAX_SAID
from wasabi_protocol.voting.blame import Evidence, blame_records, prove_equivocation
from wasabi_protocol.voting.poll import (
    BOT,
    CLIENT,
    NOBODY,
    PERSON,
    PROOF,
    WINDOW,
    Poll,
    Speakers,
    VoteChoice,
    Word,
    people_agree,
)
from wasabi_protocol.voting.voter import vote_allowed

from tests.protocol.plain import GID, PEOPLE, Item, Node, PlainState, entry, grow, links, opened
from tests.protocol.voting.schedules import Schedule
from tests.speeds import budget


def table(seats: int, slots: int = 0) -> list[Node]:
    nodes = [Node(seats, seat) for seat in range(seats)]
    if slots:
        for item in grow(Node(seats, None).log, slots):
            send(item, nodes)
    return nodes


def send(item: Item | None, nodes: list[Node]) -> Item:
    assert item is not None
    for node in nodes:
        node.take(item)
    return item


def word(item: Item | None) -> Ballot | Pledge:
    assert item is not None
    message = opened(*item)[1]
    assert isinstance(message, (Ballot, Pledge))
    return message


def said(message: Ballot | Pledge | Shares) -> Item:
    """Sign a message as a liar would."""
    who = PEOPLE[message.seat]
    return who.key, signed_message(who, message)


def settle(nodes: list[Node]) -> list[Item]:
    """Deliver everything that seats owe in votes to all of them; return what they said."""
    items: list[Item] = []
    while new := [item for node in nodes if (item := node.duties()) is not None]:
        items += [send(item, nodes) for item in new]
    return items


def agree(nodes: list[Node], out: int) -> list[Item]:
    """Let people agree to exclude a seat."""
    return [send(node.vote(out), nodes) for node in nodes] + settle(nodes)


# The course of a vote


def test_four_seats_go_on_without_one_and_nobody_needs_its_word() -> None:
    nodes = table(4, 1)
    (out,) = nodes[0].log.missing
    others = [node for node in nodes if node.seat != out]
    items = agree(others, out)
    for node in others:
        assert node.log.head.out == out
        assert node.log.head.voters == tuple(node.seat for node in others)
        assert node.log.state.epoch == 4 * 2 + out
    late = nodes[out]
    events = [event for item in items for event in late.take(item)]
    assert any(isinstance(event, Excluded) and event.seat == out for event in events)
    assert late.write() is None


@pytest.mark.parametrize("seats", [3, 4])
def test_clients_wait_and_their_people_may_agree(seats: int) -> None:
    for by, gone in ((CLIENT, False), (PERSON, True)):
        nodes = table(seats, 1)
        (out,) = nodes[0].log.missing
        others = [node for node in nodes if node.seat != out]
        for node in others:
            send(node.vote(out, by), others)
        settle(others)
        assert all((node.log.head.out == out) is gone for node in others)
        assert all(node.log.doubted == ((out,) if gone and seats == 3 else ()) for node in others)


def test_after_such_an_agreement_nothing_is_confirmed_until_the_third_has_signed() -> None:
    a, b, c = table(3, 1)
    (out,) = a.log.missing
    others = [node for node in (a, b, c) if node.seat != out]
    agree(others, out)
    for _ in range(6):
        for node in others:
            item = node.write()
            if item is not None:
                send(item, others)
    assert a.log.head.number > 4
    assert not others[0].log.signed_past(2)


def test_a_vote_tells_on_which_slot_it_goes_on_and_which_were_undone() -> None:
    """One seat heard the owed entry and went on; the others vote on the slot before it, and what followed is void."""
    a, b, c, d = table(4, 1)
    assert a.log.missing == (1,)
    send(b.write(), [d])
    assert d.log.head.number == 2
    words = agree([a, c], 1)
    link = a.log.slots[1].link
    words += [send(said(Ballot(GID, 0, 1, 3, link, 1, 1, PERSON)), [a, c]), *settle([a, c])]
    words += [send(said(Pledge(GID, 0, 1, 3, link, 1, 1)), [a, c])]
    assert a.log.head.out == c.log.head.out == 1
    events = [event for item in words for event in d.take(item)]
    (undone,) = [event for event in events if isinstance(event, SlotsUndone)]
    (excluded,) = [event for event in events if isinstance(event, Excluded)]
    assert (undone.base, excluded.base, excluded.seat) == (1, 1, 1)
    assert undone.words == (), "the slot of the vote holds them"
    assert links(d.log) == links(a.log)
    assert d.log.head.number == 2


def test_what_a_vote_made_void_does_not_wait_and_what_comes_after_it_does() -> None:
    a, b, c, d = table(4, 4)
    assert a.log.missing == (0,)
    agree([b, c, d], 0)
    head = b.log.head
    assert (head.number, head.out) == (5, 0)

    def late(epoch: int, slot: int, seat: int) -> list[Event[PlainState]]:
        """Receive an entry on a past that nobody here knows."""
        return b.take(said(Shares(GID, epoch, slot, seat, b"p" * 32, f"ok {epoch} {slot}")))

    assert late(0, 5, 0) == late(0, 6, 0) == late(head.state.epoch, 6, 0) == [], "of the one who is out"
    assert late(0, 5, 2) == late(0, 8, 2) == [], "of the epoch before, beyond its end"
    assert b.log.waiting == 0
    assert late(0, 2, 0) == [EntryHeld(0, 2)], "what was there before the vote may still be shown to be otherwise"
    assert late(0, 3, 1) == [EntryHeld(1, 3)]
    assert late(head.state.epoch, 7, 2) == [EntryHeld(2, 7)]
    assert late(head.state.epoch + 8, 9, 3) == [EntryHeld(3, 9)]
    assert b.log.waiting == 4
    assert a.log.waiting == 0


def test_what_our_own_open_ballot_may_undo_is_not_beyond_doubt() -> None:
    a, b, c, d = nodes = table(4, 1)
    assert a.log.missing == (1,)
    send(a.vote(1), nodes)
    send(b.write(), nodes)
    for log in (a.log, c.log):
        assert log.head.number == 2
        assert [log.open_base(seat) for seat in range(4)] == [1, 2, 2, 2]
        assert log.open_base(None) == 2
    # A ballot that nobody goes undoes nothing; a pledge may.
    send(said(Ballot(GID, 0, 0, 2, a.log.slots[0].link, 1, NOBODY, PERSON)), nodes)
    send(said(Pledge(GID, 0, 1, 3, a.log.slots[1].link, 1, 1)), nodes)
    assert [c.log.open_base(seat) for seat in range(4)] == [1, 2, 2, 1]
    settle([a, b, c, d])
    assert not a.ballots.bound()
    assert [a.log.open_base(seat) for seat in range(4)] == [2, 2, 2, 2], "the round is decided"


def test_only_two_of_three_without_proof_leave_somebody_who_may_know_better() -> None:
    nodes = table(4, 1)
    (first,) = nodes[0].log.missing
    agree([node for node in nodes if node.seat != first], first)
    three = [node for node in nodes if node.seat != first]
    assert all(node.log.doubted == () for node in three), "three of four are enough"
    second = next(seat for seat in three[0].log.missing)
    two = [node for node in three if node.seat != second]
    agree(two, second)
    assert all(node.log.head.out == second and node.log.doubted == (second,) for node in two)


@pytest.mark.parametrize("out", [3, NOBODY])
@pytest.mark.parametrize(("ballots", "pledges", "decided"), [(2, 3, False), (3, 2, False), (3, 3, True)])
def test_two_of_four_decide_nothing(out: int, ballots: int, pledges: int, decided: bool) -> None:
    """Neither two ballots nor two pledges are enough: two such decisions might share no honest seat."""
    choice = VoteChoice(0, b"", out)
    words = [Word(seat, 1, choice, PERSON, False) for seat in range(ballots)]
    words += [Word(seat, 1, choice, CLIENT, True) for seat in range(pledges)]
    poll = Poll(words, lambda _: (0, 1, 2, 3), lambda _, __: True)
    assert poll.decision == ((1, choice) if decided else None)


def test_what_is_complete_in_one_round_is_what_a_seat_wants_in_the_next() -> None:
    a, _, _, _ = table(4)
    link = a.log.head.link
    a.vote(3)
    for seat in (1, 2):
        a.take(said(Ballot(GID, 0, 0, seat, link, 1, 3, PERSON)))
    assert isinstance(word(a.duties()), Pledge)
    a.take(said(Ballot(GID, 0, 0, 1, link, 2, NOBODY, PERSON)))
    wanted = word(a.duties())
    assert isinstance(wanted, Ballot)
    assert (wanted.round, wanted.out) == (2, 3)


@pytest.mark.parametrize(("seat", "possible"), [(3, True), (1, False)])
def test_a_no_of_the_seat_in_question_ends_no_vote_and_that_of_another_does(seat: int, possible: bool) -> None:
    choice = VoteChoice(0, b"", 3)
    words = [Word(0, 1, choice, PERSON, False), Word(seat, 1, VoteChoice(0, b"", NOBODY), PERSON, False)]
    assert Poll(words, lambda _: (0, 1, 2, 3), lambda _, __: True).possible(choice, 1) is possible


def test_a_choice_that_all_others_wanted_once_needs_only_three_of_four_later() -> None:
    choice, stay = VoteChoice(0, b"", 3), VoteChoice(0, b"", NOBODY)
    words = [Word(seat, 1, choice, PERSON, False) for seat in (0, 1, 2)]
    words.append(Word(1, 2, stay, PERSON, False))
    poll = Poll(words, lambda _: (0, 1, 2, 3), lambda _, __: True)
    assert poll.possible(choice, 2)
    assert not Poll(words[1:], lambda _: (0, 1, 2, 3), lambda _, __: True).possible(choice, 2)
    words.append(Word(2, 2, stay, PERSON, False))
    poll = Poll(words, lambda _: (0, 1, 2, 3), lambda _, __: True)
    assert not poll.possible(choice, 2), "two of four want something else"
    assert poll.possible(stay, 2)


def test_of_two_decisions_in_a_round_nobody_going_counts_then_the_earlier_slot() -> None:
    """One of three has said and pledged everything, and each of the other two one choice."""
    stay, *others = [
        VoteChoice(5, b"z", NOBODY),
        VoteChoice(0, b"a", 1),
        VoteChoice(0, b"a", 2),
        VoteChoice(0, b"b", 1),
        VoteChoice(1, b"a", 0),
    ]
    for first, second in [(stay, others[-1]), (others[0], others[1]), (others[1], others[2]), (others[2], others[3])]:
        words = [
            Word(seat, 1, choice, PERSON, pledge)
            for choice in (second, first)
            for seat in [seat for seat in (0, 1, 2) if seat != choice.out]
            for pledge in (False, True)
        ]
        poll = Poll(words, lambda _: (0, 1, 2), lambda _, __: True)
        assert poll.decision == (1, first)


def test_the_last_round_in_which_all_agreed_counts() -> None:
    choice = VoteChoice(0, b"", 3)
    words = [Word(seat, number, choice, PERSON, False) for seat in (0, 1, 2) for number in (1, 2, 4)]
    poll = Poll(words, lambda _: (0, 1, 2, 3), lambda _, __: True)
    assert [poll.agreed_in(choice, latest) for latest in range(6)] == [None, 1, 2, 2, 4, 4]
    assert poll.agreed_in(choice, 3, 2) is None


def test_the_complete_choice_of_the_highest_open_round_is_what_honest_seats_go_on_with() -> None:
    stay, choice = VoteChoice(0, b"", NOBODY), VoteChoice(0, b"", 3)
    words = [Word(seat, number, what, PERSON, False) for seat in (0, 1, 2) for number, what in ((1, stay), (2, choice))]
    poll = Poll(words, lambda _: (0, 1, 2, 3), lambda _, __: True)
    assert [poll.best(below) for below in range(1, 5)] == [None, stay, choice, choice]


@pytest.mark.parametrize("enough", [True, False])
def test_a_choice_is_complete_only_if_those_who_speak_are_enough(enough: bool) -> None:
    choice, asked = VoteChoice(0, b"", 2), list[object]()
    words = [Word(0, 1, choice, PERSON, False), Word(1, 1, choice, BOT, False), Word(2, 1, choice, CLIENT, False)]

    def agree(choice: VoteChoice, speakers: Speakers) -> bool:
        asked.append((choice, speakers))
        return enough

    assert Poll(words, lambda _: (0, 1, 2), agree).complete(choice, 1) is enough
    assert asked == [(choice, {0: PERSON, 1: BOT})], "the one in question has no part in it"


@pytest.mark.parametrize(
    ("speakers", "bots", "agreed"),
    [
        ({0: PERSON, 1: PERSON}, {}, True),
        ({0: PERSON, 1: BOT}, {1}, True),
        ({0: PERSON, 1: BOT}, {}, True),
        ({0: PERSON, 1: CLIENT}, {}, False),
        ({0: PERSON, 1: PROOF}, {}, False),
        ({0: BOT, 1: BOT}, {}, False),
        ({0: BOT, 1: BOT}, {0, 1}, False),
        ({0: PERSON, 1: PERSON}, {0, 1}, False),
        ({0: BOT, 1: BOT}, {0, 1, 2}, True),
        ({0: BOT, 1: CLIENT}, {0, 1, 2}, False),
        ({0: BOT, 1: BOT}, {0, 2}, False),
        ({0: PERSON, 1: BOT, 3: BOT}, {1, 3}, True),
        ({0: CLIENT, 1: CLIENT, 3: CLIENT}, {}, False),
    ],
)
def test_a_seat_goes_only_if_a_person_pressed_it_or_among_bots(
    speakers: dict[int, str], bots: Collection[int], agreed: bool
) -> None:
    """A bot's seat has no person, whatever it claims; two keepers have no person who voted."""
    assert people_agree(speakers, 2, bots) is agreed


def test_the_slot_of_a_vote_holds_all_that_decided_it() -> None:
    """The slot also contains the words of the earlier round in which all others agreed: a file has nothing else."""
    a, reader = Node(4, 0), Node(4, None)
    link = a.log.head.link
    words: list[Ballot | Pledge] = [Ballot(GID, 0, 0, seat, link, 1, 3, PERSON) for seat in (0, 1, 2)]
    words += [Ballot(GID, 0, 0, seat, link, 2, 3, CLIENT) for seat in (0, 1, 3)]
    words += [Pledge(GID, 0, 0, seat, link, 2, 3) for seat in (0, 1, 3)]
    for message in words:
        a.take(said(message))
    assert a.log.head.out == 3
    assert len(a.log.head.bodies) == len(words)
    for signed in a.log.head.bodies:
        reader.take((signed.key, signed.envelope))
    assert links(reader.log) == links(a.log)


def test_words_of_open_rounds_are_said_again_and_those_of_decided_ones_are_not() -> None:
    a, b, c, _ = nodes = table(4)
    call = send(a.vote(3), nodes)
    assert a.ballots.standing() == [call[1]]
    assert [signed.envelope for signed in b.ballots.present()] == [call[1]]
    send(b.vote(NOBODY), nodes)
    settle([a, b, c])
    assert a.log.poll.floor > 1
    assert call[1] not in a.ballots.standing()
    assert a.ballots.standing()


def test_with_a_no_nobody_goes_and_all_are_free_again() -> None:
    a, b, c, _ = nodes = table(4)
    send(a.vote(3), nodes)
    assert a.ballots.bound()
    assert a.write() is None
    assert b.ballots.question() == 3
    send(b.vote(NOBODY), nodes)
    settle([a, b, c])
    for node in (a, b, c):
        assert not node.ballots.bound()
        assert node.log.head.number == 0
        assert node.write() is not None


def test_a_seat_that_holds_the_owed_entry_says_so_without_being_asked() -> None:
    a, b, c = table(3, 1)
    assert a.log.missing == (1,)
    c.take(b.write() or (b"", b""))
    call = a.vote(1)
    c.take(call)
    assert c.ballots.question() is None
    assert word(c.duties()).out == NOBODY
    with pytest.raises(Forbidden) as verdict:
        c.vote(1)
    assert verdict.value.code is Code.BALLOT_OUT


@pytest.mark.parametrize("when", range(5))
def test_the_owed_entry_arrives_before_between_or_after_the_words_of_a_vote(when: int) -> None:
    nodes = table(4, 1)
    (out,) = nodes[0].log.missing
    others = [node for node in nodes if node.seat != out]
    owed = nodes[out].write()
    for number, node in enumerate(others):
        if number == when:
            send(owed, others)
        if node.ballots.question() == out or number == 0:
            try:
                send(node.vote(out), others)
            except Forbidden:
                continue
    if when == 3:
        send(owed, others)
    settle(others)
    send(owed, others)
    settle(others)
    assert len({tuple(links(node.log)) for node in others}) == 1
    assert not any(node.ballots.bound() for node in others)
    assert (others[0].log.head.out == out) is (when >= 3)
    assert not any(node.log.evidence for node in nodes)


def test_a_half_filled_round_is_void_and_nobody_who_wrote_in_it_is_blamed() -> None:
    a, b, c, _ = nodes = table(4)
    for node in (a, b, c):
        send(node.write(), nodes)
    assert a.log.missing == (3,)
    agree([a, b, c], 3)
    for node in (a, b, c):
        assert node.log.head.voted
        assert node.log.evidence == []


def test_a_seat_that_nobody_answers_is_free_again_in_the_end() -> None:
    a, b, c, _ = nodes = table(4)
    send(a.vote(3), nodes)
    send(a.withdraw(), nodes)
    settle([a, b, c])
    assert not any(node.ballots.bound() for node in (a, b, c))


def test_a_seat_that_is_silent_because_of_its_own_ballot_is_excused() -> None:
    a, b, c, _ = table(4)
    call = a.vote(3)
    for node in (b, c):
        node.take(call)
        assert node.ballots.excused(0)
    send(b.vote(NOBODY), [a, c])
    settle([a, b, c])
    assert not b.ballots.excused(0)


def test_two_seats_cannot_vote_each_other_out() -> None:
    a, b = table(2)
    with pytest.raises(Forbidden):
        a.vote(1)
    link = b.log.head.link
    for seat in (0, 1):
        b.take(said(Ballot(GID, 0, 0, seat, link, 1, 1, PERSON)))
        b.take(said(Pledge(GID, 0, 0, seat, link, 1, 1)))
    assert b.log.head.number == 0


def test_nobody_is_voted_out_who_owes_nothing() -> None:
    a, _, c = table(3, 1)
    assert a.log.missing == (1,)
    with pytest.raises(Forbidden):
        a.vote(2)
    c.take(said(Ballot(GID, 0, 1, 1, c.log.head.link, 1, 0, PERSON)))
    assert c.ballots.question() is None


def test_automatic_answers_may_be_voted_on_after_a_while() -> None:
    assert not vote_allowed(29, 299)
    assert vote_allowed(30, 0)
    assert vote_allowed(0, 300)


# Proof


def test_an_invalid_entry_leads_to_a_vote_that_clients_cast_by_themselves() -> None:
    a, b, c = nodes = table(3)
    send(entry(c.log, 2, "wrong"), nodes)
    settle([a, b])
    assert a.log.head.out == b.log.head.out == 2
    assert links(a.log) == links(b.log)
    assert a.log.doubted == ()


def test_two_bodies_heal_the_fork_they_made_whichever_came_first() -> None:
    a, b, c, d = nodes = table(4)
    for node in (a, b, d):
        send(node.write(), nodes)
    one, two = entry(c.log, 2), entry(c.log, 2, "ok other")
    send(one, [a, d])
    send(two, [b])
    assert a.log.head.link != b.log.head.link
    send(one, [b])
    send(two, [a, d])
    assert a.log.head.number == b.log.head.number == 0
    settle([a, b, d])
    assert a.log.head.out == 2
    assert links(a.log) == links(b.log) == links(d.log)


def test_a_second_body_for_a_slot_that_all_others_signed_past_cuts_nothing() -> None:
    a, b, _ = nodes = table(3, 4)
    before = links(a.log)
    fork = Node(3, 2)
    send(entry(fork.log, 2, "ok other"), nodes)
    assert links(a.log) == before
    settle([a, b])
    assert a.log.head.out == 2
    assert links(a.log)[: len(before)] == before
    assert links(a.log) == links(b.log)


def _past(seat: int, link: bytes) -> Ballot:
    return Ballot(GID, 0, 1, seat, link, 1, 3, PERSON)


@pytest.mark.parametrize("past", [True, False])
def test_ballots_on_a_slot_settle_it_and_those_that_nobody_goes_do_not(past: bool) -> None:
    a = Node(4, 0)
    start = a.log.head.link
    for seat in range(4):
        a.take(entry(a.log, seat))
    link = a.log.head.link
    for seat in (0, 1, 2):
        a.take(said(_past(seat, link) if past else Ballot(GID, 0, 0, seat, start, 1, NOBODY, PERSON)))
    a.take(said(Shares(GID, 0, 1, 3, start, "ok other")))
    assert a.log.proved == {3}
    assert a.log.head.link == (link if past else start)


def test_two_words_in_one_round_are_proof_and_who_speaks_is_no_difference() -> None:
    a, _, _ = table(3)
    link = a.log.head.link
    yes = said(Ballot(GID, 0, 0, 1, link, 1, 2, PERSON))
    stay = said(Ballot(GID, 0, 0, 1, link, 1, NOBODY, CLIENT))
    bot = said(Ballot(GID, 0, 0, 1, link, 1, 2, "bot"))
    for item in (yes, bot):
        assert not [event for event in a.take(item) if isinstance(event, Blamed)]
    (blamed,) = [event for event in a.take(stay) if isinstance(event, Blamed)]
    assert (blamed.evidence.seat, blamed.evidence.equivocation) == (1, True)
    with pytest.raises(Refused):
        prove_equivocation(GID, a.log.keys, 1, yes[1], bot[1])
    assert prove_equivocation(GID, a.log.keys, 1, yes[1], stay[1]).seat == 1


def test_everything_that_can_be_evidence_fits_into_what_carries_it() -> None:
    who = PEOPLE[0]
    full = MAX_ENTRY - 64
    bodies = [b"x" * full, b"y" * full, *(write(word_) for word_ in _longest())]
    for one, two in itertools.combinations_with_replacement(bodies, 2):
        proof = tuple(open_envelope(who.key, sign(who, body)) for body in (one, two))
        for record in blame_records(GID, who.key, Evidence(0, 0, 1, Code.EQUIVOCATION, proof)):
            assert len(signed_message(who, record)) <= MAX_ENVELOPE


def _longest() -> list[Ballot | Pledge]:
    place = (GID, 400_003, 99_999, 3, bytes(32), 2**32 - 1, 4)
    return [Ballot(*place, "person"), Pledge(*place)]


# Attacks


def test_contradictory_ballots_and_a_late_entry_freeze_nobody_and_split_nobody() -> None:
    """Seat 1 of three moves, contradicts itself in a vote on an older slot, and moves again, in any order."""
    log = Node(3, None).log
    items = grow(log, 4)
    assert log.missing == (1,)
    old, before = log.slots[0], links(log)
    lies = [
        said(Ballot(GID, 0, 0, 1, old.link, 1, 2, PERSON)),
        said(Ballot(GID, 0, 0, 1, old.link, 1, 0, PERSON)),
        entry(log, 1),
    ]
    logs = set()
    for order in itertools.permutations(lies):
        readers = [Node(3, seat) for seat in (0, 2)]
        for item in [*items, *order]:
            send(item, readers)
        settle(readers)
        assert not any(reader.ballots.bound() for reader in readers)
        assert all(1 not in reader.log.state.seats for reader in readers), "proof leads to a vote"
        logs |= {tuple(links(reader.log)) for reader in readers}
    assert len(logs) == 1
    assert next(iter(logs))[: len(before)] == tuple(before), "a contradiction between ballots undoes no slot"


def test_nobody_is_bound_for_ever_by_a_yes_that_a_silent_seat_could_complete() -> None:
    """Seat 1 is away for a moment, seat 2 says yes about it, seat 0 never answers, seat 1 comes back."""
    _, a, h = table(3, 1)
    assert a.log.missing == (1,)
    h.vote(1)
    assert h.ballots.bound()
    send(a.write(), [h])
    for item in list(h.said):
        a.take(item)
    settle([a, h])
    assert not h.ballots.bound()
    assert links(a.log) == links(h.log)
    assert a.log.state.seats == (0, 1, 2)
    assert h.write() is not None


def test_a_late_yes_of_the_silent_one_changes_nothing_any_more() -> None:
    a, b, h = table(3, 1)
    (out,) = a.log.missing
    assert out == 1
    h.vote(1)
    owed = b.write()
    for node in (a, h):
        node.take(owed or (b"", b""))
    for item in list(h.said):
        b.take(item)
    settle([b, h])
    before = links(h.log)
    base = h.log.slots[1]
    late = [
        said(Ballot(GID, 0, 1, 0, base.link, 1, 1, PERSON)),
        said(Pledge(GID, 0, 1, 0, base.link, 1, 1)),
        said(Pledge(GID, 0, 1, 0, base.link, 2, 1)),
    ]
    for item in late:
        send(item, [b, h])
    assert links(h.log) == links(b.log) == before
    assert not h.ballots.bound()


def test_a_confirmed_move_is_not_undone_by_ballots() -> None:
    a, _, _ = nodes = table(3, 7)
    before = links(a.log)
    for seat, slot in ((1, 0), (1, 3), (2, 5)):
        base = a.log.slots[slot]
        for out in (0, NOBODY):
            send(said(Ballot(GID, 0, slot, seat, base.link, 1, out, PERSON)), nodes)
        assert links(a.log)[: len(before)] == before
    assert {evidence.seat for evidence in a.log.evidence} == {1, 2}


def test_one_who_lets_two_others_exclude_each_other_is_proved_wrong_and_one_log_counts() -> None:
    a, b, c = nodes = table(3)
    link = a.log.head.link
    a.vote(1)
    b.vote(0)
    for node, out in ((a, 1), (b, 0)):
        node.take(said(Ballot(GID, 0, 0, 2, link, 1, out, PERSON)))
        node.take(said(Pledge(GID, 0, 0, 2, link, 1, out)))
        node.duties()
    assert a.log.state.seats == (0, 2)
    assert b.log.state.seats == (1, 2)
    items = [*a.said, *b.said]
    items += [said(kind) for out in (0, 1) for kind in _both(link, out)]
    for item in items:
        send(item, nodes)
    assert links(a.log) == links(b.log) == links(c.log)
    assert all(node.log.proved == {2} for node in nodes)


def _both(link: bytes, out: int) -> list[Ballot | Pledge]:
    return [Ballot(GID, 0, 0, 2, link, 1, out, PERSON), Pledge(GID, 0, 0, 2, link, 1, out)]


# Bounds


def test_a_seat_cannot_fill_our_memory_with_words() -> None:
    a, _, _ = table(3)
    for number in range(1, 2 * MAX_KEPT):
        a.take(said(Ballot(GID, 0, 0, 1, bytes([number % 250]) * 32, number % 9_999 + 1, 2, PERSON)))
        a.take(said(Pledge(GID, number % 999, 0, 1, b"x" * 32, 1, 2)))
    assert a.ballots.kept(1) <= MAX_KEPT


def test_the_same_word_again_changes_nothing() -> None:
    a, _, _ = table(3)
    key, envelope = said(Ballot(GID, 0, 0, 1, a.log.head.link, 1, 2, CLIENT))
    signed, message = opened(key, envelope)
    assert isinstance(message, Ballot)
    assert a.log.add_vote(signed, message)
    assert a.log.add_vote(signed, message) == []
    assert a.ballots.kept(1) == 1
    a.take(said(replace(message, by=PERSON)))
    assert a.ballots.kept(1) == 2, "a person speaks for what its client said"


def test_a_seat_says_few_different_things_in_a_round_unless_another_says_them_too() -> None:
    a, _, _ = table(3)
    links_ = [bytes([number]) * 32 for number in range(6)]

    def say(seat: int, link: bytes) -> None:
        key, envelope = said(Ballot(GID, 0, 0, seat, link, 1, 2, PERSON))
        signed, message = opened(key, envelope)
        assert isinstance(message, Ballot)
        a.log.add_vote(signed, message)

    for link in links_[:4]:
        say(1, link)
    with pytest.raises(Refused) as verdict:
        say(1, links_[4])
    assert verdict.value.code is Code.HOLD_FULL
    say(0, links_[4])
    say(1, links_[4])
    assert a.ballots.kept(1) == 5
    say(0, links_[3])
    say(1, links_[5])
    assert a.ballots.kept(1) == 6, "three of them are its own alone, and one more may be"


def test_the_numbers_of_the_specification_are_ours() -> None:
    page = (Path(wasabi_protocol.__file__).parent.parent / "04-out-of-turn.md").read_text(encoding="utf-8")
    words = (
        "A client hears {} rounds beyond the last decided one and keeps at most {} words of a seat, and in a round {}"
    )
    assert words.format(WINDOW, MAX_KEPT, {4: "four"}[MAX_SAID]) in " ".join(page.split())


def test_a_seat_cannot_take_back_its_word_by_saying_very_many_others() -> None:
    """After a vote of four, seat 2 agrees to exclude seat 3, then speaks of epochs that never existed."""
    nodes = table(4, 1)
    agree([node for node in nodes if node.seat != 1], 1)
    a, c, d = (nodes[seat] for seat in (0, 2, 3))
    while a.log.missing != (3,):
        for node in (a, c, d):
            send(node.write(), nodes)
    agree([a, c], 3)
    before = links(a.log)
    assert a.log.head.out == 3
    for number in range(2 * MAX_KEPT):
        epoch, round_ = 1 + number % 4, 1 + number // 4
        send(said(Ballot(GID, epoch, 0, 2, b"x" * 32, round_, 0, PERSON)), [a])
    assert a.ballots.kept(2) <= MAX_KEPT
    assert links(a.log) == before


@pytest.mark.long
def test_a_seat_that_calls_for_votes_without_end_uses_up_nothing() -> None:
    """A seat makes the others answer in more rounds than they store; they can still vote."""
    a, b, c, _ = nodes = table(4)
    honest = [a, b, c]
    # In each round a seat has a ballot and a pledge.
    for _ in range(MAX_KEPT // 2 + 8):
        link, number = a.log.head.link, a.log.poll.floor + 1
        send(said(Ballot(GID, 0, 0, 3, link, number, 0, PERSON)), nodes)
        for node in honest:
            if node.ballots.question() is not None:
                send(node.vote(NOBODY), nodes)
        settle(honest)
        assert not any(node.ballots.bound() for node in honest)
        assert a.log.poll.floor >= number
    assert all(node.ballots.kept(seat) == MAX_KEPT for node in honest for seat in range(3))
    assert all(len(node.ballots.standing()) <= 8 for node in honest)
    agree(honest, 3)
    late = Node(4, None)
    for signed in a.ballots.present():
        late.take((signed.key, signed.envelope))
    assert late.log.head.out == 3
    assert links(late.log) == links(a.log)


def test_a_seat_that_knows_only_its_own_words_remembers_the_last_of_them() -> None:
    """After a start from its own disk, a seat must not contradict what it has said."""
    a, _, _, _ = table(4)
    last = MAX_KEPT + 9
    for number in range(1, last + 1):
        a.take(said(Ballot(GID, 0, 0, 0, a.log.head.link, number, 3, PERSON)))
    assert a.ballots.kept(0) <= MAX_KEPT
    assert a.ballots.view.spoken == last


def test_proof_in_a_blame_record_needs_no_room() -> None:
    a, _, _ = table(3)
    link = a.log.head.link
    for number in range(2, MAX_KEPT + 2):
        a.take(said(Ballot(GID, 0, 0, 1, link, number, 2, PERSON)))
    words = [said(Ballot(GID, 0, 0, 1, link, 1, out, PERSON)) for out in (0, 2)]
    assert [a.take(word) for word in words] == [[], []], "both are older than anything that is kept"
    a.log.accuse(prove_equivocation(GID, a.log.keys, 1, *(envelope for _, envelope in words)))
    assert a.log.proved == {1}
    assert len(a.log.evidence) == 1


def test_a_seat_that_speaks_in_a_far_round_takes_nobody_along() -> None:
    a, b, c, _ = nodes = table(4)
    for number in (WINDOW, WINDOW + 1, 9_999):
        send(said(Ballot(GID, 0, 0, 3, a.log.head.link, number, 2, PERSON)), nodes)
    assert a.duties() is None
    agree([a, b, c], 3)
    assert a.log.head.out == 3


def test_a_place_is_proof_once_however_many_bodies_it_has() -> None:
    a, _, _ = table(3, 9)
    slot = next(slot for slot in a.log.slots if 1 in slot.state.owed)
    for content in ("ok other", "ok third", "wrong"):
        a.take(said(Shares(GID, 0, slot.number + 1, 1, slot.link, content)))
    assert len(a.log.evidence) == 1


def test_proof_against_a_seat_is_bounded_before_it_is_out_too() -> None:
    a, _, _ = table(3, 9)
    for slot in a.log.slots[:-1]:
        if 1 in slot.state.owed:
            a.take(said(Shares(GID, 0, slot.number + 1, 1, slot.link, "ok other")))
            a.take(said(Shares(GID, 0, slot.number + 1, 1, slot.link, "ok third")))
    assert len(a.log.evidence) == 4
    assert a.log.proved == {1}


def test_words_of_strangers_or_of_another_game_are_refused() -> None:
    a, _, _ = table(3)
    link = a.log.head.link
    for person, message, code in (
        (2, Ballot(GID, 0, 0, 1, link, 1, 2, PERSON), Code.WRONG_SEAT),
        (3, Ballot(GID, 0, 0, 3, link, 1, 2, PERSON), Code.WRONG_SEAT),
        (1, Ballot(b"x" * 32, 0, 0, 1, link, 1, 2, PERSON), Code.WRONG_GAME),
        (1, Ballot(GID, 0, 0, 1, link, 1, 3, PERSON), Code.BALLOT_OUT),
    ):
        signed = open_envelope(PEOPLE[person].key, signed_message(PEOPLE[person], message))
        with pytest.raises(Refused) as refusal:
            a.log.add_vote(signed, message)
        assert refusal.value.code is code


# Everything at once


@pytest.mark.grid
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("part", range(5))
def test_random_schedules_keep_every_promise(seats: int, part: int) -> None:
    """A failure names the seed that repeats it; `python -m tests.lab.soaks.votes` looks for new ones."""
    count = budget(10, 100)
    for seed in range(part * count, (part + 1) * count):
        failures = Schedule(seats, seed).run()
        assert not failures, f"--seats {seats} --first {seed} --count 1: {failures}"


def test_the_order_of_arrival_decides_nothing() -> None:
    rng = random.Random(5)
    for seed in range(20):
        schedule = Schedule(rng.choice([3, 4]), seed)
        schedule.run()
        logs = set()
        for _ in range(4):
            reader = Node(schedule.seats, None)
            items = rng.sample(schedule.wire, len(schedule.wire))
            for item in [*items, *items]:
                reader.take(item)
            logs.add(tuple(links(reader.log)))
        assert len(logs) == 1, seed
