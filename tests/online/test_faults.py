"""Whatever the network does, every game ends, all agree, and every file proves it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.speeds import budget
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.games import game
from wasabi_tx.net.transport import Publication

from .faults import KINDS, faulty_game
from .world import Person, World


@pytest.mark.parametrize(
    ("edition", "seats", "kinds"),
    [
        ("classic", 2, ("drop",)),
        pytest.param("classic", 2, ("duplicate", "delay"), marks=pytest.mark.long),
        ("master", 2, ("cut", "reconnect")),
        pytest.param("classic", 2, ("forget", "drop", "delay"), marks=pytest.mark.long),
        ("master", 3, KINDS),
    ],
)
def test_a_game_survives_faults(edition: str, seats: int, kinds: tuple[str, ...]) -> None:
    faulty_game(f"faults of {kinds}", edition, seats, kinds)


@settings(
    max_examples=budget(1, 10),
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(
    st.integers(0, 10_000),
    st.sets(st.sampled_from(KINDS), min_size=2),
)
def test_a_game_survives_any_mixture_of_faults(seed: int, kinds: set[str]) -> None:
    faulty_game(f"mixture {seed}", "classic", 2, tuple(sorted(kinds)))


def test_an_entry_before_its_predecessor_waits_for_it() -> None:
    world = World(3, "classic", "order")
    world.until(lambda: world.people["p2"].game_or_none and world.people["p2"].game.sealed, 60)
    late = world.people["p2"].client
    kept: list[tuple[str, bytes]] = []
    receive = late.receive

    def reversed_pairs(topic: str, payload: bytes, retained: bool, now: float) -> None:
        kept.append((topic, payload))
        if len(kept) == 4:
            for one, two in reversed(kept):
                receive(one, two, retained, now)
            kept.clear()

    late.receive = reversed_pairs  # type: ignore[method-assign]
    world.run()
    world.finished()


def dealt(world: World) -> tuple[Person, str]:
    """Wait until the cards are dealt; return the first player and the topic of its moves."""
    world.until(lambda: all(p.game_or_none and p.game.sealed for p in world.people.values()), 60)
    player = world.people["p0"]
    return player, player.client.channel.topic("mv", player.me.key)


def test_a_move_is_repeated_until_it_was_carried() -> None:
    world = World(2, "classic", "echo")
    player, mine = dealt(world)
    sent: list[bytes] = []
    publish = world.broker.publish

    def eat(client: str, publication: Publication, now: float) -> None:
        if publication.topic == mine:
            sent.append(publication.payload)
        elif client != "p0":
            publish(client, publication, now)

    world.broker.publish = eat  # type: ignore[method-assign]
    world.until(lambda: len(sent) > len(set(sent)) + 1, 60)
    assert player.told_last_delivery.carried < player.told_last_delivery.sent
    world.broker.publish = publish  # type: ignore[method-assign]
    world.run()
    world.finished()
    world.wait(2)
    last = player.told_last_delivery
    assert last.sent == last.carried == last.confirmed


def test_a_slow_subscriber_holds_up_the_game_and_breaks_nothing() -> None:
    world = World(2, "classic", "slow")
    slow = world.people["p1"].client
    receive = slow.receive
    queue: list[tuple[float, str, bytes, bool]] = []

    def later(topic: str, payload: bytes, retained: bool, now: float) -> None:
        queue.append((now + 2.0, topic, payload, retained))

    tick = slow.tick

    def tick_and_read(now: float) -> None:
        while queue and queue[0][0] <= now:
            _, topic, payload, retained = queue.pop(0)
            receive(topic, payload, retained, now)
        tick(now)

    slow.receive, slow.tick = later, tick_and_read  # type: ignore[method-assign]
    world.run()
    world.finished()


def test_a_full_disk_sends_nothing_and_the_game_goes_on_when_there_is_room() -> None:
    world = World(2, "classic", "full")
    player, mine = dealt(world)

    def said() -> set[bytes]:
        return {publication.payload for publication in world.broker.log if publication.topic == mine}

    for _ in range(3):
        player.disk.full, before, slots = True, said(), player.game.session.log.head.number
        world.until(lambda: player.troubles, 60)
        world.wait(5)
        assert said() == before, "what is not on disk is not said"
        player.disk.full, player.troubles = False, 0
        world.until(lambda slots=slots: player.game.session.log.head.number >= slots + 5, 60)  # type: ignore[misc]
    world.run()
    world.finished()


@pytest.mark.parametrize("private", [False, True])
def test_a_turn_that_could_not_be_saved_is_played_once_there_is_room(private: bool) -> None:
    """Play it once: nobody tries again but the program, and the others see that its person is there."""
    world = World(3, "classic", "full for a minute", bots=False, private=private)
    world.in_play(12)
    mover = world.mover()
    other = next(person for person in world.people.values() if person is not mover)
    mover.disk.full, slots = True, other.game.session.log.head.number
    mover.asleep = False
    with pytest.raises(OSError, match="space"):
        mover.client.play(find_bot("greedy").choose(mover.game.observation(), Random(1), 1000), world.now)
    mover.asleep = True
    world.wait(60)
    assert other.game.session.log.head.number == slots
    assert other.told(game.SeatStates)[-1].states == (game.SeatState.HERE,) * 3
    mover.disk.full = False
    world.wait(6)
    assert other.game.session.log.head.number > slots
    world.wake()
    world.run()
    world.finished()


def test_clocks_that_are_far_off_change_nothing() -> None:
    world = World(3, "classic", "clocks", clocks={"p0": 1e9, "p1": -900.0, "w0": 3e7}, watchers=1)
    world.run(600)
    assert all(person.client.done for person in world.people.values())
    assert len(world.heads()) == 1
