"""Goodbyes: a client that closes a table says so, and the others see it at once; nothing else depends on it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from wasabi_protocol.game.doings import GONE
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.messages import Doing, Off

from wasabi_tx.games import game
from wasabi_tx.online.client import events as table_events

from . import cheats
from .world import Person, World


def close(world: World, person: Person) -> None:
    """Close a person's table, as the program does."""
    person.client.close()
    for publication in person.client.take_outgoing():
        world.broker.publish(person.name, publication, world.now)
    world.kill(person.name)


def another(world: World, person: Person) -> Person:
    return next(one for one in world.people.values() if one is not person)


# In the waiting room


@pytest.mark.parametrize("private", [False, True])
def test_a_request_that_is_withdrawn_vanishes(private: bool) -> None:
    world = World(3, "classic", "withdrawn", start=False, private=private, welcome_all=False)
    host, guest = world.sit(0), world.sit(1)
    world.wait(2)
    host.client.admit(guest.me.key, world.now)
    assert guest.me.key in host.client.waiting_room.admitted
    close(world, guest)
    world.wait(1)
    assert host.told(table_events.Withdrawn) == [table_events.Withdrawn(guest.me.key)]
    assert guest.me.key not in host.client.waiting_room.admitted


def test_whoever_comes_back_asks_anew_and_can_sit() -> None:
    world = World(2, "classic", "back again", start=False, welcome_all=False)
    host, guest = world.sit(0), world.sit(1)
    world.wait(2)
    close(world, guest)
    world.wait(2)
    guest = world.revive(guest.name)
    world.wait(3)
    keys = [event.key for event in host.told(table_events.Joined)]
    assert keys.count(guest.me.key) == 2
    for person in (host, guest):
        host.client.admit(person.me.key, world.now)
    world.until(lambda: all(person.game_or_none is not None for person in world.people.values()), 60)


def test_where_everybody_is_welcome_a_guest_who_comes_back_has_a_seat_again() -> None:
    world = World(3, "classic", "welcome again", start=False)
    host, guest = world.sit(0), world.sit(1)
    world.wait(2)
    close(world, guest)
    world.wait(2)
    assert guest.me.key not in host.client.waiting_room.admitted
    world.revive(guest.name)
    world.wait(3)
    assert guest.me.key in host.client.waiting_room.admitted


def test_guests_hear_that_the_host_has_closed_the_room() -> None:
    world = World(3, "classic", "host closes", start=False)
    host, guest = world.sit(0), world.sit(1)
    world.wait(2)
    close(world, host)
    world.wait(1)
    assert guest.told(table_events.Withdrawn) == [table_events.Withdrawn(host.me.key)]


def test_nobody_can_withdraw_for_another() -> None:
    world = World(3, "classic", "forged goodbye", start=False)
    host, guest = world.sit(0), world.sit(1)
    world.wait(2)
    for author in (host, guest):
        goodbye = signed_message(host.me, Doing(world.table, author.me.key, guest.client.run, 99, 0, GONE))
        cheats.publish(world, guest, goodbye, "head")
        cheats.publish(world, host, goodbye, "head")
    world.wait(1)
    assert not host.told(table_events.Withdrawn)
    assert guest.me.key in host.client.waiting_room.admitted


def test_an_off_of_the_lobby_unseats_nobody() -> None:
    """Send it to a table: it is signed, and anyone who heard it in the lobby can do that."""
    world = World(3, "classic", "off from the lobby", start=False)
    host, guest = world.sit(0), world.sit(1)
    world.wait(2)
    for nonce in (bytes(16), guest.client.run):
        cheats.publish(world, guest, signed_message(guest.me, Off(guest.me.key, nonce)), "head")
    world.wait(1)
    assert not host.told(table_events.Withdrawn)
    assert guest.me.key in host.client.waiting_room.admitted


