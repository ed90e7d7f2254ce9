"""The log: entries in any order make one list of slots, and only a seat's own bodies prove anything against it."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wasabi_protocol.game.chain import VerifiedEntry, link, read_header
from wasabi_protocol.game.early_entries import MAX_BYTES, MAX_ENTRIES
from wasabi_protocol.game.events import Blamed, EntryAccepted, EntryHeld, SlotClosed
from wasabi_protocol.signed.canonical import Value, encode
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import Shares
from wasabi_protocol.verdicts import Code, Refused
from wasabi_protocol.voting.blame import prove_equivocation

from tests.protocol.forgery import signed_otherwise
from tests.protocol.plain import GID, PEOPLE, Item, entry, grow, links, new_log

if TYPE_CHECKING:
    from wasabi_protocol.game.log import Log

    from tests.protocol.plain import PlainState


def deliver(log: Log[PlainState], items: list[Item]) -> None:
    for item in items:
        with suppress(Refused):
            log.receive(*item)


@settings(max_examples=60, deadline=None)
@given(seats=st.integers(2, 4), slots=st.integers(1, 12), rng=st.randoms(use_true_random=False))
def test_entries_in_every_order_duplicated_and_late_give_the_same_log(
    seats: int, slots: int, rng: random.Random
) -> None:
    reference = new_log(seats)
    items = grow(reference, slots)
    shuffled = items + rng.sample(items, len(items) // 2)
    rng.shuffle(shuffled)
    log = new_log(seats)
    deliver(log, shuffled)
    assert links(log) == links(reference)
    assert log.evidence == []
    assert log.waiting == 0


@settings(max_examples=60, deadline=None)
@given(seats=st.integers(3, 4), rng=st.randoms(use_true_random=False))
def test_a_second_body_is_found_in_every_order_and_names_its_author_alone(seats: int, rng: random.Random) -> None:
    reference = new_log(seats)
    items = grow(reference, 4)
    guilty = rng.randrange(seats)
    fork = new_log(seats)
    items.append(entry(fork, guilty, "ok other"))
    rng.shuffle(items)
    log = new_log(seats)
    deliver(log, items)
    (evidence,) = log.evidence
    assert (evidence.seat, evidence.slot, evidence.code) == (guilty, 1, Code.EQUIVOCATION)


def test_a_second_body_that_waited_under_another_past_is_found_when_its_place_is_filled() -> None:
    full = new_log(3)
    items = grow(full, 4)
    other = Shares(GID, 0, 2, 1, b"p" * 32, "ok other")
    second = (PEOPLE[1].key, signed_message(PEOPLE[1], other))
    for order in ([second, *items], [*items, second]):
        log = new_log(3)
        deliver(log, order)
        (evidence,) = log.evidence
        assert (evidence.seat, evidence.slot, evidence.code) == (1, 2, Code.EQUIVOCATION)
        assert links(log) == links(full)


@settings(max_examples=30, deadline=None)
@given(seats=st.integers(2, 4), slots=st.integers(0, 9), more=st.integers(0, 3))
def test_the_log_knows_who_wrote_what_and_where(seats: int, slots: int, more: int) -> None:
    log = new_log(seats)
    items = grow(log, slots)
    for seat in sorted(log.missing)[: min(more, len(log.missing) - 1)]:
        items.append(entry(log, seat))
        log.receive(*items[-1])
    places: dict[tuple[int, int], Item] = {}
    for item in items:
        header = read_header(item[1][SIGNATURE_BYTES:])
        assert header is not None
        places[header.slot, header.seat] = item
    for number in range(slots + 3):
        for seat in range(seats):
            written = log.written(0, number, seat)
            assert (None if written is None else (written.key, written.envelope)) == places.get((number, seat))
            assert log.written(1, number, seat) is None
    for base in range(slots + 1):
        beyond = sorted(place for place in places if place[0] > base)
        assert log.after(base) == [places[place] for place in beyond]
    last = {seat: max((slot for slot, who in places if who == seat), default=0) for seat in range(seats)}
    assert {seat: log.last_written(seat) for seat in range(seats)} == last
    for number in range(slots + 2):
        assert log.signed_past(number) == all(slot > number for slot in last.values())
        assert log.knows(number, log.head.link) == (number == log.head.number)
    assert not log.knows(-1, log.head.link)


def test_the_log_has_what_it_verified_and_only_these_very_bytes() -> None:
    log = new_log(3)
    items = grow(log, 4)
    assert all(log.has(envelope) for _, envelope in items)
    twin = signed_otherwise(("plain", 0), 12345, items[0][1][SIGNATURE_BYTES:])
    unheard = entry(log, 1)[1]
    for other in (twin, unheard, b"", bytes(SIGNATURE_BYTES), bytes(200), items[0][1][:-1]):
        assert not log.has(other)


def test_slots_close_when_every_owed_entry_is_in() -> None:
    log = new_log(3)
    assert log.missing == (0, 1, 2)
    for seat in (2, 0):
        (event,) = log.receive(*entry(log, seat))
        assert isinstance(event, EntryAccepted)
    accepted, closed = log.receive(*entry(log, 1))
    assert isinstance(accepted, EntryAccepted)
    assert isinstance(closed, SlotClosed)
    assert closed.slot.seats == (0, 1, 2)
    assert closed.slot.link == link(signed.body for signed in closed.slot.bodies)
    assert list(log.missing) == [1]


def test_the_link_covers_bodies_in_seat_order_and_their_lengths() -> None:
    assert link([b"ab", b"c"]) != link([b"a", b"bc"])
    assert link([b"a", b"b"]) != link([b"b", b"a"])


def test_the_same_body_with_another_signature_is_a_duplicate_and_no_proof() -> None:
    log = new_log(2)
    key, envelope = entry(log, 0)
    log.receive(key, envelope)
    twin = signed_otherwise(("plain", 0), 12345, envelope[SIGNATURE_BYTES:])
    assert twin != envelope
    assert log.receive(key, twin) == []
    assert log.evidence == []
    with pytest.raises(Refused):
        prove_equivocation(GID, log.keys, 0, envelope, twin)


def test_equivocation_is_a_portable_proof() -> None:
    log, fork = new_log(3), new_log(3)
    one, two = entry(log, 1), entry(fork, 1, "ok other")
    evidence = prove_equivocation(GID, log.keys, 1, one[1], two[1])
    assert (evidence.seat, evidence.slot, evidence.equivocation) == (1, 1, True)
    for wrong in (0, 2, 3, -1):
        with pytest.raises(Refused):
            prove_equivocation(GID, log.keys, wrong, one[1], two[1])


def test_an_honest_entry_of_another_branch_is_held_and_nobody_is_blamed_for_it() -> None:
    """Seat 0 signs two versions; seat 1 follows the other one, and its next entry looks wrong from here."""
    here, there = new_log(3), new_log(3)
    for seat in (1, 2):
        item = entry(here, seat)
        here.receive(*item)
        there.receive(*item)
    here.receive(*entry(here, 0))
    there.receive(*entry(there, 0, "ok other"))
    (event,) = here.receive(*entry(there, 1, "bad for anybody who does not know the other story"))
    assert event == EntryHeld(1, 2)
    assert here.evidence == []


def test_an_invalid_entry_blames_its_author_and_changes_nothing() -> None:
    log = new_log(3)
    before = links(log)
    (event,) = log.receive(*entry(log, 1, "wrong"))
    assert isinstance(event, Blamed)
    assert (event.evidence.seat, event.evidence.slot, event.evidence.code) == (1, 1, Code.BAD_PROOF)
    assert links(log) == before
    assert log.open == {}
    (second,) = log.receive(*entry(log, 1, "ok, I meant"))
    assert isinstance(second, Blamed)
    assert second.evidence.equivocation
    assert log.missing == (0, 1, 2)


def test_a_malformed_body_is_invalid_where_it_is_owed_and_dropped_where_it_is_not() -> None:
    log = new_log(3, rounds=False)
    header: dict[str, Value] = {"v": 1, "t": "nonsense", "gid": GID, "epoch": 0, "slot": 1}
    for seat, blamed in ((0, True), (1, False)):
        body = encode({**header, "seat": seat, "prev": log.head.link, "more": [1]})
        envelope = sign(PEOPLE[seat], body + b"\x00")
        if blamed:
            (event,) = log.receive(PEOPLE[seat].key, envelope)
            assert isinstance(event, Blamed)
            assert event.evidence.seat == seat
        else:
            with pytest.raises(Refused) as refusal:
                log.receive(PEOPLE[seat].key, envelope)
            assert refusal.value.code is Code.NOT_OWED


def test_two_seats_cannot_go_on_after_a_proof_and_the_result_names_the_entry() -> None:
    log = new_log(2)
    grow(log, 2)
    log.receive(*entry(log, 1, "wrong") if 1 in log.missing else entry(log, 0, "wrong"))
    assert log.broken is not None
    assert log.broken.slot == 3
    broken = log.broken
    log.receive(*entry(log, broken.seat, "ok, I meant"))
    assert (log.broken.slot, log.head.number) == (3, 2)


def test_entries_that_do_not_fit_together_blame_the_later_seat() -> None:
    log = new_log(3)
    log.receive(*entry(log, 0, "ok twin"))
    log.receive(*entry(log, 1))
    events = log.receive(*entry(log, 2, "ok twin"))
    assert [event.evidence.seat for event in events if isinstance(event, Blamed)] == [2]
    assert log.head.number == 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"gid": b"h" * 32}, Code.WRONG_GAME),
        ({"seat": 2}, Code.WRONG_SEAT),
        ({"seat": 3}, Code.WRONG_SEAT),
    ],
)
def test_replays_across_games_and_seats_are_dropped(change: dict[str, object], code: Code) -> None:
    log = new_log(3)
    fields: dict[str, object] = {"gid": GID, "epoch": 0, "slot": 1, "seat": 1, "prev": log.head.link, "work": "ok"}
    message = Shares(**{**fields, **change})  # type: ignore[arg-type]
    with pytest.raises(Refused) as refusal:
        log.receive(PEOPLE[1].key, signed_message(PEOPLE[1], message))
    assert refusal.value.code is code
    assert log.evidence == []


def test_an_entry_of_another_epoch_on_a_known_past_is_wrong() -> None:
    log = new_log(3)
    message = Shares(GID, 5, 1, 1, log.head.link, "ok")
    (event,) = log.receive(PEOPLE[1].key, signed_message(PEOPLE[1], message))
    assert isinstance(event, Blamed)
    assert event.evidence.code is Code.WRONG_EPOCH


def test_a_spliced_log_stops_at_the_seam_without_blame() -> None:
    one, two = new_log(3), new_log(3)
    first = grow(one, 6)
    for seat in (0, 1, 2):
        two.receive(*entry(two, seat, "ok elsewhere"))
    tail = grow(two, 5)
    log = new_log(3)
    deliver(log, first[:3] + tail)
    assert links(log) == links(one)[:2]
    assert log.evidence == []
    assert log.waiting == len(tail)


def test_a_truncated_log_waits_for_its_beginning() -> None:
    full = new_log(3)
    items = grow(full, 6)
    log = new_log(3)
    deliver(log, items[1:])
    assert log.head.number == 0
    deliver(log, items[:1])
    assert links(log) == links(full)


@pytest.mark.parametrize("order", ["forwards", "backwards", "mixed"])
def test_the_log_of_one_seat_after_another_makes_the_whole_log_however_long(order: str) -> None:
    full = new_log(3)
    items = grow(full, 300)
    log = new_log(3)
    for person in PEOPLE[:3]:
        theirs = [item for item in items if item[0] == person.key]
        if order == "backwards":
            theirs.reverse()
        elif order == "mixed":
            random.Random(order).shuffle(theirs)
        deliver(log, theirs)
    assert links(log) == links(full)
    assert log.waiting == 0


def test_the_hold_keeps_the_nearest_entries_within_its_bounds() -> None:
    log = new_log(3)
    key = PEOPLE[1].key

    def future(slot: int, size: int = 0) -> bytes:
        return signed_message(PEOPLE[1], Shares(GID, 0, slot, 1, b"p" * 32, "ok" + "x" * size))

    for slot in range(100, 100 + MAX_ENTRIES):
        log.receive(key, future(slot))
    assert log.waiting == MAX_ENTRIES
    with pytest.raises(Refused) as refusal:
        log.receive(key, future(100 + MAX_ENTRIES))
    assert refusal.value.code is Code.HOLD_FULL
    log.receive(key, future(50))
    assert log.waiting == MAX_ENTRIES
    size = 27_000
    fitting = MAX_BYTES // (size + 200)
    for slot in range(10, 10 + fitting):
        log.receive(key, future(slot, size))
    assert fitting <= log.waiting < MAX_ENTRIES
    with pytest.raises(Refused):
        log.receive(key, future(49, size))
    log.receive(key, future(9, size))
    assert log.waiting == fitting
    log.receive(PEOPLE[2].key, signed_message(PEOPLE[2], Shares(GID, 0, 40, 2, b"p" * 32, "ok")))


def test_four_bodies_of_a_seat_are_kept_for_a_place_and_sixty_four_beside_the_log() -> None:
    log = new_log(3)
    grow(log, 60)
    log.receive(*entry(log, 1))
    assert log.missing == (0, 2)
    places = [slot for slot in log.slots[:-8] if 1 in slot.state.owed]

    def say(slot: int, prev: bytes, number: int) -> None:
        message = Shares(GID, 0, slot, 1, prev, f"ok {number}")
        log.receive(PEOPLE[1].key, signed_message(PEOPLE[1], message))

    def kept() -> list[tuple[int, int]]:
        return [(slot, seat) for (_, slot, seat), bodies in log._bodies.items() for _ in bodies]

    first = places[0]
    for number in range(3):
        say(first.number + 1, first.link, number)
    with pytest.raises(Refused) as refusal:
        say(first.number + 1, first.link, 3)
    assert refusal.value.code is Code.HOLD_FULL
    assert kept().count((first.number + 1, 1)) == 4
    for slot in places[1:]:
        for number in range(3):
            say(slot.number + 1, slot.link, number)
    # The one body for the open slot will be part of the log.
    own = sum(1 in slot.seats for slot in log.slots) + 1
    assert sum(seat == 1 for _, seat in kept()) == own + 64
    assert kept().count((first.number + 1, 1)) == 1, "the oldest go first"
    assert sum(seat != 1 for _, seat in kept()) == sum(len(slot.seats) for slot in log.slots) + 1 - own
    assert len(log.evidence) == 4


@pytest.mark.parametrize("closed", [0, 20])
def test_entries_of_made_up_epochs_take_no_more_room_than_others(closed: int) -> None:
    """Each is in its own place; bodies that can never join the log are dropped before those that may show a fork."""
    log = new_log(3)
    grow(log, 60)
    own, slot = sum(1 in slot.seats for slot in log.slots), log.slots[60 - closed]
    assert 1 in slot.state.owed

    def say(epoch: int, number: int) -> None:
        message = Shares(GID, epoch, slot.number + 1, 1, slot.link, f"ok {number}")
        log.receive(PEOPLE[1].key, signed_message(PEOPLE[1], message))

    for number in range(2):
        say(0, number)
    for epoch in range(1, 200):
        say(epoch, 0)
    kept = [place for place, bodies in log._bodies.items() if place[2] == 1 for _ in bodies]
    assert len(kept) == own + 64
    assert all(log._bodies.values()), "nor do the places themselves"
    assert kept.count((0, slot.number + 1, 1)) == (3 if closed else 2)
    assert log.proved == {1}


def test_a_verified_entry_cannot_be_made_by_hand() -> None:
    with pytest.raises(TypeError):
        VerifiedEntry()
