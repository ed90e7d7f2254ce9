"""Seats given by the host: a guest knows at once, from the host's own newest message and no other."""

from __future__ import annotations

from wasabi_protocol.signed.codec import parse, signed_message
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import Seated

from wasabi_tx.online.client import events as table_events
from wasabi_tx.online.client.waiting_room import ACCEPT_WAIT

from . import cheats
from .world import World


def _world() -> World:
    world = World(3, welcome_all=False)
    world.until(lambda: len(world.people["p0"].told(table_events.Joined)) == 3, 30)
    return world


def test_everybody_in_the_room_knows_who_has_a_seat_and_who_was_turned_away() -> None:
    world = _world()
    host, ana, bo = (world.people[name] for name in ("p0", "p1", "p2"))
    host.client.admit(host.me.key, world.now)
    host.client.admit(ana.me.key, world.now)
    world.until(lambda: ana.told(table_events.SeatsGiven), 5)
    assert ana.told(table_events.SeatsGiven)[-1].keys == (host.me.key, ana.me.key)
    host.client.turn_away(bo.me.key, world.now)
    world.until(lambda: bo.told(table_events.TurnedAway), 5)
    for guest in (ana, bo):
        assert guest.told(table_events.TurnedAway) == [table_events.TurnedAway(bo.me.key)]
    assert world.broker.retained.keys().isdisjoint(
        {one.topic for one in world.broker.log if b"seated" in one.payload and "/mv/" in one.topic}
    )


def test_nobody_else_says_so_and_nothing_older_counts() -> None:
    world = _world()
    host, ana, bo = (world.people[name] for name in ("p0", "p1", "p2"))
    host.client.admit(ana.me.key, world.now)
    world.until(lambda: ana.told(table_events.SeatsGiven), 5)
    words = [payload for payload in cheats.said_before(world, host, "mv") if payload]
    (first,) = {word for word in words if _is_seated(word) and ana.me.key in word}
    host.client.turn_away(ana.me.key, world.now)
    world.until(lambda: ana.told(table_events.TurnedAway), 5)
    known = len(ana.told(table_events.SeatsGiven))
    cheats.publish(world, host, first)
    forged = Seated(world.table, bo.me.key, 2**32 - 1, (bo.me.key,), (ana.me.key,))
    cheats.publish(world, bo, signed_message(bo.me, forged))
    cheats.publish(world, host, signed_message(bo.me, Seated(world.table, host.me.key, 2**32 - 1, (bo.me.key,), ())))
    world.wait(5)
    assert len(ana.told(table_events.SeatsGiven)) == known
    assert len(ana.told(table_events.TurnedAway)) == 1


def test_a_crowd_of_joins_makes_a_host_say_little() -> None:
    world = _world()
    host = world.people["p0"]
    before = len([word for word in cheats.said_before(world, host, "mv") if _is_seated(word)])
    start = world.now
    for _ in range(20):
        host.client.waiting_room._seats_changed(world.now)
        world.step()
    said = len([word for word in cheats.said_before(world, host, "mv") if _is_seated(word)]) - before
    assert said <= 2 + (world.now - start)


def _is_seated(payload: bytes) -> bool:
    return bool(payload) and isinstance(parse(payload[SIGNATURE_BYTES:]), Seated)


def test_a_guest_who_falls_silent_before_it_accepts_holds_up_nobody() -> None:
    world = World(3, "classic", "silent guest", start=False, least=2, welcome_all=False)
    host, guest, silent = (world.sit(number) for number in range(3))
    world.wait(2)
    world.broker.cut(silent.name)
    for person in (host, guest, silent):
        host.client.admit(person.me.key, world.now)
    since = world.now
    world.until(lambda: host.told(table_events.Dropped), 60)
    assert world.now - since <= ACCEPT_WAIT + 1
    assert host.told(table_events.Dropped) == [table_events.Dropped(silent.me.key)]
    host.client.propose(world.now)
    world.until(lambda: guest.game_or_none is not None, 30)
    assert len(guest.game.founded.joins) == 2
