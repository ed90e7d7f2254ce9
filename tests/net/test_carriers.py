"""One connection over several brokers: any but one may die, be slow, forget or lie, and nobody notices."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.brokers import KINDS, PATIENCE, RealBroker, until
from tests.needs import needs
from tests.net.conftest import Opener
from tests.net.memory import MemoryBroker, MemoryTransport
from tests.net.reading import soon
from wasabi_tx.net.carriers import MOST_OF_A_TOPIC, Brought, Carriers, CarrierState, Retained, TopicShares
from wasabi_tx.net.transport import Arrived, Connected, Lost, Publication, Screen, TransportEvent

NAMES = ("a", "b", "c")


class Net:
    """Several brokers, and one client connected to all of them."""

    def __init__(self, who: str = "me", brokers: dict[str, MemoryBroker] | None = None) -> None:
        self.brokers = {name: MemoryBroker() for name in NAMES} if brokers is None else brokers
        self.parts = {name: MemoryTransport(broker, who) for name, broker in self.brokers.items()}
        self.carriers = Carriers(self.parts)

    async def opened(self, *filters: str) -> AsyncIterator[TransportEvent]:
        self.carriers.subscribe(filters)
        self.carriers.open()
        events = self.carriers.events()
        assert await soon(events) == Connected()
        return events


async def arrived(events: AsyncIterator[TransportEvent]) -> bytes:
    one = await soon(events)
    assert isinstance(one, Arrived), one
    return one.payload


async def test_what_is_published_goes_to_each_and_is_passed_on_once() -> None:
    net = Net()
    events = await net.opened("x")
    for number in range(20):
        net.carriers.publish(Publication("x", b"%d" % number))
    assert [await arrived(events) for _ in range(20)] == [b"%d" % number for number in range(20)]
    assert all(len(broker.log) == 20 for broker in net.brokers.values())
    await net.carriers.close()
    assert [event async for event in events] == [], "nothing was passed on twice"


async def test_each_broker_has_a_screen_of_its_own() -> None:
    net = Net()
    made: list[set[str]] = []

    def make() -> Screen:
        seen: set[str] = set()
        made.append(seen)
        # This one is used up by the first message.
        return lambda topic, _payload: not seen and not seen.add(topic)  # type: ignore[func-returns-value]

    net.carriers.subscribe(["x"])
    net.carriers.open(screens=make)
    events = net.carriers.events()
    assert await soon(events) == Connected()
    stranger = MemoryTransport(net.brokers["a"], "stranger")
    stranger.open()
    for _ in range(3):
        stranger.publish(Publication("x", b"noise"))
    assert await arrived(events) == b"noise"
    net.carriers.publish(Publication("x", b"move"))
    assert await arrived(events) == b"move"
    assert [len(seen) for seen in made] == [1] * len(NAMES)


async def test_it_is_connected_while_any_of_them_is() -> None:
    net = Net()
    events = await net.opened("x")
    for name in ("a", "c"):
        net.parts[name].cut()
    net.carriers.publish(Publication("x", b"still here"))
    assert await arrived(events) == b"still here"
    net.parts["b"].cut()
    assert await soon(events) == Lost("closed")
    assert net.carriers.states == tuple(CarrierState(name, False, "closed") for name in NAMES)
    net.parts["c"].heal()
    assert await soon(events) == Connected()
    assert [state.up for state in net.carriers.states] == [False, False, True]
    net.carriers.publish(Publication("x", b"again"))
    assert await arrived(events) == b"again"
    await net.carriers.close()


async def test_a_broker_that_comes_back_empty_gets_what_it_should_retain() -> None:
    net = Net()
    events = await net.opened("echo")
    net.carriers.publish(Publication("log/1", b"one", retain=True))
    net.parts["a"].cut()
    net.brokers["a"].forget_retained()
    net.carriers.publish(Publication("log/1", b"two", retain=True))
    net.carriers.publish(Publication("log/2", b"gone", retain=True))
    net.carriers.publish(Publication("log/2", b"", retain=True))
    net.brokers["a"].retained["log/2"] = b"of long ago"
    net.parts["a"].heal()
    net.carriers.publish(Publication("echo", b""))
    assert await arrived(events) == b""
    await net.carriers.close()
    assert net.brokers["a"].retained == net.brokers["b"].retained == {"log/1": b"two"}


async def test_a_reader_on_one_broker_alone_hears_everything() -> None:
    net = Net()
    lone = MemoryTransport(net.brokers["b"], "lone")
    lone.subscribe(["x"])
    lone.open()
    heard = lone.events()
    assert await soon(heard) == Connected()
    await net.opened("x")
    net.carriers.publish(Publication("x", b"to all"))
    assert await arrived(heard) == b"to all"
    await lone.close()
    await net.carriers.close()


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([b"p", b"q"]), st.booleans()), max_size=60))
def test_nothing_is_missed_and_nobody_can_hide_another_one_s_messages(events: list[tuple[str, bytes, bool]]) -> None:
    """A message is passed on at least once between two arrivals over the same broker."""
    brought, passed = Brought(), 0
    since: dict[tuple[str, bytes, bool], int] = {}
    counts: dict[tuple[bytes, bool], int] = {}
    for name, payload, retained in events:
        key = (name, payload, retained)
        before = since.get(key)
        told = brought.first(name, Arrived("t", payload, retained))
        counts[payload, retained] = counts.get((payload, retained), 0) + told
        passed += told
        if before is not None:
            assert counts[payload, retained] > before
        since[key] = counts[payload, retained]
        assert counts[payload, retained] >= 1, "the first to bring it is heard"
    assert passed <= len(events)


@given(st.integers(1, 50), st.permutations(NAMES))
def test_honest_brokers_pass_each_message_on_once(count: int, order: list[str]) -> None:
    brought = Brought()
    told = [brought.first(name, Arrived("t", b"%d" % number, False)) for number in range(count) for name in order]
    assert sum(told) == count


def test_what_is_remembered_is_bounded() -> None:
    brought, retained = Brought(10), Retained(10)
    for number in range(100):
        assert brought.first("a", Arrived("t", b"%d" % number, False))
        retained.note(Publication(f"t/{number}", b"x", retain=True))
        retained.note(Publication(f"u/{number}", b"x"))
    assert len(brought._by) == 10
    assert [one.topic for one in retained.all()] == [f"t/{number}" for number in range(90, 100)]


@needs("mosquitto")
@pytest.mark.parametrize("died", KINDS)
async def test_a_real_broker_that_dies_is_not_missed_and_heals_by_itself(
    died: str, tmp_path_factory: pytest.TempPathFactory, transport: Opener, realm: str
) -> None:
    brokers = {kind: RealBroker(kind, tmp_path_factory.mktemp(kind)) for kind in KINDS}
    for broker in brokers.values():
        await asyncio.to_thread(broker.start)
    try:
        one, other = (Carriers({kind: transport(brokers[kind].address) for kind in KINDS}) for _ in range(2))
        topic = f"wsb1/{realm}/x"
        for carriers in (one, other):
            carriers.subscribe([topic])
            carriers.open()
        events = other.events()
        assert await soon(events) == Connected()
        await until_all_are_up(one, other)
        one.publish(Publication(f"wsb1/{realm}/kept", b"kept", retain=True))
        said = [b"%d" % number for number in range(30)]
        for number, payload in enumerate(said):
            if number == 10:
                await asyncio.to_thread(brokers[died].kill)
            if number == 20:
                await asyncio.to_thread(brokers[died].start)
            one.publish(Publication(topic, payload))
            while not isinstance(heard := await soon(events), Arrived):
                pass
            assert heard.payload == payload
        await until_all_are_up(one, other)
        late = transport(brokers[died].address)
        late.subscribe([f"wsb1/{realm}/kept"])
        late.open()
        reading = late.events()
        while not isinstance(found := await soon(reading), Arrived):
            pass
        assert found.payload == b"kept", "a broker that forgot is reminded"
        await asyncio.gather(one.close(), other.close())
    finally:
        for broker in brokers.values():
            broker.stop()


async def until_all_are_up(*carriers: Carriers) -> None:
    await asyncio.to_thread(until, lambda: all(state.up for one in carriers for state in one.states), PATIENCE)


def test_a_brokers_noise_under_a_topic_leaves_room_for_the_others_copies() -> None:
    shares = {name: TopicShares() for name in "ab"}
    for _ in range(MOST_OF_A_TOPIC):
        assert shares["a"].has_room("t", 1.0)
    assert not shares["a"].has_room("t", 1.9)
    assert shares["a"].has_room("other", 1.9)
    assert shares["b"].has_room("t", 1.9)
    assert shares["a"].has_room("t", 2.0)
