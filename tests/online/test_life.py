"""From the offer to the start: joins, proposals, silence, restarts, and a host that contradicts itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from wasabi_protocol.signed.codec import parse, signed_message
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.signed.messages import Genesis, Join, Offer, Start
from wasabi_protocol.table.topics import Topic

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.net.transport import Publication
from wasabi_tx.online.client import events as table_events
from wasabi_tx.online.client.waiting_room import ACCEPT_WAIT, MOST_DROPS

from . import cheats
from .small import small_rules
from .world import Person, World, secret


def _begun(world: World, *names: str) -> bool:
    return all(world.people[name].game_or_none is not None for name in names or world.people)


def _refuse(guest: Person) -> Callable[[float], None]:
    """Stop a guest from accepting anything; return the function that accepts."""
    accept = guest.client.waiting_room._accept
    guest.client.waiting_room._accept = lambda *_: None  # type: ignore[method-assign]
    return accept


def test_a_join_said_twice_is_one_join() -> None:
    world = World(3, "classic", "twice", start=False)
    host, guest = world.sit(0), world.sit(1)
    world.wait(2)
    seat = guest.disk.seat
    assert seat is not None
    (join,) = [envelope for _, envelope in seat.said if isinstance(parse(envelope[64:]), Join)]
    for _ in range(3):
        cheats.publish(world, guest, join)
    world.wait(40)
    assert [event.key for event in host.told(table_events.Joined)].count(guest.me.key) == 1
    assert len(host.client.waiting_room.admitted) == 2


def test_the_host_restarts_in_the_waiting_room_and_says_the_same_again() -> None:
    world = World(3, "classic", "host restarts", start=False)
    world.sit(0)
    world.sit(1)
    world.wait(2)
    said = world.people["p0"].disk.seat
    world.kill("p0")
    world.wait(2)
    host = world.revive("p0")
    assert host.disk.seat is not None
    assert said is not None
    assert host.disk.seat.said[: len(said.said)] == said.said
    world.sit(2)
    world.until(lambda: _begun(world), 60)


def test_a_table_that_was_listed_stays_listed_after_a_restart_of_its_host() -> None:
    world = World(2, "classic", "listed", start=False)
    world.sit(0)
    world.wait(100)
    lobby = [p for p in world.broker.log if "/lobby/" in p.topic]
    last = parse(lobby[-1].payload[64:])
    world.kill("p0")
    world.revive("p0")
    world.wait(1)
    first = parse([p for p in world.broker.log if "/lobby/" in p.topic][len(lobby)].payload[64:])
    assert first.n > last.n  # type: ignore[attr-defined]


@pytest.mark.parametrize("when", ["joined", "accepted"])
def test_a_guest_restarts_before_and_after_it_accepted(when: str) -> None:
    world = World(3, "classic", f"guest {when}", start=False)
    world.sit(0)
    guest = world.sit(1)
    world.wait(2)
    if when == "accepted":
        third = world.sit(2)
        world.until(lambda: guest.told(table_events.Proposed), 20)
        world.kill("p1")
        assert third.client is not None
    else:
        world.kill("p1")
        world.sit(2)
    world.wait(3)
    world.revive("p1")
    world.until(lambda: _begun(world), 120)
    assert len({person.game.founded.gid for person in world.people.values()}) == 1


def test_a_silent_guest_is_dropped_and_the_others_play() -> None:
    world = World(3, "classic", "silent", least=2, start=False)
    host = world.sit(0)
    world.sit(1)
    silent = world.sit(2)
    _refuse(silent)
    world.until(lambda: _begun(world, "p0", "p1"), 2 * ACCEPT_WAIT)
    assert [event.key for event in host.told(table_events.Dropped)] == [silent.me.key]
    assert len(host.game.founded.keys) == 2
    world.wait(30)
    assert [event.code for event in silent.told(table_events.CannotPlay)] == ["not-seated"]


def test_a_dropped_guest_that_comes_back_is_seated_but_not_for_ever() -> None:
    world = World(2, "classic", "drops", start=False)
    host = world.sit(0)
    guest = world.sit(1)
    accept = _refuse(guest)
    world.wait(ACCEPT_WAIT * (MOST_DROPS + 3) * 3)
    assert len(host.told(table_events.Dropped)) == MOST_DROPS
    assert host.client.waiting_room.room is not None
    assert len(host.client.waiting_room.room.games) <= MOST_DROPS + 1, "attempts are not without number"
    guest.client.waiting_room._accept = accept  # type: ignore[method-assign,assignment]
    host.client.waiting_room.admit(guest.me.key, world.now)
    world._settle(host)
    world.until(lambda: _begun(world), 60)


def test_an_accept_of_an_earlier_attempt_starts_nothing() -> None:
    world = World(3, "classic", "late accept", least=2, start=False, welcome_all=False)
    host, one, two = world.sit(0), world.sit(1), world.sit(2)
    world.until(lambda: len(host.told(table_events.Joined)) == 3, 20)
    waiting_room = host.client.waiting_room
    held: list[bytes] = []
    for guest in (one, two):
        _refuse(guest)
    for person in (host, one, two):
        waiting_room.admit(person.me.key, world.now)
    world._settle(host)
    world.wait(1)
    assert one.client.waiting_room.room is not None
    held.append(one.client.waiting_room.room.accept())
    world.wait(ACCEPT_WAIT + 1)
    assert len(host.told(table_events.Dropped)) == 2
    for person in (one, two):
        waiting_room.admit(person.me.key, world.now)
    world._settle(host)
    world.wait(1)
    cheats.publish(world, one, held[0])
    world.wait(2)
    assert waiting_room.started is None


def test_a_host_that_starts_one_game_and_proposes_another_voids_its_table() -> None:
    world = World(2, "classic", "two words", start=False)
    host, guest = world.sit(0), world.sit(1)
    world.until(lambda: guest.told(table_events.Proposed), 20)
    world.until(lambda: host.client.waiting_room.started is not None, 20)
    seat = host.disk.seat
    assert seat is not None
    said = [parse(envelope[64:]) for _, envelope in seat.said]
    genesis = next(message for message in said if isinstance(message, Genesis))
    start = next(envelope for _, envelope in seat.said if isinstance(parse(envelope[64:]), Start))
    fresh = World(2, "classic", "two words", start=False)
    watcher = fresh.sit(1)
    for _, envelope in seat.said:
        if envelope != start:
            cheats.give(fresh, watcher, host, envelope)
    other = signed_message(host.me, replace(genesis, attempt=2))
    cheats.give(fresh, watcher, host, other)
    cheats.give(fresh, watcher, host, start)
    assert watcher.told(table_events.HostBroken)
    assert watcher.game_or_none is None
    fresh.wait(5)
    assert watcher.game_or_none is None


def test_an_edition_that_differs_is_not_played() -> None:
    world = World(2, "classic", "differs", start=False)
    world.sit(0)
    world.find = rules_for
    guest = world.sit(1)
    world.wait(70)
    assert [event.code for event in guest.told(table_events.CannotPlay)] == ["edition-differs"]
    assert guest.disk.seat is not None
    assert not guest.disk.seat.said, "and it says nothing"
    world.find = small_rules


def test_a_lost_start_is_said_again() -> None:
    world = World(2, "classic", "lost start", start=False)
    world.sit(0)
    guest = world.sit(1)
    world.until(lambda: guest.told(table_events.Proposed), 20)
    if guest.game_or_none is None:
        receive = guest.client.receive
        guest.client.receive = lambda *_: None  # type: ignore[method-assign]
        world.until(lambda: world.people["p0"].game_or_none is not None, 40)
        world.wait(1)
        guest.client.receive = receive  # type: ignore[method-assign]
    world.until(lambda: _begun(world), 60)


def test_who_joins_a_full_table_is_told_that_it_has_no_seat() -> None:
    world = World(2, "classic", "full table")
    world.until(lambda: _begun(world), 30)
    late = world.sit(5)
    world.until(lambda: late.told(table_events.CannotPlay), 60)
    world.wait(60)
    assert len(late.told(table_events.CannotPlay)) == 1


def test_an_entry_is_on_disk_and_on_its_way_before_we_work_out_what_follows() -> None:
    world = World(2, "classic", "hurry")
    world.until(lambda: _begun(world), 60)
    noted: list[str] = []
    for person in world.people.values():
        append, wrote = person.disk.append, person.game.session.wrote
        for place, name, real in ((person.disk, "disk", append), (person.game.session, "wrote", wrote)):
            attribute = "append" if name == "disk" else name

            def note(*args: Any, name: str = name, real: Callable[..., Any] = real) -> object:
                noted.append(name)
                return real(*args)

            setattr(place, attribute, note)
        outgoing = person.client.outgoing
        outgoing.hurry = lambda outgoing=outgoing: noted.append("sent" if outgoing.publications else "nothing")  # type: ignore[misc]
    world.until(lambda: noted.count("wrote") >= 6, 60)
    own = [noted[at - 2 : at + 1] for at, name in enumerate(noted) if name == "wrote"]
    assert all(each == ["disk", "sent", "wrote"] for each in own)


def test_before_the_start_nobody_checks_the_entries_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a late watcher read the whole log to find the genesis in it."""
    world = World(2, "classic", "entries")
    world.until(lambda: _begun(world), 60)
    world.until(lambda: world.people["p0"].game.session.log.head.number >= 8, 600)
    host, watcher = world.people["p0"], world.watch()
    looked: list[bytes] = []
    take = watcher.client.waiting_room._take

    def note(key: bytes, envelope: bytes, now: float) -> None:
        looked.append(envelope)
        take(key, envelope, now)

    monkeypatch.setattr(watcher.client.waiting_room, "_take", note)
    world.until(lambda: watcher.game_or_none is not None, 60)
    assert looked
    assert not set(looked) & {envelope for _, envelope in host.game.session.items()}


