"""Lost messages, since delivery is not guaranteed: noticed within seconds, by echoes and heads."""

from __future__ import annotations

import pytest

from tests.net.memory import Faults

from .world import Person, World

NOTICED = 4.0
"""Seconds after which a lost message has been noticed and fetched."""


def row(author: Person) -> str:
    """Return the end of the topic of a player's moves."""
    return f"/mv/{author.client.channel.author(author.me.key)}"


def lose_one(world: World, victim: Person, author: Person) -> None:
    """Lose the author's next move on the way to the victim; return when the victim knows what the author knew then."""
    receive, reached = victim.client.receive, list[int]()

    def without_one(topic: str, payload: bytes, retained: bool, now: float) -> None:
        if not reached and topic.endswith(row(author)):
            reached.append(author.game.session.log.head.number)
        else:
            receive(topic, payload, retained, now)

    victim.client.receive = without_one  # type: ignore[method-assign]
    world.until(lambda: reached, 60)
    world.until(lambda: victim.game.session.log.head.number >= reached[0], NOTICED)
    victim.client.receive = receive  # type: ignore[method-assign]


@pytest.mark.grid
@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_move_that_never_arrived_is_known_within_seconds(seats: int, private: bool) -> None:
    world = World.begun(seats=seats, private=private, watchers=1)
    for name in ("p1", "w0"):
        for _ in range(8):
            lose_one(world, world.people[name], world.people["p0"])
    world.run()
    world.finished()


def test_a_move_that_reached_nobody_is_said_again_within_seconds() -> None:
    world = World.begun(seats=3)
    mover = world.mover()
    world.broker.faults = Faults(drop=1.0)
    mover.asleep = False
    world.move(mover)
    mover.asleep = True
    world.broker.faults = Faults()
    slot = mover.game.session.log.head.number
    assert len(world.heads()) == 2, "nobody else knows it yet"
    world.until(lambda: all(p.game.session.log.head.number >= slot for p in world.people.values()), NOTICED)
    world.wake()
    world.run()
    world.finished()


def test_a_seat_that_has_caught_up_reads_no_retained_logs_and_does_again_when_it_comes_back() -> None:
    world = World.begun(watchers=1)
    for person in world.people.values():
        person.asleep = True
    world.wait(30)
    seat, watcher = world.people["p1"], world.people["w0"]
    assert not any("/log/" in pattern for pattern in seat.filters)
    assert any("/log/" in pattern for pattern in watcher.filters)
    world.disconnect(seat)
    world.wait(1)
    world.connect(seat)
    assert any("/log/" in pattern for pattern in seat.filters)
    world.wake()
    world.run()
    world.finished()


def test_a_seat_that_is_left_behind_finds_the_move_of_one_who_is_gone() -> None:
    world = World.begun()
    world.wait(30)
    mover = world.mover()
    world.wait(30)
    other = next(person for person in world.people.values() if person is not mover)
    receive, theirs = other.client.receive, row(mover)

    def deaf(topic: str, payload: bytes, retained: bool, now: float) -> None:
        if not topic.endswith(theirs):
            receive(topic, payload, retained, now)

    other.client.receive = deaf  # type: ignore[method-assign]
    mover.asleep = False
    world.move(mover)
    slot = mover.game.session.log.head.number
    mover.client.tick(world.now + 1)
    mover.client.close()
    world._settle(mover)
    world.kill(mover.name)
    world.until(lambda: other.game.session.log.head.number >= slot, 10)
