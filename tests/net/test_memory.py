"""The broker in memory follows MQTT, and misbehaves exactly as often as configured."""

from __future__ import annotations

import asyncio

import pytest

from tests.brokers import PATIENCE
from tests.net.memory import Faults, MemoryBroker, MemoryTransport, matches
from wasabi_tx.net.transport import MAX_PUBLICATION, Arrived, Connected, Lost, Publication, Transport


@pytest.mark.parametrize(
    ("pattern", "topic", "covered"),
    [
        ("a/b", "a/b", True),
        ("a/b", "a/b/c", False),
        ("a/b/c", "a/b", False),
        ("a/+", "a/b", True),
        ("a/+", "a", False),
        ("a/+", "a/", True),
        ("a/+/c", "a/b/c", True),
        ("a/+/c", "a/b/d", False),
        ("a/#", "a", True),
        ("a/#", "a/b/c", True),
        ("#", "a/b", True),
        ("#", "$SYS/x", False),
        ("+/x", "$SYS/x", False),
        ("$SYS/#", "$SYS/x", True),
    ],
)
def test_filters_cover_topics_as_mqtt_says(pattern: str, topic: str, covered: bool) -> None:
    assert matches(pattern, topic) is covered


def joined(*clients: str, faults: Faults | None = None, seed: int = 0) -> MemoryBroker:
    broker = MemoryBroker(seed, faults)
    for client in clients:
        broker.connect(client, None, 0)
        broker.subscribe(client, ["t/#"], 0)
    return broker


def test_everyone_who_subscribed_gets_a_message_once_the_publisher_too() -> None:
    broker = joined("a", "b")
    broker.connect("c", None, 0)
    broker.subscribe("a", ["t/+"], 0)
    broker.publish("a", Publication("t/x", b"1"), 0)
    got = Arrived("t/x", b"1", retained=False)
    assert broker.due(0) == [("a", got), ("b", got)]
    assert broker.due(0) == []
    broker.unsubscribe("a", ["t/#", "t/+"])
    broker.publish("b", Publication("t/x", b"2"), 1)
    assert [client for client, _ in broker.due(1)] == ["b"]
    assert broker.log == [Publication("t/x", b"1"), Publication("t/x", b"2")]


def test_retained_messages_wait_for_whoever_subscribes_later_until_an_empty_one() -> None:
    broker = joined("a")
    broker.publish("a", Publication("t/2", b"two", retain=True), 0)
    broker.publish("a", Publication("t/1", b"one", retain=True), 0)
    assert [message.retained for _, message in broker.due(0)] == [False, False]
    broker.connect("b", None, 0)
    broker.subscribe("b", ["t/+"], 0)
    assert broker.due(0) == [("b", Arrived("t/1", b"one", True)), ("b", Arrived("t/2", b"two", True))]
    broker.publish("a", Publication("t/1", b"", retain=True), 0)
    assert broker.retained == {"t/2": b"two"}
    assert broker.due(0) == [("a", Arrived("t/1", b"", False)), ("b", Arrived("t/1", b"", False))]
    broker.forget_retained()
    broker.subscribe("b", ["t/+"], 0)
    assert broker.due(0) == []


@pytest.mark.parametrize("clean", [True, False])
def test_a_will_is_published_unless_the_client_says_goodbye(clean: bool) -> None:
    broker = joined("a")
    broker.connect("b", Publication("t/b", b"off", retain=True), 0)
    broker.disconnect("b", 1, clean)
    assert broker.due(1) == ([] if clean else [("a", Arrived("t/b", b"off", False))])
    assert broker.retained == ({} if clean else {"t/b": b"off"})


def test_a_second_connection_takes_over_and_the_first_ones_will_is_published() -> None:
    broker = joined("a")
    broker.connect("b", Publication("t/b", b"off"), 0)
    broker.connect("b", Publication("t/b", b"off again"), 0)
    assert broker.due(0) == [("a", Arrived("t/b", b"off", False))]


def test_nothing_passes_a_cut_in_either_direction() -> None:
    broker = joined("a", "b")
    broker.cut("b")
    broker.publish("a", Publication("t/x", b"lost on the way"), 0)
    broker.publish("b", Publication("t/x", b"never sent"), 0)
    assert [client for client, _ in broker.due(0)] == ["a"]
    broker.heal("b")
    broker.publish("a", Publication("t/x", b"again"), 0)
    assert [client for client, _ in broker.due(0)] == ["a", "b"]


