"""Ballots: whatever races whatever, honest seats end with one log and nobody is blamed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wasabi_protocol.game.events import Blamed, Excluded
from wasabi_protocol.signed.codec import parse_as, signed_message
from wasabi_protocol.signed.envelope import open_envelope
from wasabi_protocol.signed.messages import Ballot, Shares
from wasabi_protocol.verdicts import Code, Forbidden, Refused
from wasabi_protocol.voting.ballots import MAX_KEPT
from wasabi_protocol.voting.blame import prove_equivocation
from wasabi_protocol.voting.voter import Duty, vote_allowed

from tests.protocol.plain import GID, PEOPLE, Item, Node, entry, grow, links


def table(seats: int, slots: int = 0) -> list[Node]:
    nodes = [Node(seats, seat) for seat in range(seats)]
    if slots:
        for item in grow(Node(seats, None).log, slots):
            for node in nodes:
                node.take(item)
    return nodes


def send(item: Item | None, nodes: list[Node]) -> None:
    assert item is not None
    for node in nodes:
        node.take(item)


def ballot_of(item: Item) -> Ballot:
    return parse_as(Ballot, open_envelope(*item).body)


# The owed entry before, between and after the ballots


def test_the_owed_entry_before_the_ballot_makes_everybody_who_has_it_say_no() -> None:
    a, b, c = table(3, 1)
    owed = b.write()
    assert owed is not None
    c.take(owed)
    call = a.vote(1, out=1, yes=True)
    c.take(call)
    assert c.ballots.duty(ballot_of(call)) is Duty.NO
    with pytest.raises(Forbidden) as verdict:
        c.vote(2, out=1, yes=True)
    assert verdict.value.code is Code.BALLOT_OUT
    reply = c.duties()
    assert reply is not None
    assert (PEOPLE[1].key, owed[1]) in ballot_of(reply).held
    assert a.ballots.bound()
    a.take(reply)
    assert not a.ballots.bound()
    assert links(a.log) == links(b.log) == links(c.log)
    assert a.log.head.number == 2


def test_the_owed_entry_between_two_ballots() -> None:
    a, b, c = table(3, 1)
    call = a.vote(1, out=1, yes=True)
    owed = b.write()
    assert owed is not None
    send(owed, [a, c])
    assert a.log.head.number == 2
    assert a.write() is None or not a.ballots.bound()
    send(call, [b, c])
    send(c.duties(), [a, b])
    assert links(a.log) == links(b.log) == links(c.log)
    assert not a.ballots.bound()


def test_the_owed_entry_after_all_ballots_is_void_for_ever() -> None:
    a, b, c = table(3, 1)
    owed = b.write()
    call = a.vote(1, out=1, yes=True)
    c.take(call)
    assert c.ballots.duty(ballot_of(call)) is Duty.FREE
    answer = c.vote(1, out=1, yes=True)
    a.take(answer)
    for node in (a, c):
        assert node.log.state.seats == (0, 2)
        assert node.log.head.out == 1
        assert node.log.state.epoch == 1
    assert owed is not None
    for node in (a, c):
        with pytest.raises(Refused) as refusal:
            node.log.receive(*owed)
        assert refusal.value.code is Code.VOID
    send(call, [b])
    send(answer, [b])
    assert links(a.log) == links(b.log) == links(c.log)
    assert a.log.evidence == []
    assert b.write() is None


def test_a_half_filled_round_is_void_and_nobody_who_wrote_in_it_is_blamed() -> None:
    a, b, c, _ = nodes = table(4)
    for node in (a, b, c):
        send(node.write(), nodes)
    assert a.log.missing == (3,)
    for node in (a, b, c):
        send(node.vote(0, out=3, yes=True), nodes)
    assert a.log.head.voted
    for node in (a, b, c):
        send(node.write() if node.seat in node.log.missing else entry(node.log, 9 % 3), nodes)
        assert node.log.evidence == []


def test_after_yes_nothing_is_written_until_the_round_ends() -> None:
    a, b, c = table(3)
    call = a.vote(0, out=2, yes=True)
    assert a.ballots.bound()
    assert a.write() is None
    b.take(call)
    a.take(b.vote(0, out=2, yes=False))
    assert not a.ballots.bound()
    assert a.write() is not None
    assert c.write() is not None


def test_a_seat_has_one_open_yes_on_whatever_base() -> None:
    a, b, _ = table(3, 1)
    a.vote(1, out=1, yes=True)
    a.take(b.write() or (b"", b""))
    assert a.log.head.number == 2
    assert a.log.missing == (2,)
    with pytest.raises(Forbidden) as verdict:
        a.vote(2, out=2, yes=True)
    assert verdict.value.code is Code.BOUND_BY_BALLOT
    assert ballot_of(a.vote(2, out=2, yes=False)).round == 1


def test_a_ballot_about_another_past_ends_our_round() -> None:
    a, _, _ = table(3)
    a.vote(0, out=2, yes=True)
    elsewhere = Ballot(GID, 0, 0, 1, b"x" * 32, 1, 2, True, ())
    assert a.ballots.bound()
    a.take((PEOPLE[1].key, signed_message(PEOPLE[1], elsewhere)))
    assert not a.ballots.bound()
    assert a.log.head.number == 0


def test_a_yes_attaches_nothing_so_that_it_has_one_body() -> None:
    a, _, _ = table(3)
    ballot = Ballot(GID, 0, 0, 1, a.log.head.link, 1, 2, True, (entry(a.log, 1),))
    with pytest.raises(Refused) as refusal:
        a.ballots.receive(open_envelope(PEOPLE[1].key, signed_message(PEOPLE[1], ballot)), ballot)
    assert refusal.value.code is Code.WRONG_CONTENT


def test_a_yes_that_comes_after_everybody_went_on_cuts_nothing_and_is_proof() -> None:
    a, b, c = nodes = table(3)
    send(a.vote(0, out=2, yes=True), nodes)
    send(b.vote(0, out=2, yes=False), nodes)
    for _ in range(4):
        for node in nodes:
            item = node.write()
            if item is not None:
                send(item, nodes)
    before = links(a.log)
    assert a.log.settled(1)
    late = Ballot(GID, 0, 0, 1, a.log.slots[0].link, 1, 2, True, ())
    send((PEOPLE[1].key, signed_message(PEOPLE[1], late)), [a, c])
    assert links(a.log) == links(c.log) == before
    assert [evidence.seat for evidence in a.log.evidence] == [1]


def test_one_ballot_a_round_and_the_next_round_only_after_a_no() -> None:
    a, b, _ = table(3)
    first = ballot_of(a.vote(0, out=2, yes=True))
    with pytest.raises(Forbidden) as verdict:
        a.vote(0, out=2, yes=True)
    assert verdict.value.code is Code.ROUND_OPEN
    b.take(a.said[0])
    a.take(b.vote(0, out=2, yes=False))
    second = ballot_of(a.vote(0, out=2, yes=True))
    assert (first.round, second.round) == (1, 2)


def test_a_no_of_the_absent_seat_itself_cannot_split_the_others() -> None:
    """Only those whose yes is needed can end a round; otherwise some would see it ended and some unanimous."""
    a, b, c = table(3)
    forged = Ballot(GID, 0, 0, 2, c.log.head.link, 1, 1, False, ())
    call = a.vote(0, out=2, yes=True)
    item = (PEOPLE[2].key, signed_message(PEOPLE[2], forged))
    a.take(item)
    assert a.ballots.bound()
    b.take(call)
    b.take(item)
    a.take(b.vote(0, out=2, yes=True))
    assert links(a.log) == links(b.log)
    assert a.log.head.out == 2


def test_two_seats_cannot_vote_each_other_out() -> None:
    a, _ = table(2)
    with pytest.raises(Forbidden):
        a.vote(0, out=1, yes=True)
    b = Node(2, 1)
    forged = Ballot(GID, 0, 0, 0, b.log.head.link, 1, 1, True, ())
    b.take((PEOPLE[0].key, signed_message(PEOPLE[0], forged)))
    assert b.log.head.number == 0


def test_nobody_is_voted_out_who_owes_nothing() -> None:
    a, _, c = table(3, 1)
    assert a.log.missing == (1,)
    with pytest.raises(Forbidden):
        a.vote(1, out=2, yes=True)
    forged = Ballot(GID, 0, 1, 0, a.log.head.link, 1, 1, True, ())
    b_owes_nothing = Ballot(GID, 0, 1, 2, a.log.head.link, 1, 0, True, ())
    a.take((PEOPLE[2].key, signed_message(PEOPLE[2], b_owes_nothing)))
    c.take((PEOPLE[0].key, signed_message(PEOPLE[0], forged)))
    assert c.ballots.duty(forged) is Duty.FREE


def test_two_different_ballots_in_one_round_are_proof() -> None:
    a, _, _ = table(3)
    yes = Ballot(GID, 0, 0, 1, a.log.head.link, 1, 2, True, ())
    no = Ballot(GID, 0, 0, 1, a.log.head.link, 1, 2, False, ())
    events = []
    for ballot in (yes, no):
        events += a.take((PEOPLE[1].key, signed_message(PEOPLE[1], ballot)))
    (blamed,) = [event for event in events if isinstance(event, Blamed)]
    assert (blamed.evidence.seat, blamed.evidence.equivocation) == (1, True)


def test_a_seat_that_lets_two_others_exclude_each_other_is_caught() -> None:
    a, b, _ = table(3)
    first, second = a.vote(0, out=1, yes=True), b.vote(0, out=0, yes=True)
    lies = [
        (PEOPLE[2].key, signed_message(PEOPLE[2], Ballot(GID, 0, 0, 2, a.log.head.link, 1, out, True, ())))
        for out in (1, 0)
    ]
    a.take(lies[0])
    b.take(lies[1])
    assert a.log.state.seats == (0, 2)
    assert b.log.state.seats == (1, 2)
    for node, items in ((a, [lies[1], second]), (b, [lies[0], first])):
        for item in items:
            node.take(item)
        (evidence,) = node.log.evidence
        assert (evidence.seat, evidence.equivocation) == (2, True)
        assert node.log.broken == evidence


def test_two_ballots_that_differ_only_in_what_they_attach_are_no_proof() -> None:
    a, b, _ = table(3)
    other = b.write()
    assert other is not None
    one = Ballot(GID, 0, 0, 1, a.log.head.link, 1, 2, False, ())
    two = replace(one, held=(other,))
    items = [(PEOPLE[1].key, signed_message(PEOPLE[1], ballot)) for ballot in (one, two)]
    for item in items:
        a.take(item)
    assert a.log.evidence == []
    assert 1 not in a.log.missing
    with pytest.raises(Refused):
        prove_equivocation(GID, a.log.keys, 1, items[0][1], items[1][1])
    against = replace(one, yes=True)
    proof = prove_equivocation(GID, a.log.keys, 1, items[0][1], signed_message(PEOPLE[1], against))
    assert proof.seat == 1


def test_contradictory_ballots_on_an_unknown_base_fill_no_memory_with_evidence() -> None:
    a, _, _ = table(3)
    for base in range(100, 400):
        for yes in (True, False):
            ballot = Ballot(GID, 0, base, 1, b"x" * 32, 1, 2, yes, ())
            a.take((PEOPLE[1].key, signed_message(PEOPLE[1], ballot)))
    assert a.log.evidence == []
    assert a.ballots.kept(1) <= MAX_KEPT


def test_a_ballot_of_a_stranger_or_for_oneself_is_refused() -> None:
    a, _, _ = table(3)
    link = a.log.head.link
    mine = Ballot(GID, 0, 0, 1, link, 1, 1, False, ())
    for person, ballot, code in (
        (1, mine, Code.BALLOT_OUT),
        (2, mine, Code.WRONG_SEAT),
        (1, Ballot(b"x" * 32, 0, 0, 1, link, 1, 2, True, ()), Code.WRONG_GAME),
        (1, Ballot(GID, 0, 0, 1, link, 1, 3, True, ()), Code.BALLOT_OUT),
    ):
        signed = open_envelope(PEOPLE[person].key, signed_message(PEOPLE[person], ballot))
        with pytest.raises(Refused) as refusal:
            a.ballots.receive(signed, ballot)
        assert refusal.value.code is code


def test_a_seat_cannot_fill_our_memory_with_ballots() -> None:
    a, _, _ = table(3)
    for number in range(1, 3 * MAX_KEPT):
        ballot = Ballot(GID, 0, 0, 1, b"x" * 32, number, 2, False, ())
        a.take((PEOPLE[1].key, signed_message(PEOPLE[1], ballot)))
    assert a.ballots.kept(1) <= MAX_KEPT


def test_a_vote_passes_after_more_refused_rounds_than_anybody_keeps() -> None:
    a, b, _ = table(3)
    for _ in range(MAX_KEPT + 5):
        b.take(a.vote(0, out=2, yes=True))
        a.take(b.vote(0, out=2, yes=False))
        assert not a.ballots.bound()
    a.take(b.vote(0, out=2, yes=True))
    b.take(a.vote(0, out=2, yes=True))
    assert links(a.log) == links(b.log)
    assert a.log.head.out == 2


def test_automatic_answers_may_be_voted_on_after_a_while() -> None:
    assert not vote_allowed(29, 299)
    assert vote_allowed(30, 0)
    assert vote_allowed(0, 300)


# Proof


def test_an_invalid_entry_leads_to_a_vote_that_clients_cast_by_themselves() -> None:
    nodes = a, b, c = table(3)
    send(entry(c.log, 2, "wrong"), nodes)
    for node in (a, b):
        send(node.duties(), nodes)
    assert a.log.head.out == 2
    assert links(a.log) == links(b.log) == links(c.log)


def test_an_unsettled_equivocation_cuts_back_and_heals_the_fork() -> None:
    a, b, c, d = nodes = table(4)
    for node in (a, b, d):
        send(node.write(), nodes)
    one, two = entry(c.log, 2), entry(c.log, 2, "ok other")
    send(one, [a, d])
    send(two, [b])
    assert a.log.head.link != b.log.head.link
    send(one, [b])
    send(two, [a, d])
    for node in (a, b, d):
        send(node.duties(), nodes)
    assert a.log.head.out == 2
    assert links(a.log) == links(b.log) == links(d.log)
    assert a.log.head.number == 1


def test_a_settled_equivocation_cuts_nothing() -> None:
    a, b, c = nodes = table(3, 4)
    before = links(a.log)
    fork = Node(3, 2)
    send(entry(fork.log, 2, "ok other"), nodes)
    assert a.log.base_for(a.log.evidence[0]) == a.log.head.number
    for node in (a, b):
        send(node.duties(), nodes)
    assert a.log.head.out == 2
    assert links(a.log)[: len(before)] == before
    assert links(a.log) == links(b.log) == links(c.log)


def test_a_proof_that_was_only_claimed_moves_nobody() -> None:
    a, _, _ = table(3, 2)
    claim = Ballot(GID, 0, 0, 1, a.log.slots[0].link, 1, 2, True, ())
    a.take((PEOPLE[1].key, signed_message(PEOPLE[1], claim)))
    assert a.ballots.duty(claim) is Duty.NO
    assert a.log.evidence == []


# Everything at once


@settings(max_examples=120, deadline=None, derandomize=True)
@given(seats=st.integers(3, 4), seed=st.integers(0, 2**32))
def test_votes_and_entries_in_any_order_end_in_one_log(seats: int, seed: int) -> None:
    rng = random.Random(seed)
    nodes = [Node(seats, seat) for seat in range(seats)]
    flying: list[tuple[Node, Item]] = []

    def publish(item: Item | None) -> None:
        if item is not None:
            flying.extend((node, item) for node in nodes)

    for _ in range(60):
        node = rng.choice(nodes)
        action = rng.randrange(6)
        if action <= 2 and flying:
            to, item = flying.pop(rng.randrange(len(flying)))
            to.take(item)
            if rng.random() < 0.1:
                flying.append((to, item))
        elif action == 3:
            publish(node.write())
        elif action == 4:
            publish(node.duties())
        else:
            publish(some_vote(node, rng))
    come_to_rest(nodes, flying)
    first, *others = nodes
    for other in others:
        assert links(other.log) == links(first.log)
    assert not any(node.log.evidence for node in nodes)
    assert not any(node.ballots.bound() for node in nodes if node.seat in node.log.state.seats)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seats=st.integers(3, 4), seed=st.integers(0, 2**32))
def test_one_seat_that_says_anything_to_anybody_splits_nobody_without_proof(seats: int, seed: int) -> None:
    rng = random.Random(seed)
    evil = rng.randrange(seats)
    honest = [Node(seats, seat) for seat in range(seats) if seat != evil]
    flying: list[tuple[Node, Item]] = []
    lies: list[Item] = []

    def publish(item: Item | None) -> None:
        if item is not None:
            flying.extend((node, item) for node in honest)

    for _ in range(80):
        node = rng.choice(honest)
        action = rng.randrange(7)
        if action <= 2 and flying:
            to, item = flying.pop(rng.randrange(len(flying)))
            to.take(item)
        elif action == 3:
            publish(node.write())
        elif action == 4:
            publish(node.duties())
        elif action == 5:
            publish(some_vote(node, rng) if rng.random() < 0.3 else None)
        else:
            lies.append(lie(node, evil, seats, rng))
            flying.extend((other, lies[-1]) for other in honest if rng.random() < 0.6)
    for item in lies:
        publish(item)
    come_to_rest(honest, flying)
    for node in honest:
        assert {evidence.seat for evidence in node.log.evidence} <= {evil}
    one_log = all(links(node.log) == links(honest[0].log) for node in honest)
    assert one_log or all(node.log.evidence for node in honest)


def lie(node: Node, evil: int, seats: int, rng: random.Random) -> Item:
    """Something that a dishonest seat signs: an entry or a ballot on what some honest seat knows."""
    slot = rng.choice(node.log.slots[-2:])
    message: Shares | Ballot
    if rng.random() < 0.5:
        work = rng.choice(["ok", "ok a", "ok b", "bad"])
        message = Shares(GID, slot.state.epoch, slot.number + 1, evil, slot.link, work)
    else:
        out = rng.choice([seat for seat in range(seats) if seat != evil])
        yes, number = rng.random() < 0.7, rng.randrange(1, 4)
        message = Ballot(GID, slot.state.epoch, slot.number, evil, slot.link, number, out, yes, ())
    return PEOPLE[evil].key, signed_message(PEOPLE[evil], message)


def some_vote(node: Node, rng: random.Random) -> Item | None:
    others = [seat for seat in node.log.missing if seat != node.seat]
    if not others:
        return None
    try:
        return node.vote(node.log.head.number, rng.choice(others), rng.random() < 0.8)
    except Forbidden:
        return None


def come_to_rest(nodes: list[Node], flying: list[tuple[Node, Item]]) -> None:
    """Carry everything to everybody; open questions are answered with no."""
    for _ in range(200):
        while flying:
            to, item = flying.pop()
            to.take(item)
        said = [item for node in nodes for item in (node.duties() or last_word(node),) if item is not None]
        flying.extend((node, item) for item in said for node in nodes)
        if not flying:
            return
    raise AssertionError("the votes never come to rest")


def last_word(node: Node) -> Item | None:
    for ballot in node.ballots.unanswered():
        return node.reply(ballot, yes=False)
    return None


def test_an_excluded_seat_sees_that_it_is_out() -> None:
    a, b, c = nodes = table(3)
    for node in (a, b):
        send(node.vote(0, out=2, yes=True), [n for n in nodes if n is not c])
    events = [event for item in (a.said[0], b.said[0]) for event in c.take(item)]
    assert any(isinstance(event, Excluded) and event.seat == 2 for event in events)
    assert c.write() is None
