"""A session against dishonest seats, restored disks, second machines and a lossy wire."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from wasabi_protocol.game.events import Abandoned, Blamed, HeadSeen, OtherRun
from wasabi_protocol.game.heads import MOST_RUNS
from wasabi_protocol.game.session import Session
from wasabi_protocol.sealed.player import Draw
from wasabi_protocol.signed.canonical import Value, decode, encode
from wasabi_protocol.signed.codec import parse_as, signed_message, write
from wasabi_protocol.signed.envelope import Signed, open_envelope, sign
from wasabi_protocol.signed.messages import Abandon, Answer, Bundle, Chunk, End, Entry, Head, Keys, Message, Wish
from wasabi_protocol.verdicts import Code, Forbidden, Invalid, Refused
from wasabi_protocol.voting.blame import Evidence, blame_records

from tests.protocol.game.test_record import game_with_a_vote, until
from tests.protocol.sessions import Item, Peer, World, choose, identity, secret

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wasabi_protocol.game.chain import Slot
    from wasabi_protocol.game.state import GameState

    from tests.protocol.toy import Position


@pytest.fixture(scope="module")
def played() -> World:
    """Play a whole game of three with a leave, a vote and an epoch, containing every type of entry."""
    return game_with_a_vote("played", passes=7)


@pytest.fixture(scope="module")
def left() -> World:
    """Play a game of three in which one leaves when its wish is heard."""
    world = World(3, "left", passes=4)
    until(world, 8)
    writer = next(peer for peer in world.online if peer.session.owes)
    wisher = next(peer for peer in world.online if peer is not writer)
    world.publish(wisher, wisher.session.wish("leave"))
    world.run(choose)
    return world


def slots(world: World) -> list[Slot[GameState[Position]]]:
    return world.spectator.log.slots[1:]


def entry_of(signed: Signed) -> Entry:
    return parse_as(Entry, signed.body)


def fresh(world: World) -> Session[Position]:
    return Session(world.founded, world.game)


def replayed(world: World, until_slot: int) -> Session[Position]:
    """Return a spectator who knows the log up to and including that slot."""
    session = fresh(world)
    for slot in slots(world)[:until_slot]:
        for signed in slot.bodies:
            session.receive(signed.key, signed.envelope)
    return session


def first_slot(world: World, kind: str) -> int:
    """Return the number of the first slot with entries of this type."""
    return next(slot.number for slot in slots(world) if not slot.voted and entry_of(slot.bodies[0]).t == kind)


def resigned(world: World, message: Message, seat: int) -> Item:
    """Sign any message with a seat's key."""
    who = world.peers[seat].who
    return who.key, sign(who, write(message))


def blamed(session: Session[Position], item: Item) -> tuple[int, Code]:
    """Return the seat and code that an entry is blamed for; it must change nothing else."""
    before = [slot.link for slot in session.log.slots], sorted(session.log.open)
    events = session.receive(*item)
    assert ([slot.link for slot in session.log.slots], sorted(session.log.open)) == before
    (event,) = events
    assert isinstance(event, Blamed)
    return event.evidence.seat, event.evidence.code


# Entries of dishonest seats


def test_every_type_of_entry_occurs(played: World, left: World) -> None:
    types = {
        entry_of(signed).t
        for world in (played, left)
        for slot in slots(world)
        if not slot.voted
        for signed in slot.bodies
    }
    assert types == {"keys", "carry", "shuffle", "multiply", "tags", "shares", "bundle", "leave", "end"}


