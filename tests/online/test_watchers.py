"""Watchers see the whole game, however late they join and however little arrives; at a private table only they do."""

from __future__ import annotations

from random import Random

import pytest
from wasabi_protocol.sealed.group import signature_holds
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.identity import base32
from wasabi_protocol.signed.messages import MAX_HELD, Ask, Say
from wasabi_protocol.table.channel import Channel
from wasabi_protocol.table.private import PrivateTable, read_key
from wasabi_protocol.verdicts import Refused

from wasabi_tx.games import game
from wasabi_tx.net.transport import Publication
from wasabi_tx.online.carry.outgoing import CACHE_EVERY, CHUNK_EVERY

from .world import Person, World


def _half_way(world: World, slots: int = 14) -> None:
    world.until(lambda: all(p.game_or_none is not None for p in world.people.values()), 60)
    world.until(lambda: world.people["p0"].game.session.log.head.number >= slots, 600)


def _read_only(world: World, name: str) -> list[Publication]:
    """Stop carrying anything that this client publishes, as for the broker's watching user."""
    publish, refused = world.broker.publish, []

    def without(client: str, publication: Publication, now: float) -> None:
        if client == name:
            refused.append(publication)
        else:
            publish(client, publication, now)

    world.broker.publish = without  # type: ignore[method-assign]
    return refused


def _same(world: World, watcher: Person) -> bool:
    playing = watcher.game_or_none
    if playing is None:
        return False
    mine, theirs = playing.session.log, world.people["p0"].game.session.log
    return mine.head.number == theirs.head.number and mine.head.link == theirs.head.link


@pytest.mark.grid
@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("retained", ["all", "part", "none"])
def test_a_late_watcher_catches_up(private: bool, retained: str) -> None:
    world = World(2, "classic", "late", private=private)
    _half_way(world)
    world.wait(3)
    for person in world.people.values():
        person.asleep = True
    if retained != "all":
        rng = Random(retained)
        for topic in list(world.broker.retained):
            if retained == "none" or rng.random() < 0.5:
                del world.broker.retained[topic]
    watcher = world.watch()
    world.until(lambda: _same(world, watcher), 60)
    assert watcher.game.observation().seat is None
    assert not watcher.game.observation().faces
    for person in world.people.values():
        person.asleep = False
    slots = watcher.game.session.log.head.number
    world.until(lambda: watcher.game.session.log.head.number > slots + 4, 60)
    assert watcher.told(game.Played)


@pytest.mark.parametrize("private", [False, True])
def test_one_who_may_not_even_ask_sees_all_that_is_retained(private: bool) -> None:
    world = World(2, "classic", "mute", private=private)
    _half_way(world)
    refused = _read_only(world, "w0")
    watcher = world.watch()
    world.run(200)
    world.until(lambda: _same(world, watcher), 60)
    assert watcher.game.session.state.outcome is not None
    assert refused, "it asked in vain"


@pytest.mark.long
def test_a_long_game_whose_players_are_gone_is_seen_to_its_end() -> None:
    world = World(3, "classic", "c")
    for person in world.people.values():
        person.level = "random"
    world.run()
    world.finished()
    slots = world.agree()
    assert any(len(person.game.own) > MAX_HELD for person in world.people.values()), "one chunk each holds it all"
    for name, person in list(world.people.items()):
        person.client.close()
        world._settle(person)
        world.kill(name)
    watcher = world.watch()
    world.until(lambda: watcher.client.done, 60)
    assert watcher.game.session.log.head.number == slots
    assert watcher.game.session.state.outcome is not None


def test_what_the_seats_wrote_is_heard_once_to_be_known() -> None:
    world = World(3, "classic", "once")
    _half_way(world)
    world.wait(3)
    for person in world.people.values():
        person.asleep = True
    world.wait(CHUNK_EVERY + 1)
    watcher = world.watch()
    # It gets only what its subscriptions find, in the waiting room and then in the game: no time passes.
    for _ in range(2):
        for arrived in [arrived for name, arrived in world.broker.due(world.now) if name == "w0"]:
            watcher.client.receive(arrived.topic, arrived.payload, arrived.retained, world.now)
        world._settle(watcher)
    assert _same(world, watcher)


def test_one_who_may_not_ask_waits_until_the_cache_is_renewed() -> None:
    world = World(2, "classic", "renewed")
    _half_way(world)
    for person in world.people.values():
        person.asleep = True
    world.wait(4)
    world.broker.forget_retained()
    _read_only(world, "w0")
    watcher = world.watch()
    world.wait(30)
    assert watcher.game_or_none is None
    world.until(lambda: _same(world, watcher), CACHE_EVERY)


