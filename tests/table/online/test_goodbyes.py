"""Goodbyes: who closes a table says so, and the others see it at once; nothing else depends on it."""

from __future__ import annotations

import pytest
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.messages import Off

from wasabi_tx.table import game
from wasabi_tx.table.online.client import events as table_events

from . import cheats
from .world import Person, World


def close(world: World, person: Person) -> None:
    """Somebody closes the table, as the program does."""
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
    goodbye = signed_message(host.me, Off(host.me.key, bytes(16)))
    cheats.publish(world, guest, goodbye, "head")
    world.wait(1)
    assert not host.told(table_events.Withdrawn)
    assert guest.me.key in host.client.waiting_room.admitted


# In the game


@pytest.mark.parametrize("private", [False, True])
def test_a_seat_that_closes_shows_at_once_and_until_it_is_back(private: bool) -> None:
    world = World(3, "classic", "closed for now", bots=False, private=private)
    world.in_play()
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
    world = World(3, "classic", "the broker goes with its host", bots=False)
    world.in_play()
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
    """A seat that said goodbye may be voted about when one that is just silent may, and not before."""
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
    world = World(2, "classic", "replayed goodbye", bots=False)
    world.in_play()
    gone = world.mover()
    place, one = gone.game.seat, another(world, gone)
    assert place is not None
    goodbye = signed_message(gone.me, Off(gone.me.key, gone.game.session.heads.run))
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
    world = World(2, "classic", "a watcher goes", bots=False, watchers=1)
    world.in_play()
    watcher = world.people["w0"]
    watcher.client.close()
    assert not watcher.client.take_outgoing()