def _offers(world: World) -> list[Offer]:
    found = (parse(sent.payload[64:]) for sent in world.broker.log if "/lobby/" in sent.topic and sent.payload)
    return [message for message in found if isinstance(message, Offer)]


def _look(world: World, number: int) -> None:
    """Enter the lobby, as a stranger does."""
    name = f"looker {number}"
    world.broker.connect(name, None, world.now)
    who = Topic("main", "who", key_text(Identity(secret(name)).key))
    world.broker.publish(name, Publication(str(who), b"a birth", 1, True), world.now)


@pytest.mark.parametrize("begun", [False, True])
def test_whoever_enters_the_lobby_sees_at_once_that_a_table_is_alive(begun: bool) -> None:
    world = World(2, "classic", "seen", start=begun)
    if begun:
        world.until(lambda: _begun(world), 60)
    else:
        world.sit(0)
    world.wait(12)
    before = len(_offers(world))
    _look(world, 0)
    world.wait(1)
    (fresh,) = _offers(world)[before:]
    assert fresh.begun == begun
    for number in range(50):
        _look(world, number)
        world.wait(0.25)
    assert len(_offers(world)) <= before + 4, "a crowd in the lobby costs a host an offer in five seconds"


def test_a_connection_lets_a_visit_of_the_lobby_through_and_no_flood_of_them() -> None:
    host = World(2, "classic", "visits", start=False).sit(0)
    screen = host.client.screen()
    passed = [screen(str(Topic("main", "who", key_text(host.me.key))), b"a birth") for _ in range(1_000)]
    assert passed[0]
    assert sum(passed) <= 3


def test_a_private_table_hears_nothing_of_the_lobby() -> None:
    world = World(2, "classic", "hidden", start=False, private=True)
    assert not any("/who/" in pattern for pattern in world.sit(0).filters)
    open_world = World(2, "classic", "heard", start=False)
    assert any("/who/" in pattern for pattern in open_world.sit(0).filters)
    assert not any("/who/" in pattern for pattern in open_world.sit(1).filters)