def test_watchers_are_counted_while_they_look_on() -> None:
    world = World(2, "classic", "count", watchers=2)
    _half_way(world)
    for person in world.people.values():
        person.asleep = True
    world.wait(130)
    host = world.people["p0"]
    assert host.told(game.Watchers)[-1].count == 2
    world.disconnect(world.people["w1"])
    world.wait(130)
    assert host.told(game.Watchers)[-1].count == 1


def test_a_watcher_publishes_nothing_but_asks() -> None:
    world = World(2, "classic", "quiet", watchers=1)
    world.run()
    watcher = world.people["w0"]
    mine = [parse(p.payload[64:]) for p in world.broker.log if watcher.client.channel.author(watcher.me.key) in p.topic]
    assert mine
    assert all(isinstance(message, Ask | Say) for message in mine)


def test_the_signature_of_a_move_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World.begun(watchers=1)
    mover, watcher = world.mover(), world.people["w0"]
    slots = watcher.game.session.log.head.number
    mover.asleep = False
    world.move(mover)
    move = next(said for said in reversed(world.broker.log) if "/mv/" in said.topic)
    checked: list[bytes] = []

    def noted(key: bytes, signature: bytes, text: bytes) -> bool:
        checked.append(signature)
        return signature_holds(key, signature, text)

    monkeypatch.setattr("wasabi_protocol.signed.envelope.signature_holds", noted)
    watcher.client.receive(move.topic, move.payload, False, world.now)
    assert watcher.game.session.log.head.number > slots
    assert checked.count(move.payload[:64]) == 1


# Visibility of a private table to the broker and to everybody on it


@pytest.mark.long
def test_nothing_of_a_private_table_is_on_the_wire_but_sealed_bytes() -> None:
    world = World(3, "classic", "secret", private=True, watchers=1)
    world.until(lambda: all(p.game_or_none is not None for p in world.people.values()), 60)
    world.people["p1"].client.send_talk("the sushi is a lie", 1_700_000_000)
    world._settle(world.people["p1"])
    world.run()
    world.finished()
    for person in world.people.values():
        person.client.close()
        world._settle(person)
    assert world.private is not None
    faces = [recipe.id.encode() for recipe in world.find("classic", 3).edition.recipes]
    steps = [b"place ", b"claim ", b"draw ", b"pass "]
    secrets = [
        world.play_key,
        read_key(world.play_key),
        b"sushi",
        b"p1",
        b"bundle",
        b"genesis",
        b"wsb1",
        *faces,
        *steps,
    ]
    for person in world.people.values():
        secrets += [person.me.key, base32(person.me.key).encode()]
        if person.disk.seat is not None:
            secrets += [person.disk.seat.nonce, person.disk.seat.secret]
    keys = {base32(person.me.key) for person in world.people.values()}
    outsider = PrivateTable(read_key(bytes(32)))
    for publication in world.broker.log:
        assert publication.topic.startswith(f"wsb1/main/t/{world.table}/"), "no lobby, no presence"
        assert not any(key[:26] in publication.topic for key in keys)
        assert not any(word in publication.payload for word in secrets if len(word) > 4), publication.topic
        with pytest.raises(Refused):
            outsider.open(publication.payload)
    assert len({publication.payload[:24] for publication in world.broker.log}) == len(world.broker.log), "fresh nonces"


def test_with_the_read_key_alone_one_watches_but_gets_no_seat() -> None:
    world = World(3, "classic", "reader", private=True, start=False)
    world.sit(0)
    world.sit(1)
    world.wait(2)
    invited, world.invited = world.invited, b""
    stranger = world.sit(2)
    world.invited = invited
    world.wait(20)
    host = world.people["p0"].client.waiting_room
    assert stranger.me.key not in host.admitted
    assert host.room is not None
    assert stranger.me.key not in host.room.joins
    assert host.started is None


def test_a_stranger_to_a_private_table_reads_and_says_nothing_there() -> None:
    world = World(2, "classic", "outside", private=True)
    world.wait(1)
    stranger = Channel("main", world.table, PrivateTable(read_key(bytes(32))))
    for publication in world.broker.log:
        with pytest.raises(Refused):
            stranger.read(publication.topic, publication.payload)
    me = world.people["p0"].me.key
    topic = world.people["p0"].client.channel.topic("mv", me)
    before = world.people["p1"].client.waiting_room.items()
    for publication in list(world.broker.log):
        world.people["p1"].client.receive(topic, stranger.payload(publication.payload[:500]), False, world.now)
    assert world.people["p1"].client.waiting_room.items() == before