def bent_leaf(value: Value, rng: random.Random) -> Value:
    """Return the value with one bit, letter or number changed somewhere in it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        place = rng.randrange(len(value))
        return value[:place] + chr(ord(value[place]) ^ 1) + value[place + 1 :]
    if isinstance(value, bytes):
        place = rng.randrange(len(value))
        return value[:place] + bytes([value[place] ^ 1 << rng.randrange(8)]) + value[place + 1 :]
    if isinstance(value, list):
        place = rng.choice([n for n, item in enumerate(value) if item not in ([], b"", "")])
        return [*value[:place], bent_leaf(value[place], rng), *value[place + 1 :]]
    raise AssertionError(f"no leaf in {value!r}")


def bent(entry: Entry, rng: random.Random) -> list[Entry]:
    """Return the entry with each of its own fields changed somewhere; unparsable ones are skipped."""
    fields = decode(write(entry))
    assert isinstance(fields, dict)
    found = []
    for name, value in fields.items():
        # The author decides freely whether keys may be shown.
        if name in ("v", "t", "gid", "epoch", "slot", "seat", "prev", "open") or value in ([], b""):
            continue
        for _ in range(3):
            try:
                found.append(parse_as(Entry, encode({**fields, name: bent_leaf(value, rng)})))
            except Refused:
                continue
    return found


@pytest.mark.parametrize("name", ["played", "left"])
def test_a_changed_field_in_any_type_of_entry_is_invalid_and_names_its_author(
    name: str, request: pytest.FixtureRequest
) -> None:
    world: World = request.getfixturevalue(name)
    rng = random.Random(1)
    session = fresh(world)
    tried: Counter[str] = Counter()
    for slot in slots(world):
        for signed in slot.bodies:
            if not slot.voted and tried[entry_of(signed).t] < 12:
                entry = entry_of(signed)
                for wrong in bent(entry, rng):
                    tried[entry.t] += 1
                    with pytest.raises(Invalid) as verdict:
                        session.state.judge(wrong)
                    assert verdict.value.seat == entry.seat
            session.receive(signed.key, signed.envelope)
    assert min(tried.values()) >= 3
    assert session.state.outcome == world.spectator.state.outcome


@pytest.mark.parametrize("seed", range(3))
def test_everything_in_any_order_duplicated_and_late_gives_the_same_game(played: World, seed: int) -> None:
    rng = random.Random(seed)
    items = played.wire + rng.sample(played.wire, len(played.wire) // 3)
    rng.shuffle(items)
    session = fresh(played)
    for item in items:
        with suppress(Refused):
            session.receive(*item)
    assert [slot.link for slot in session.log.slots] == [slot.link for slot in played.spectator.log.slots]
    assert session.state.outcome == played.spectator.state.outcome
    assert session.log.evidence == []


@pytest.mark.parametrize("kind", ["keys", "shuffle", "shares", "bundle", "end"])
def test_a_wrong_entry_in_its_place_is_blamed_on_its_author(played: World, kind: str) -> None:
    number = first_slot(played, kind)
    right = entry_of(slots(played)[number - 1].bodies[-1])
    wrong = next(iter(bent(right, random.Random(2))))
    session = replayed(played, number - 1)
    seat, code = blamed(session, resigned(played, wrong, right.seat))
    assert seat == right.seat
    assert code in (Code.BAD_PROOF, Code.BAD_NONCE, Code.ILLEGAL_STEPS, Code.WRONG_DIGEST, Code.WRONG_CONTENT)


def test_an_entry_of_another_type_than_is_owed_is_invalid(played: World) -> None:
    number = first_slot(played, "bundle")
    right = entry_of(slots(played)[number - 1].bodies[0])
    header = (right.gid, right.epoch, right.slot, right.seat, right.prev)
    session = replayed(played, number - 1)
    wrong = End(*header, bytes(32), (), True, [])
    assert blamed(session, resigned(played, wrong, right.seat)) == (right.seat, Code.WRONG_TYPE)


def test_entries_replayed_in_another_slot_seat_epoch_or_game_prove_nothing_or_their_author_wrong(
    played: World,
) -> None:
    number = first_slot(played, "shares")
    slot = slots(played)[number - 1]
    one, two = (entry_of(signed) for signed in slot.bodies[:2])
    session = replayed(played, number - 1)
    # Another seat's work under our name: the proof is bound to its seat.
    stolen = replace(one, work=two.work)  # type: ignore[call-arg, attr-defined]
    assert blamed(session, resigned(played, stolen, one.seat)) == (one.seat, Code.BAD_PROOF)
    # The unchanged entry of an earlier slot is already there.
    session = replayed(played, number)
    early = slots(played)[0].bodies[0]
    assert session.receive(early.key, early.envelope) == []
    # Its work in a later slot.
    later = next(s for s in slots(played)[number:] if not s.voted and entry_of(s.bodies[0]).t == "shares")
    session = replayed(played, later.number - 1)
    victim = next(entry for entry in map(entry_of, later.bodies))
    old = next((e for e in map(entry_of, slot.bodies) if e.seat == victim.seat), one)
    moved = replace(victim, work=old.work)  # type: ignore[call-arg, attr-defined]
    assert blamed(session, resigned(played, moved, victim.seat)) == (victim.seat, Code.BAD_PROOF)
    # A whole entry of another game.
    other = World(3, "other game")
    other.settle()
    foreign = other.spectator.log.after(0)[0]
    with pytest.raises(Refused):
        replayed(played, 0).receive(*foreign)


def test_a_nonce_that_the_join_did_not_commit_to_is_invalid(played: World) -> None:
    right = entry_of(slots(played)[0].bodies[0])
    assert isinstance(right, Keys)
    for nonce in (secret("chosen"), b""):
        session = replayed(played, 0)
        wrong = replace(right, nonce=nonce)
        assert blamed(session, resigned(played, wrong, right.seat)) == (right.seat, Code.BAD_NONCE)


def test_a_bundle_may_only_quote_wishes_that_were_made(left: World) -> None:
    slot = next(s for s in slots(left) if isinstance(e := entry_of(s.bodies[0]), Bundle) and e.wishes)
    right = entry_of(slot.bodies[0])
    assert isinstance(right, Bundle)
    wisher = next(seat for seat in left.peers if left.peers[seat].who.key == wish_author(left, right.wishes[0]))
    other = next(seat for seat in left.peers if seat not in (wisher, right.seat))
    for wishes in (
        (right.wishes[0], right.wishes[0]),
        (resigned(left, Wish(right.gid, other, "rematch"), other)[1],),
        (resigned(left, Wish(right.gid, wisher, "leave"), other)[1],),
        (resigned(left, Wish(secret("game"), other, "leave"), other)[1],),
        (resigned(left, Wish(right.gid, right.seat, "leave"), right.seat)[1],),
        (b"nothing",),
    ):
        session = replayed(left, slot.number - 1)
        wrong = replace(right, wishes=wishes)
        assert blamed(session, resigned(left, wrong, right.seat)) == (right.seat, Code.WRONG_WISH)


def wish_author(world: World, envelope: bytes) -> bytes:
    for key in world.founded.keys:
        with suppress(Refused):
            return open_envelope(key, envelope).key
    raise AssertionError("nobody's wish")


def test_blame_travels_and_is_judged_by_everybody_anew(played: World) -> None:
    number = first_slot(played, "bundle")
    right = entry_of(slots(played)[number - 1].bodies[0])
    assert isinstance(right, Bundle)
    finder, reader = replayed(played, number - 1), replayed(played, number - 1)
    blamed(finder, resigned(played, replace(right, digest=bytes(32)), right.seat))
    reporter = identity("anybody")
    (record,) = blame_records(played.founded.gid, reporter.key, finder.log.evidence[0])
    assert blamed(reader, (reporter.key, signed_message(reporter, record))) == (right.seat, Code.WRONG_DIGEST)
    # A record about an honest entry blames nobody.
    good = replace(record, entries=(slots(played)[number - 1].bodies[0].envelope,))
    honest = replayed(played, number)
    assert honest.receive(reporter.key, signed_message(reporter, good)) == []
    assert honest.log.evidence == []


def test_two_large_bodies_travel_in_two_records() -> None:
    who = identity("loud")
    bodies = tuple(open_envelope(who.key, sign(who, bytes([n]) * 20_000)) for n in (1, 2))
    records = blame_records(secret("gid"), who.key, Evidence(0, 0, 1, Code.EQUIVOCATION, bodies))
    assert [len(record.entries) for record in records] == [1, 1]
    assert all(signed_message(who, record) for record in records)


# Restored disks, second machines


def test_a_restored_older_disk_signs_the_same_bytes_again() -> None:
    world = World(3, "restored", passes=3)
    said: dict[tuple[int, int], bytes] = {}
    original = world.publish

    def publish(peer: Peer, envelope: bytes, to: Iterable[int] | None = None) -> None:
        restored = world.peer(peer.who)
        for item in world.wire:
            with suppress(Refused):
                restored.take(item)
        again = restored.session.answer() if restored.session.state.automatic else choose(world, restored)
        assert again == envelope
        said[peer.seat, len(said)] = envelope
        original(peer, envelope, to)

    world.publish = publish  # type: ignore[method-assign]
    world.run(choose)
    assert len(said) > 15


def test_what_is_written_already_is_not_written_again() -> None:
    world = World(3)
    peer = world.online[0]
    envelope = peer.session.answer()
    assert envelope is not None
    peer.take((peer.who.key, envelope))
    assert peer.session.owes == ()
    assert peer.session.answer() is None


def test_our_own_entries_are_adopted_from_the_others() -> None:
    world = World(3)
    until(world, 8)
    again = world.peer(world.online[0].who)
    for item in world.wire:
        again.take(item)
    assert again.session.log.head.link == world.spectator.log.head.link
    assert again.session.hand() == world.online[0].session.hand()


def test_our_own_key_alive_elsewhere_stops_our_signing_until_the_user_confirms() -> None:
    world = World(2)
    peer = world.online[0]
    run = secret("run", peer.who.key)[:16]
    mine = Head(world.founded.gid, peer.seat, 0, peer.session.log.head.link, run, 1, bytes(16))
    elsewhere = replace(mine, run=b"another run id!!", met=run)
    assert peer.take(resigned(world, mine, peer.seat)) == []
    assert peer.session.receive(*resigned(world, elsewhere, peer.seat), live=False) == []
    assert peer.session.answer() is not None
    assert peer.take(resigned(world, elsewhere, peer.seat)) == [OtherRun(elsewhere.run)]
    assert peer.take(resigned(world, replace(elsewhere, n=2), peer.seat)) == [], "once is enough"
    with pytest.raises(Forbidden) as verdict:
        peer.session.answer()
    assert verdict.value.code is Code.OTHER_RUN
    peer.session.heads.confirm_run(b"this is the one!")
    assert peer.session.answer() is not None
    still = replace(elsewhere, n=3, met=b"this is the one!")
    assert peer.take(resigned(world, still, peer.seat)) == [], "that one waits for its person"
    assert peer.session.answer() is not None
    taken_over = replace(still, run=b"no, that is it!!")
    assert peer.take(resigned(world, taken_over, peer.seat)) == [OtherRun(taken_over.run)]


def test_a_run_that_cannot_have_heard_of_ours_stops_nobody() -> None:
    world = World(2)
    peer = world.online[0]
    link, past = peer.session.log.head.link, b"an earlier run !"
    for met in (bytes(16), past, b"one before that!"):
        old = Head(world.founded.gid, peer.seat, 0, link, past, 7, met)
        assert peer.take(resigned(world, old, peer.seat)) == []
    assert peer.session.answer() is not None
    told = parse_as(Head, peer.session.head()[64:])
    assert told.met == past, "if it is alive, it will hear of us"


def test_whoever_repeats_the_heads_of_many_runs_does_not_fill_our_memory() -> None:
    world = World(2)
    session, link = world.spectator, world.spectator.log.head.link
    for number in range(3 * MOST_RUNS):
        head = Head(world.founded.gid, 0, 0, link, number.to_bytes(16, "big"), 1, bytes(16))
        assert session.receive(*resigned(world, head, 0))
    assert len(session.heads._heard[0]) == MOST_RUNS


# Heads and delivery


def test_heads_of_strangers_and_of_other_games_are_ignored() -> None:
    world = World(2)
    session = world.spectator
    link = session.log.head.link
    stranger = identity("stranger")
    head = Head(world.founded.gid, 0, 5, link, bytes(16), 1, bytes(16))
    for who, message, code in (
        (stranger, head, Code.NOT_A_SEAT),
        (world.peers[1].who, head, Code.NOT_A_SEAT),
        (world.peers[0].who, replace(head, gid=secret("x")), Code.WRONG_GAME),
    ):
        with pytest.raises(Refused) as verdict:
            session.receive(who.key, signed_message(who, message))
        assert verdict.value.code is code
    assert not session.heads.ask_due(0, 0.0)


def test_a_head_that_is_ahead_causes_asks_that_back_off() -> None:
    world = World(2)
    head = Head(world.founded.gid, 1, 5, secret("further on"), bytes(16), 1, bytes(16))
    (event,) = world.peers[0].take(resigned(world, head, 1))
    assert event == HeadSeen(head, ahead=True)
    heads = world.peers[0].session.heads
    asked = [now for now in range(200) if heads.ask_due(1, float(now))]
    assert asked[:6] == [0, 1, 3, 7, 15, 31]
    assert max(later - earlier for earlier, later in itertools.pairwise(asked)) <= 60


def test_what_a_head_covered_stays_covered_when_lower_heads_follow() -> None:
    world = World(2)
    for _ in range(4):
        world.automatic()
    a = world.peers[0]
    slots = a.session.log.slots
    covered = len(slots) - 1
    lower = max(0, a.session.log.last_written(1) - 1)
    assert lower < covered
    elsewhere = secret("further on")
    for n, (slot, link) in enumerate(
        [(covered, slots[covered].link), (40, elsewhere), (lower, slots[lower].link), (41, elsewhere)], 1
    ):
        a.take(resigned(world, Head(world.founded.gid, 1, slot, link, bytes(16), n, bytes(16)), 1))
        assert a.session.heads.covered(1) == covered


def test_a_slot_is_confirmed_once_every_other_seat_signed_for_it() -> None:
    world = World(3)
    a, b, c = world.online
    for peer in (a, b, c):
        assert a.session.heads.confirmed() == 0
        written = peer.session.answer()
        assert written is not None
        world.publish(peer, written)
    assert a.session.log.head.number == 1
    assert a.session.heads.confirmed() == 0
    world.publish(b, b.session.head())
    world.publish(c, c.session.head())
    assert a.session.heads.reached() == 1
    while not all(a.session.log.last_written(peer.seat) > 1 for peer in (b, c)):
        assert a.session.heads.confirmed() == 0
        world.automatic()
    assert a.session.heads.confirmed() >= 1


def test_an_answer_or_a_chunk_brings_what_was_missed() -> None:
    world = World(3)
    world.settle()
    items = world.spectator.log.after(0)
    table, helper = world.founded.genesis.table, identity("helper")
    late = fresh(world)
    late.receive(helper.key, signed_message(helper, Answer(table, helper.key, tuple(items[:5]))))
    for seat, peer in world.peers.items():
        own = tuple(envelope for key, envelope in items if key == peer.who.key)
        late.receive(*resigned(world, Chunk(table, peer.who.key, 0, own), seat))
    assert late.log.head.link == world.spectator.log.head.link
    with pytest.raises(Refused):
        late.receive(helper.key, signed_message(helper, Answer("a" * 26, helper.key, ())))
    nested = Answer(table, helper.key, ((helper.key, signed_message(helper, Answer(table, helper.key, ()))),))
    assert late.receive(helper.key, signed_message(helper, nested)) == []


def test_one_of_two_abandons_and_the_longer_log_stays_the_record() -> None:
    world = World(2)
    until(world, 6)
    a, b = world.online
    statement = a.session.abandon()
    (event,) = b.take((a.who.key, statement))
    assert isinstance(event, Abandoned)
    assert event.statement.base == a.session.log.head.number
    assert not b.session.over
    with pytest.raises(Forbidden):
        World(3).online[0].session.abandon()


def test_one_of_three_cannot_abandon() -> None:
    a, b, _ = World(3).online
    head = a.session.log.head
    seat = a.session.log.seat_of(a.who.key)
    assert seat is not None
    statement = signed_message(a.who, Abandon(a.session.founded.gid, head.number, seat, head.link))
    with pytest.raises(Refused, match="not-owed"):
        b.session.receive(a.who.key, statement)
    assert not b.session.abandoned


# Our own actions


def test_a_client_does_not_sign_what_others_would_call_invalid() -> None:
    world = World(3)
    until(world, 6)
    writer = next(peer for peer in world.online if peer.session.owes)
    other = next(peer for peer in world.online if peer is not writer)
    with pytest.raises(Forbidden) as verdict:
        writer.session.bundle(["nonsense"])
    assert verdict.value.code is Code.ILLEGAL_STEPS
    with pytest.raises(Forbidden) as verdict:
        writer.session.bundle(["draw 7"], [Draw(7)])
    assert verdict.value.code is Code.BAD_PROOF
    with pytest.raises(Forbidden) as verdict:
        other.session.bundle(["pass"])
    assert verdict.value.code is Code.NOT_OWED
    with pytest.raises(Forbidden):
        world.spectator.wish("leave")


def test_secrets_do_not_show() -> None:
    world = World(2)
    shown = repr(world.online[0].session.__dict__) + repr(world.online[0].who)
    assert secret("game", world.online[0].who.key).hex() not in shown
    assert repr(secret("game", world.online[0].who.key)) not in shown
