"""Strangers at a table: their messages cost bounded work, seats come first, and nobody gets in who should not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wasabi_protocol.game.catch_up import NOTHING, TO_STRANGERS
from wasabi_protocol.sealed.cards import params_hash
from wasabi_protocol.signed.codec import named_key, signed_message, write
from wasabi_protocol.signed.envelope import MAX_ENVELOPE, MAX_PAYLOAD, Signed, open_envelope, sign
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.signed.messages import Accept, Answer, Ask, Chunk, Doing, Genesis, Message, Offer, Start, Wish
from wasabi_protocol.table import channel as channel_module
from wasabi_protocol.table.channel import Channel
from wasabi_protocol.table.genesis import found, make_join
from wasabi_protocol.table.private import PrivateTable, door_identity
from wasabi_protocol.table.topics import TABLE_KINDS, Topic, check_message
from wasabi_protocol.table.waiting_room import MAX_JOINS
from wasabi_protocol.verdicts import Code, Refused

from tests.protocol.samples import SAMPLES
from wasabi_tx.online.carry import screen as screen_module
from wasabi_tx.online.carry.budget import SEAT, STRANGERS, Budget, Work
from wasabi_tx.online.client import events as table_events
from wasabi_tx.online.client.client import Client

from .world import World, secret

STRANGER = Identity(secret("a stranger"))
HIDDEN = PrivateTable(secret("a private table"))


def topic(table: str, kind: str, who: Identity = STRANGER) -> str:
    return f"wsb1/main/t/{table}/{kind}/{key_text(who.key)}"


def heard(world: World, name: str, kind: str, message: Message, who: Identity = STRANGER) -> None:
    """Deliver a stranger's message to somebody."""
    person = world.people[name]
    person.client.receive(topic(world.table, kind, who), signed_message(who, message), False, world.now)


# Sizes, then signatures, then parsing


class NothingIsParsed:
    def __call__(self, _body: bytes) -> Message:
        raise AssertionError("parsed before its signature was checked")


