"""A guest whose host never answers is told so within ten seconds, with the reason."""

from __future__ import annotations

import pytest

from tests.net.memory import MemoryBroker
from wasabi_tx.net.transport import Publication
from wasabi_tx.online.client import events as table_events
from wasabi_tx.text import Texts
from wasabi_tx.view.online.waiting_room import WaitingRoomView

from .world import Person, World

SOON = 10.0
"""Seconds within which a guest is told."""


def _why(person: Person) -> list[str]:
    return [event.why for event in person.told(table_events.NoAnswer)]


def _open_table(private: bool) -> World:
    world = World(2, start=False, private=private, welcome_all=False)
    world.sit(0)
    world.wait(2)
    return world


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("watches", [False, True])
def test_where_nobody_knows_the_table_a_guest_is_told(private: bool, watches: bool) -> None:
    world = World(2, start=False, private=private)
    guest = world.watch() if watches else world.sit(1)
    world.wait(SOON)
    assert _why(guest) == ["no-table"]
    world.wait(120)
    assert _why(guest) == ["no-table"]


@pytest.mark.parametrize("private", [False, True])
def test_at_a_table_whose_host_was_killed_a_guest_is_told_and_sits_when_it_is_back(private: bool) -> None:
    world = _open_table(private)
    world.kill("p0")
    guest = world.sit(1)
    world.wait(SOON)
    assert _why(guest) == ["host-away"]
    host = world.revive("p0")
    world.until(lambda: len(host.told(table_events.Joined)) == 2, 60)
    world.until(lambda: guest.told(table_events.SeatsGiven), 60)


def test_whoever_waits_with_a_seat_is_told_when_the_host_falls_silent() -> None:
    world = _open_table(private=True)
    guest = world.sit(1)
    world.until(lambda: len(world.people["p0"].told(table_events.Joined)) == 2, 30)
    world.people["p0"].client.admit(guest.me.key, world.now)
    world.until(lambda: guest.told(table_events.SeatsGiven), 30)
    world.wait(200)
    assert not _why(guest)
    world.kill("p0")
    world.wait(100)
    assert _why(guest) == ["host-away"]


def test_a_broker_that_does_not_pass_on_what_a_guest_says_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    world = _open_table(private=False)
    passed = MemoryBroker.publish

    def publish(broker: MemoryBroker, client: str, publication: Publication, now: float) -> None:
        if client != "p1":
            passed(broker, client, publication, now)

    monkeypatch.setattr(MemoryBroker, "publish", publish)
    guest = world.sit(1)
    world.wait(SOON)
    assert _why(guest) == ["not-carried"]


def test_whoever_comes_back_to_a_room_is_not_told_at_once_that_its_host_is_away() -> None:
    world = _open_table(private=False)
    world.sit(1)
    world.until(lambda: len(world.people["p0"].told(table_events.Joined)) == 2, 30)
    world.kill("p0")
    world.kill("p1")
    guest = world.revive("p1")
    world.wait(SOON)
    assert not _why(guest)
    world.wait(90)
    assert _why(guest) == ["host-away"]


def test_a_host_who_answers_late_takes_the_sentence_away() -> None:
    world = _open_table(private=False)
    host = world.people["p0"]
    world.disconnect(host)
    guest = world.sit(1)
    world.wait(SOON)
    view = WaitingRoomView(guest.me.key, Texts("en"), str)
    for event in guest.events:
        view.handle(event)
    guest.events.clear()
    assert "no answer" in view.unanswered
    assert view.waits.endswith("does not answer now.")
    world.connect(host)
    world.until(lambda: guest.told(table_events.SeatsGiven), 60)
    for event in guest.events:
        view.handle(event)
    assert not view.unanswered
    assert view.waits == "Waiting for p0 to let you in."


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("why", ["no-table", "not-carried", "host-away"])
def test_every_reason_has_a_sentence(language: str, why: str) -> None:
    view = WaitingRoomView(b"", Texts(language), str)
    line = view.handle(table_events.NoAnswer(why))
    assert line
    assert line == view.unanswered == view.said[-1]