@pytest.mark.parametrize("private", [False, True])
def test_old_words_of_a_guest_neither_unseat_nor_seat_it(private: bool) -> None:
    """Repeat everything that a guest has said, while it is here and while it is not."""
    world = World(3, "classic", "again and again", start=False, private=private)
    host, guest = world.sit(0), world.sit(1)
    world.wait(5)
    world.broker.connect("stranger", None, world.now)

    def repeat() -> None:
        said = [one for one in world.broker.log if f"/{host.client.channel.author(guest.me.key)}" in one.topic]
        assert {one.topic.split("/")[4] for one in said} >= {"mv", "head"}
        for publication in said:
            world.broker.publish("stranger", replace(publication, retain=False), world.now)
        world.wait(3)

    for _ in range(3):
        close(world, guest)
        world.wait(3)
        assert guest.me.key not in host.client.waiting_room.admitted
        repeat()
        assert guest.me.key not in host.client.waiting_room.admitted
        guest = world.revive(guest.name)
        world.wait(5)
        assert guest.me.key in host.client.waiting_room.admitted
        told = len(host.told(table_events.Withdrawn))
        repeat()
        assert guest.me.key in host.client.waiting_room.admitted
        assert len(host.told(table_events.Withdrawn)) == told


# In the game


@pytest.mark.parametrize("private", [False, True])
def test_a_seat_that_closes_shows_at_once_and_until_it_is_back(private: bool) -> None:
    world = World.begun(seats=3, bots=False, private=private)
    gone = world.mover()
    place, one = gone.game.seat, another(world, gone)
    assert place is not None
    close(world, gone)
    world.wait(1)
    assert one.told(game.SeatStates)[-1].states[place] is game.SeatState.CLOSED
    waited = one.told(game.Overdue)[-1]
    assert (waited.seat, waited.kind, waited.votable) == (place, "closed", False)
    world.revive(gone.name).asleep = True
    world.wait(5)
    assert one.told(game.SeatStates)[-1].states[place] is game.SeatState.HERE


@pytest.mark.parametrize("host_closes", [True, False])
def test_who_loses_the_broker_of_a_host_who_closed_the_table_hears_why(host_closes: bool) -> None:
    world = World.begun(seats=3, bots=False)
    host = next(one for one in world.people.values() if one.client.hosting is not None)
    others = [one for one in world.people.values() if one is not host]
    gone, one = (host, others[0]) if host_closes else (others[1], others[0])
    close(world, gone)
    world.wait(1)
    world.disconnect(one)
    one.client.lost("unreachable", world.now)
    one.client.lost("password", world.now)
    place = host.game.seat if host_closes else None
    links = [event for event in one.client.take_events() if isinstance(event, game.Link)]
    assert [link.closed_by for link in links] == [place, place, None]


def test_a_goodbye_changes_nothing_about_votes() -> None:
    """Check that a seat that said goodbye may be voted on when a silent one may, and not before."""
    closed, silent = (World(3, "classic", "same patience", bots=False) for _ in range(2))
    when = []
    for world in (closed, silent):
        world.in_play()
        gone = world.mover()
        one = another(world, gone)
        close(world, gone) if world is closed else world.kill(gone.name)
        since = world.now
        world.until(lambda one=one: any(event.votable for event in one.told(game.Overdue)), 200)  # type: ignore[misc]
        when.append(world.now - since)
    assert abs(when[0] - when[1]) <= 1


def test_an_old_goodbye_closes_nobody_who_is_here() -> None:
    world = World.begun(bots=False)
    gone = world.mover()
    place, one = gone.game.seat, another(world, gone)
    assert place is not None
    run = gone.game.session.heads.run
    goodbye = signed_message(gone.me, Doing(world.table, gone.me.key, run, 99, 0, GONE))
    close(world, gone)
    world.wait(1)
    back = world.revive(gone.name)
    back.asleep = True
    world.wait(12)
    assert one.told(game.SeatStates)[-1].states[place].online
    cheats.publish(world, back, goodbye, "head")
    world.wait(1)
    assert one.told(game.SeatStates)[-1].states[place].online


def test_a_watcher_says_no_goodbye() -> None:
    world = World.begun(bots=False, watchers=1)
    watcher = world.people["w0"]
    watcher.client.close()
    assert not watcher.client.take_outgoing()