@pytest.mark.parametrize("private", [None, HIDDEN])
@pytest.mark.parametrize("known", [True, False])
def test_nothing_is_parsed_that_was_not_signed(
    private: PrivateTable | None, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = "a" * 26 if private is None else private.table
    channel = Channel("main", table, private)
    if known:
        channel.learn(STRANGER.key)
    good = write(Ask(table, STRANGER.key, bytes(32), 0))
    monkeypatch.setattr(channel_module, "parse", NothingIsParsed())
    with pytest.raises(Refused) as verdict:
        channel.read(channel.topic("ask", STRANGER.key), channel.payload(bytes(64) + good))
    assert verdict.value.code is Code.BAD_SIGNATURE


@pytest.mark.parametrize("private", [None, HIDDEN])
def test_what_is_too_long_is_not_even_hashed(private: PrivateTable | None, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_check(*_args: object) -> Signed:
        raise AssertionError("its signature was checked")

    table = "a" * 26 if private is None else private.table
    channel = Channel("main", table, private)
    monkeypatch.setattr(channel_module, "open_envelope", no_check)
    with pytest.raises(Refused) as verdict:
        channel.read(channel.topic("ask", STRANGER.key), bytes(MAX_PAYLOAD + 1))
    assert verdict.value.code is Code.TOO_LONG


def test_the_longest_signed_message_is_read() -> None:
    channel = Channel("main", "a" * 26)
    with pytest.raises(Refused) as verdict:
        channel.read(channel.topic("mv", STRANGER.key), sign(STRANGER, bytes(MAX_ENVELOPE - 64)))
    assert verdict.value.code is Code.BAD_ENCODING


def test_a_hidden_author_who_is_not_known_is_found_by_the_key_in_the_body_alone() -> None:
    channel = Channel("main", HIDDEN.table, HIDDEN)
    ask = signed_message(STRANGER, Ask(HIDDEN.table, STRANGER.key, bytes(32), 0))
    place = channel.topic("ask", STRANGER.key)
    assert channel.read(place, channel.payload(ask)).key == STRANGER.key
    thief = Identity(secret("a thief"))
    forged = sign(thief, write(Ask(HIDDEN.table, STRANGER.key, bytes(32), 0)))
    with pytest.raises(Refused) as verdict:
        channel.read(place, channel.payload(forged))
    assert verdict.value.code is Code.BAD_SIGNATURE


def test_the_key_of_every_message_that_names_one_can_be_peeked_at() -> None:
    for sample in SAMPLES:
        assert named_key(write(sample)) == getattr(sample, "key", None), sample.t
    for nonsense in (b"", b"\x83", b"\x84\xa1v\x01", b"\x83\xa3key\xc4\x05hello", bytes(200), b"\xdf" * 50):
        assert named_key(nonsense) is None


# Work is bounded, and counted


class Count:
    """Counts the calls of a function of this module."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.checks = 0
        monkeypatch.setattr(channel_module, "open_envelope", self)

    def __call__(self, key: bytes, envelope: bytes) -> Signed:
        self.checks += 1
        return open_envelope(key, envelope)


def test_a_flood_of_strangers_is_checked_within_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World.begun(14)
    count = Count(monkeypatch)
    client = world.people["p0"].client
    for number in range(20_000):
        who = f"wsb1/main/t/{world.table}/ask/{key_text(secret('stranger', number % 5_000))}"
        client.receive(who, bytes(200), False, world.now + number / 5_000)
    assert count.checks <= STRANGERS.most[Work.CHECKS] + 4 * STRANGERS.a_second[Work.CHECKS]
    assert client.budget.dropped >= 15_000


@pytest.mark.long
def test_a_flood_under_a_seats_name_leaves_its_own_words_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World.begun(14)
    count = Count(monkeypatch)
    client, seat = world.people["p0"].client, world.people["p1"].me
    for number in range(30_000):
        client.receive(topic(world.table, "mv", seat), bytes(30_000), False, world.now + number / 10_000)
    assert count.checks <= SEAT.most[Work.CHECKS] + 3 * SEAT.a_second[Work.CHECKS]
    world.now += 4
    world.run()
    world.finished()


def test_a_game_goes_on_while_strangers_shout() -> None:
    world = World.begun(14)
    crowd = [Identity(secret("crowd", number)) for number in range(40)]
    long = bytes(30_000)
    for turn in range(400):
        if world.people["p0"].client.done:
            break
        for number, who in enumerate(crowd):
            for name in ("p0", "p1"):
                client = world.people[name].client
                seat = world.people["p1" if name == "p0" else "p0"].me
                client.receive(topic(world.table, "ask", who), long, False, world.now)
                heard(world, name, "ask", Ask(world.table, who.key, bytes(32), turn), who)
                if number % 4 == 0:
                    client.receive(topic(world.table, "mv", seat), long, False, world.now)
        world.step()
    world.run()
    world.finished()


def test_an_answer_of_a_stranger_with_64_joins_costs_no_more_than_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(3, "classic", "answers", start=False, welcome_all=False)
    host = world.sit(0)
    world.wait(1)
    room = host.client.waiting_room.room
    assert room is not None
    assert room.offer is not None
    guests = [Identity(secret("guest", number)) for number in range(64)]
    joins = [(who.key, signed_message(who, make_join(who, room.offer, secret("n", who.key)))) for who in guests]
    taken = 0

    def take(key: bytes, envelope: bytes, now: float) -> None:
        nonlocal taken
        taken += 1
        real(key, envelope, now)

    real: Callable[[bytes, bytes, float], None] = host.client.waiting_room._take
    monkeypatch.setattr(host.client.waiting_room, "_take", take)
    for number in range(100):
        who = guests[number % 64]
        heard(world, "p0", "ans", Answer(world.table, who.key, tuple(joins)), who)
    assert 64 <= taken <= STRANGERS.most[Work.QUOTES]


def test_whoever_was_silent_may_say_more_at_once_but_not_for_ever() -> None:
    budget = Budget(lambda author: author == "seat")
    said = sum(budget.spend("stranger", Work.SIZE, 8_000, 0.0) for _ in range(100))
    assert said == 8
    assert budget.spend("stranger", Work.SIZE, 8_000, 1.0)
    others = sum(budget.spend(f"other {number}", Work.SIZE, 8_000, 1.0) for number in range(100))
    assert others <= 32, "all of them share one budget"
    assert budget.spend("seat", Work.SIZE, 8_000, 1.0), "seats come first"
    assert not budget.spend("stranger", Work.SIZE, 60_000, 0.5), "a clock that goes back gives nothing"


def test_a_strangers_long_messages_are_paid_for_before_they_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World.begun(14)
    count = Count(monkeypatch)
    client = world.people["p0"].client
    for number in range(1_000):
        who = f"wsb1/main/t/{world.table}/ask/{key_text(secret('stranger', number))}"
        client.receive(who, bytes(30_000), False, world.now)
    assert count.checks == STRANGERS.most[Work.SIZE] // 30_000


@pytest.mark.grid
@pytest.mark.parametrize("after", [0, 20, NOTHING])
@pytest.mark.long
def test_however_many_ask_a_seat_publishes_few_answers(after: int) -> None:
    """Ask as a watcher under ever new keys; a relay carries eight messages a second from each seat."""
    world = World.begun(22, seats=3)
    since, start = world.now, len(world.broker.log)
    seats = [person.me for person in world.people.values()]
    while world.now < since + 30:
        for seat in seats:
            for number in range(5):
                who = Identity(secret("crowd", world.now, number))
                heard(world, f"p{seats.index(seat)}", "ask", Ask(world.table, who.key, seat.key, after), who)
        world.step()
    answers = [said.topic for said in world.broker.log[start:] if "/ans/" in said.topic]
    assert max(Counter(answers).values(), default=0) <= 4 * TO_STRANGERS, "thirty seconds, and what came before"
    world.run()
    world.finished()


# Rooms and doors


def test_an_invited_friend_gets_a_seat_in_a_room_full_of_strangers() -> None:
    world = World(2, "classic", "full of strangers", start=False, welcome_all=False, tickets=True)
    host = world.sit(0)
    world.wait(1)
    room = host.client.waiting_room.room
    assert room is not None
    assert room.offer is not None
    for number in range(3 * MAX_JOINS):
        who = Identity(secret("stranger", number))
        heard(world, "p0", "mv", make_join(who, room.offer, secret("n", number)), who)
        world.now += 0.1
    assert len(room.joins) == MAX_JOINS
    world._settle(host)
    assert host.told(table_events.Crowded) == [table_events.Crowded()]
    friend = world.sit(1)
    world.wait(3)
    assert friend.me.key in room.joins
    (join,) = [event for event in host.told(table_events.Joined) if event.key == friend.me.key]
    assert join.invited
    for person in (host, friend):
        host.client.admit(person.me.key, world.now)
    world._settle(host)
    world.run()
    world.finished()


def test_at_a_table_that_welcomes_all_a_friend_takes_the_seat_of_a_silent_stranger() -> None:
    world = World(2, "classic", "strangers sit", start=False, tickets=True)
    host = world.sit(0)
    world.wait(1)
    room = host.client.waiting_room.room
    assert room is not None
    assert room.offer is not None
    heard(world, "p0", "mv", make_join(STRANGER, room.offer, secret("n")))
    assert STRANGER.key in host.client.waiting_room.admitted
    world.sit(1)
    world.run()
    world.finished()


def genesis_of(offer: Offer, keys: list[Identity], door: Identity | None = None) -> tuple[bytes, bytes]:
    """Return the genesis and start of a game whose keys all belong to the host."""
    who = keys[0]
    joins = tuple(
        sorted((one.key, signed_message(one, make_join(one, offer, secret("n", one.key), door=door))) for one in keys)
    )
    genesis = signed_message(who, Genesis(offer.table, who.key, offer.salt, 1, offer.terms, offer.door, joins))
    founded = found(genesis, who.key, offer.table)
    by_key = {one.key: one for one in keys}
    accepts = [signed_message(by_key[key], Accept(founded.gid, seat)) for seat, key in enumerate(founded.keys)]
    return genesis, signed_message(who, Start(founded.gid, who.key, tuple(accepts)))


def watcher_of(world: World) -> Client:
    return world.watch().client


def test_a_host_cannot_start_a_game_of_other_decks_than_it_offered() -> None:
    world = World(2, "classic", "other decks", start=False)
    host = Identity(secret(world.seed, 0))
    terms = world.hosting.terms
    offer = Offer(world.table, host.key, world.hosting.salt, 1, terms, b"", "koi", 1, False)
    decks = (1, *terms.decks[1:])
    other = replace(offer, terms=replace(terms, decks=decks, params=params_hash(decks)))
    for first in (True, False):
        watcher = watcher_of(world)
        keys = [host, Identity(secret("the host's second key"))]
        words = [signed_message(host, offer)] if first else []
        for envelope in [*words, *genesis_of(other, keys)]:
            watcher.receive(topic(world.table, "mv", host), envelope, False, world.now)
            watcher.tick(world.now)
        assert watcher.playing is None
        refusals = [event for event in watcher.take_events() if isinstance(event, table_events.CannotPlay)]
        assert bool(refusals) is not first


def test_a_door_does_not_let_somebody_pass_for_the_host_of_an_open_table() -> None:
    world = World(2, "classic", "impostor", start=False)
    thief, second = Identity(secret("thief")), Identity(secret("thief's second"))
    door = door_identity(secret("door"))
    offer = Offer(world.table, thief.key, secret("salt"), 1, world.hosting.terms, door.key, "koi", 1, False)
    watcher = watcher_of(world)
    for envelope in (signed_message(thief, offer), *genesis_of(offer, [thief, second], door)):
        watcher.receive(topic(world.table, "mv", thief), envelope, False, world.now)
    assert watcher.waiting_room.room is None
    assert watcher.playing is None
    for number in range(2):
        world.sit(number)
    world.people["w0"].client.tick(world.now)
    world.run()
    world.finished()


# Noise: malformed messages are not read, and noise in one topic does not affect the others


def places(table: str, message: Message) -> list[str]:
    """Return the kinds of topics at a table that may carry a message of this type."""
    place = Topic("main", "mv", key_text(STRANGER.key), table)
    found = []
    for kind in ("mv", *TABLE_KINDS):
        with suppress(Refused):
            number = message.n if kind == "log" and isinstance(message, Chunk) else None
            check_message(replace(place, kind=kind, n=number), getattr(message, "key", STRANGER.key), message)
            found.append(kind)
    return found


@pytest.mark.parametrize("hidden", [False, True])
def test_every_message_is_worth_reading_where_it_belongs_and_nowhere_else(hidden: bool) -> None:
    for sample in SAMPLES:
        table = HIDDEN.table if hidden else "a" * 26
        channel = Channel("main", table, HIDDEN if hidden else None)
        message = sample
        if getattr(sample, "table", ""):
            message = replace(sample, table=table)  # type: ignore[call-arg]
        payload = channel.payload(bytes(64) + write(message))
        for kind in ("mv", *TABLE_KINDS):
            n = message.n if isinstance(message, Chunk) else 0
            where = channel.topic(kind, STRANGER.key, n if kind == "log" else None)
            assert channel.worth_reading(where, payload) == (kind in places(table, message)), (message.t, kind)
        assert not channel.worth_reading(channel.topic("mv", STRANGER.key), payload[:-1][:100])
        assert not channel.worth_reading("wsb1/main/t/" + "b" * 26 + "/mv/" + key_text(STRANGER.key), payload)


@given(st.binary(max_size=300))
def test_noise_is_not_worth_reading(noise: bytes) -> None:
    for channel in (Channel("main", "a" * 26), Channel("main", HIDDEN.table, HIDDEN)):
        assert not channel.worth_reading(channel.topic("mv", STRANGER.key), noise)


def test_forged_moves_under_a_seats_topic_use_up_nothing_of_its_answers_and_heads() -> None:
    world = World(2, "classic", "noise")
    world.until(lambda: all(person.game_or_none for person in world.people.values()), 60)
    reader, seat = world.people["p0"], world.people["p1"]
    forged = bytes(64) + write(Wish(bytes(32), 1, "leave"))
    for _ in range(2 * SEAT.most[Work.CHECKS]):
        reader.client.receive(topic(world.table, "mv", seat.me), forged, False, world.now)
    dropped = reader.client.budget.dropped
    assert dropped > 0
    answer = signed_message(seat.me, Answer(world.table, seat.me.key, ()))
    reader.client.receive(topic(world.table, "ans", seat.me), answer, False, world.now)
    assert reader.client.budget.dropped == dropped


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Stop the clock of the screens, so that no budget grows on a slow machine."""
    time = SimpleNamespace(now=1.0)
    monkeypatch.setattr(screen_module, "time", SimpleNamespace(monotonic=lambda: time.now))
    return time


def test_in_a_game_what_a_seat_has_not_signed_does_not_reach_its_reader(second: SimpleNamespace) -> None:
    del second
    world = World.begun()
    screen, seat = world.people["p0"].client.screen(), world.people["p1"].me
    wish = Wish(bytes(32), 1, "leave")
    assert not screen(topic(world.table, "mv", seat), bytes(64) + write(wish))
    assert screen(topic(world.table, "mv", seat), signed_message(seat, wish))
    assert screen(topic(world.table, "ask"), bytes(64) + write(Ask(world.table, STRANGER.key, bytes(32), 0)))


def test_noise_under_a_seats_topic_uses_up_nothing_of_another_kind_or_of_another_broker(
    second: SimpleNamespace,
) -> None:
    del second
    world = World.begun()
    client, seat = world.people["p0"].client, world.people["p1"].me
    one, other = client.screen(), client.screen()
    wish = Wish(bytes(32), 1, "leave")
    for _ in range(SEAT.most[Work.CHECKS]):
        one(topic(world.table, "mv", seat), bytes(64) + write(wish))
    signed = signed_message(seat, wish)
    assert not one(topic(world.table, "mv", seat), signed), "it is used up"
    assert other(topic(world.table, "mv", seat), signed)
    head = signed_message(seat, Doing(world.table, seat.key, bytes(16), 1, 0, "composing"))
    assert one(topic(world.table, "head", seat), head)


def test_what_a_seat_has_said_costs_no_check_when_it_is_sent_again_at_once(
    second: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let a stranger repeat everything that a seat has said, thousands of times a second."""
    world = World.begun()
    screen, seat = world.people["p0"].client.screen(), world.people["p1"].me
    said = [each.payload for each in world.broker.log if each.topic == topic(world.table, "mv", seat)]
    assert len(said) >= 8
    count = Count(monkeypatch)
    for _ in range(2_000):
        for payload in said:
            screen(topic(world.table, "mv", seat), payload)
    assert count.checks == len(set(said))
    assert screen(topic(world.table, "mv", seat), signed_message(seat, Wish(bytes(32), 1, "leave")))
    second.now += 1
    assert screen(topic(world.table, "mv", seat), said[0]), "the seat itself repeats what may have been lost"