def test_delays_are_virtual_time_and_change_the_order() -> None:
    broker = joined("a", faults=Faults(delay=(1, 5)))
    for number in range(20):
        broker.publish("a", Publication("t/x", bytes([number])), 0)
    first = broker.next_time()
    assert first is not None
    assert 1 <= first <= 5
    assert broker.due(first - 0.001) == []
    assert len(broker.due(first)) == 1
    rest = [message.payload for _, message in broker.due(5)]
    assert len(rest) == 19
    assert rest != sorted(rest)
    assert broker.next_time() is None


def test_the_same_seed_gives_the_same_faults_and_another_seed_others() -> None:
    def run(seed: int) -> list[tuple[str, Arrived]]:
        broker = joined("a", "b", faults=Faults(0.2, 0.2, (0, 1)), seed=seed)
        for number in range(50):
            broker.publish("a", Publication("t/x", bytes([number])), number / 10)
        return broker.due(100)

    assert run(1) == run(1) != run(2)


def test_drops_and_duplicates_happen_about_as_often_as_told() -> None:
    broker = joined("a", faults=Faults(drop=0.5))
    for _ in range(1_000):
        broker.publish("a", Publication("t/x", b""), 0)
    assert 180 < len(broker.due(0)) < 320
    broker = joined("a", faults=Faults(duplicate=0.5))
    for _ in range(1_000):
        broker.publish("a", Publication("t/x", b""), 0)
    assert 2_000 < len(broker.due(0)) < 2_500


@pytest.mark.parametrize(
    "publication",
    [
        Publication("", b""),
        Publication("t/+", b""),
        Publication("t/#", b""),
        Publication("t/\0", b""),
        Publication("t" * 300, b""),
        Publication("t/x", bytes(MAX_PUBLICATION + 1)),
        Publication("t/x", b"", qos=2),
    ],
)
async def test_what_no_broker_carries_is_a_mistake_of_the_caller(publication: Publication) -> None:
    transport = MemoryTransport(MemoryBroker(), "a")
    transport.open()
    with pytest.raises(ValueError, match=r"topic|bytes|QoS"):
        transport.publish(publication)
    await transport.close()


async def test_a_transport_connects_subscribes_and_echoes() -> None:
    broker = MemoryBroker()
    transport: Transport = MemoryTransport(broker, "a")
    transport.subscribe(["t/#"])
    transport.publish(Publication("t/x", b"before it is open: dropped"))
    transport.open()
    transport.publish(Publication("t/x", b"1"))
    events = transport.events()
    assert await asyncio.wait_for(anext(events), PATIENCE) == Connected()
    assert await asyncio.wait_for(anext(events), PATIENCE) == Arrived("t/x", b"1", False)
    await transport.close()
    assert [one async for one in events] == []


async def test_a_cut_transport_is_told_its_will_is_read_and_it_heals_with_all_filters() -> None:
    broker = MemoryBroker()
    here, there = MemoryTransport(broker, "here"), MemoryTransport(broker, "there")
    here.subscribe(["t/#"])
    here.open(lambda: Publication("t/here", b"off"))
    there.subscribe(["t/#"])
    there.open()
    here.cut()
    here.publish(Publication("t/x", b"dropped"))
    here.heal()
    there.publish(Publication("t/x", b"2"))
    other = there.events()
    assert [await anext(other), await anext(other)] == [Connected(), Arrived("t/here", b"off", False)]
    read = []
    async for one in here.events():
        read.append(one)
        if isinstance(one, Arrived):
            break
    assert read == [Connected(), Lost("closed"), Connected(), Arrived("t/x", b"2", False)]
    await here.close()
    await there.close()


async def test_delays_pass_on_the_loops_clock() -> None:
    broker = MemoryBroker(faults=Faults(delay=(0.01, 0.02)))
    transport = MemoryTransport(broker, "a")
    transport.subscribe(["t/#"])
    transport.open()
    started = asyncio.get_running_loop().time()
    transport.publish(Publication("t/x", b"1"))
    events = transport.events()
    assert await anext(events) == Connected()
    assert await asyncio.wait_for(anext(events), PATIENCE) == Arrived("t/x", b"1", False)
    assert asyncio.get_running_loop().time() - started > 0.009
    await transport.close()


async def test_any_thread_may_publish_and_the_order_stays() -> None:
    transport = MemoryTransport(MemoryBroker(), "a")
    transport.subscribe(["t/#"])
    transport.open()
    events = transport.events()
    assert isinstance(await anext(events), Connected)

    def publish() -> None:
        for number in range(20):
            transport.publish(Publication("t/x", bytes([number])))

    await asyncio.to_thread(publish)
    arrived = [await anext(events) for _ in range(20)]
    assert arrived == [Arrived("t/x", bytes([number]), retained=False) for number in range(20)]
    await transport.close()
