"""Doings: a seat's doing shows at once, reveals nothing of its hand, and nothing else depends on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from wasabi_protocol.signed.codec import parse, parse_as, signed_message
from wasabi_protocol.signed.messages import Ask, Doing, Head

from wasabi_tx.games import game
from wasabi_tx.games.game import SeatState
from wasabi_tx.net.mqtt import KEEPALIVE

from . import cheats
from .world import Person, World

SILENCE_NOTICED = 5.0
"""Seconds between two looks of Mosquitto at its clients."""


def playing(seats: int = 3, private: bool = False) -> tuple[World, Person, Person]:
    """Return a table, the player to move there, and another player."""
    world = World.begun(seats=seats, bots=False, private=private)
    mover = world.mover()
    return world, mover, next(one for one in world.people.values() if one is not mover)


def state(seen_by: Person, of: Person) -> SeatState:
    place = of.game.seat
    assert place is not None
    return seen_by.told(game.SeatStates)[-1].states[place]


def said(world: World, kind: type[Doing | Ask]) -> list[Doing | Ask]:
    """Return every message of a kind that reached the broker, in order, at an open table, where all are readable."""
    found = []
    for publication in world.broker.log:
        if any(f"/{row}/" in publication.topic for row in ("head", "ask")) and publication.payload:
            message = parse(publication.payload[64:])
            if isinstance(message, kind):
                found.append(message)
    return found


@pytest.mark.parametrize("private", [False, True])
def test_who_has_begun_a_turn_shows_so_until_it_is_sent(private: bool) -> None:
    world, mover, one = playing(private=private)
    mover.client.doing("composing", world.now)
    world.wait(1)
    assert state(one, mover) is SeatState.COMPOSING
    mover.asleep = False
    world.until(lambda: "bundle" not in mover.game.session.owes, 30)
    world.wait(1)
    assert state(one, mover) is SeatState.HERE


def test_who_takes_everything_back_composes_nothing() -> None:
    world, mover, one = playing()
    mover.client.doing("composing", world.now)
    world.wait(3)
    mover.client.doing("", world.now)
    world.wait(1)
    assert state(one, mover) is SeatState.HERE


def test_a_pause_shows_and_those_who_come_later_see_it_too() -> None:
    world, mover, one = playing()
    mover.client.doing("paused", world.now)
    world.wait(1)
    assert state(one, mover) is SeatState.PAUSED
    world.kill(one.name)
    one = world.revive(one.name)
    one.asleep = True
    world.until(lambda: bool(one.told(game.SeatStates)) and state(one, mover) is SeatState.PAUSED, 15)
    mover.client.doing("", world.now)
    world.wait(3)
    assert state(one, mover) is SeatState.HERE


def test_only_the_seat_to_move_composes_a_turn() -> None:
    world, _, one = playing()
    before = said(world, Doing)
    one.client.doing("composing", world.now)
    world.wait(30)
    assert said(world, Doing) == before


def test_a_word_is_no_longer_for_another_turn_and_never_comes_often() -> None:
    """Check that others learn no more of planning and undoing than one message in two seconds."""
    world, mover, _ = playing()
    since = world.now
    while world.now < since + 20:
        mover.client.doing("composing", world.now)
        world.step(0.25)
        mover.client.doing("", world.now)
        world.step(0.25)
    words = said(world, Doing)
    assert 2 <= len(words) <= 11, "the last one is repeated with a heartbeat, if it lasts"
    sizes = {len(signed_message(mover.me, word)) for word in words if word.what == "composing"}  # type: ignore[union-attr]
    assert len(sizes) == 1, "nor does its length say anything"


def test_who_vanishes_is_reconnecting_and_then_away_and_then_back() -> None:
    world, mover, one = playing()
    world.kill(mover.name)
    world.wait(2.5)
    assert state(one, mover) is SeatState.HERE, "it may be heard over another broker"
    world.wait(1.5)
    assert state(one, mover) is SeatState.RECONNECTING
    waited = one.told(game.Overdue)[-1]
    assert (waited.kind, waited.votable) == ("reconnecting", False)
    world.wait(30)
    assert state(one, mover) is SeatState.AWAY
    back = world.revive(mover.name)
    back.asleep = True
    world.wait(2)
    assert state(one, back) is SeatState.HERE


def test_who_is_back_before_anybody_would_miss_them_is_not_shown_as_gone() -> None:
    world, mover, one = playing()
    world.disconnect(mover)
    world.wait(1)
    world.connect(mover)
    before = len(one.told(game.SeatStates))
    world.wait(8)
    assert SeatState.RECONNECTING not in {each for told in one.told(game.SeatStates)[before:] for each in told.states}


@pytest.mark.parametrize("private", [False, True])
def test_a_connection_that_is_lost_to_one_of_several_brokers_is_none_to_the_others(private: bool) -> None:
    """Send the will of one connection while the seat is heard over another: it is asked, and answers with a head."""
    world, mover, one = playing(private=private)
    world.wait(4)
    will = mover.will
    assert will is not None
    world.broker.connect("broker B", will, world.now)
    world.broker.disconnect("broker B", world.now, clean=False)
    before = len(one.told(game.SeatStates))
    world.wait(9)
    assert SeatState.RECONNECTING not in {each for told in one.told(game.SeatStates)[before:] for each in told.states}


@pytest.mark.parametrize("relays", [1, 2])
def test_a_cut_cable_is_told_to_the_others_within_fifteen_seconds(relays: int) -> None:
    """Cut it right after a ping, at brokers that look as rarely as any for who has fallen silent."""
    world, mover, one = playing()
    names = [mover.name, *(f"relay {number}" for number in range(1, relays))]
    for name in names[1:]:
        world.broker.connect(name, mover.will, world.now)
    world.broker.cut(mover.name)
    since = world.now
    world.wait(1.5 * KEEPALIVE + SILENCE_NOTICED)
    for name in names:
        world.broker.disconnect(name, world.now, clean=False)
    world.until(lambda: state(one, mover) is SeatState.RECONNECTING, 30)
    assert world.now - since <= 15


def test_wills_that_anyone_repeats_cost_a_question_in_five_seconds() -> None:
    world, mover, one = playing(seats=2)
    will = mover.will
    assert will is not None
    world.broker.connect("eve", None, world.now)
    before = len(said(world, Ask))
    for _ in range(80):
        world.broker.publish("eve", will, world.now)
        world.step(0.25)
    asks = said(world, Ask)[before:]
    assert len(asks) <= 5
    assert state(one, mover) is SeatState.HERE


def test_a_seat_that_begins_run_after_run_is_asked_no_more_often() -> None:
    world, mover, _ = playing()
    before = len(said(world, Ask))
    for number in range(200):
        run = bytes([number]) * 16
        head = replace(parse_as(Head, mover.game.session.head()[64:]), run=run)
        lost = Doing(world.table, mover.me.key, run, 1, 0, "lost")
        for word in (head, lost):
            cheats.publish(world, mover, signed_message(mover.me, word), "head")
        world.step(0.1)
    assert len(said(world, Ask)) - before <= 2 * 5, "two others, for 20 seconds"


FORGERIES: dict[str, Callable[[Person, Person], bytes]] = {
    "another's key": lambda mover, one: signed_message(one.me, doing_of(mover)),
    "an earlier run": lambda mover, _: signed_message(mover.me, doing_of(mover, run=b"x" * 16)),
    "an earlier slot": lambda mover, _: signed_message(mover.me, doing_of(mover, slot=3)),
}


def doing_of(mover: Person, run: bytes = b"", slot: int = 0, n: int = 98) -> Doing:
    session = mover.game.session
    run, slot = run or session.heads.run, slot or session.place.slot
    return Doing(mover.client.channel.table, mover.me.key, run, n, slot, "composing")


@pytest.mark.parametrize("forgery", list(FORGERIES))
def test_nobody_composes_for_another_and_old_words_count_for_nothing(forgery: str) -> None:
    world, mover, one = playing()
    cheats.publish(world, mover, FORGERIES[forgery](mover, one), "head")
    world.wait(1)
    assert state(one, mover) is SeatState.HERE
    cheats.publish(world, mover, signed_message(mover.me, doing_of(mover, n=99)), "head")
    world.wait(1)
    assert state(one, mover) is SeatState.COMPOSING, "the same would have counted in its own words"


def test_no_word_is_in_the_log_or_moves_a_vote() -> None:
    """Check that a paused, composing or lost seat may be voted on when a silent one may."""
    when = []
    for what in ("", "paused", "composing"):
        world, mover, one = playing()
        mover.client.doing(what, world.now)
        world.wait(3)
        slots = one.game.session.log.head.number
        world.kill(mover.name)
        since = world.now
        world.until(lambda one=one: any(event.votable for event in one.told(game.Overdue)), 200)  # type: ignore[misc]
        when.append(world.now - since)
        assert one.game.session.log.head.number == slots
    assert max(when) - min(when) <= 10, "a heartbeat may fall before or after"


def test_a_watcher_has_no_will() -> None:
    world = World(2, "classic", "unnoticed", bots=False, watchers=1)
    assert world.people["w0"].client.will is None
