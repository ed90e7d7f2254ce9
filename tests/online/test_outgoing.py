"""The retained log of one author: in chunks, from its first message on, and only changed chunks are sent again."""

from __future__ import annotations

from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.envelope import body_hash
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Accept, Chunk, Genesis, Join, Offer, Start
from wasabi_protocol.table.channel import Channel
from wasabi_protocol.table.topics import parse_topic

from wasabi_tx.online.carry.outgoing import CACHE_EVERY, CHUNK_EVERY, FIRST_WAIT, Outgoing

from .world import World, secret


def _outgoing() -> Outgoing:
    outgoing = Outgoing(Channel("main", "a" * 26), Identity(secret("outgoing")))
    outgoing.connected(0.0)
    outgoing.publications.clear()
    return outgoing


def test_one_more_word_publishes_one_chunk_however_long_the_game() -> None:
    outgoing = _outgoing()
    words = [bytes([n]) * 3_000 for n in range(60)]
    outgoing.relog(words)
    outgoing.tick(CHUNK_EVERY)
    assert len(outgoing.publications) >= 6
    outgoing.publications.clear()
    outgoing.relog([*words, b"one more" * 10])
    outgoing.tick(3 * CHUNK_EVERY)
    assert len(outgoing.publications) == 1
    outgoing.publications.clear()
    outgoing.relog([*words, b"one more" * 10])
    outgoing.tick(5 * CHUNK_EVERY)
    assert not outgoing.publications
    outgoing.tick(CACHE_EVERY + 1)
    assert len(outgoing.publications) >= 6, "brokers forget"


def test_a_word_is_stuck_if_it_cannot_leave_or_had_to_be_sent_again() -> None:
    outgoing = _outgoing()
    assert not outgoing.stuck
    envelope = bytes(SIGNATURE_BYTES) + b"word"
    outgoing.send(envelope, 0.0)
    assert not outgoing.stuck, "its echo is on the way"
    outgoing.tick(FIRST_WAIT)
    assert outgoing.stuck
    outgoing.connected(FIRST_WAIT)
    assert not outgoing.stuck
    outgoing.lost()
    assert outgoing.stuck
    outgoing.arrived(body_hash(b"word"))
    assert not outgoing.stuck


def test_a_word_that_fits_no_chunk_stops_nobody() -> None:
    outgoing = _outgoing()
    outgoing.relog([b"x" * 31_000, b"y" * 100])
    outgoing.tick(CHUNK_EVERY)
    (publication,) = outgoing.publications
    chunk = parse(publication.payload[64:])
    assert isinstance(chunk, Chunk)
    assert chunk.entries == (b"y" * 100,)


def test_what_the_game_needs_waits_for_nothing_that_late_comers_need() -> None:
    world = World.begun(seats=3, persons=("p0",), watchers=1)
    world.people["p0"].client.send_talk("hello", 0.0)
    world.kill("p1")
    world.revive("p1")
    world.run()
    for person in world.people.values():
        person.client.close()
        world._settle(person)
    rows = {(parse_topic(said.topic).kind, said.can_wait) for said in world.broker.log}
    needed = {(row, False) for row in ("lobby", "mv", "head", "say")}
    assert rows == needed | {(row, True) for row in ("log", "ask", "ans")}


def test_a_chunk_is_not_sent_after_the_word_that_it_be_forgotten() -> None:
    outgoing = _outgoing()
    outgoing.relog([b"x" * 100])
    outgoing.flush()
    outgoing.clear()
    chunk, *forgotten = outgoing.publications
    assert [one for one in forgotten if one.topic == chunk.topic and one.can_wait is chunk.can_wait]


def test_the_first_chunk_begins_with_the_words_of_the_waiting_room() -> None:
    world = World.begun()
    world.wait(CHUNK_EVERY + 1)
    for name, wanted in (("p0", [Offer, Join, Genesis, Accept, Start]), ("p1", [Join, Accept])):
        person = world.people[name]
        chunk = parse(world.broker.retained[person.client.channel.topic("log", person.me.key, 0)][64:])
        assert isinstance(chunk, Chunk)
        kinds = [type(parse(envelope[64:])) for envelope in chunk.entries]
        first = [kind for number, kind in enumerate(kinds) if kind is not Offer or number == 0][: len(wanted)]
        assert first == wanted
