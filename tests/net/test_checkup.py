"""The checkup reports what a broker can do, and leaves nothing behind."""

from __future__ import annotations

from dataclasses import replace

from tests.brokers import RealBroker
from tests.net.conftest import Opener
from tests.net.fake_broker import FakeBroker
from tests.net.reading import connected, soon
from tests.ports import own_port
from wasabi_tx.net.address import Address
from wasabi_tx.net.checkup import NEEDED, examine
from wasabi_tx.net.transport import MAX_PUBLICATION, Arrived, Lost, Publication


async def test_a_broker_that_is_fit_for_play(broker: RealBroker, transport: Opener) -> None:
    watcher = transport(broker.watching)
    watcher.subscribe(["wsb1/+/who/kept"])
    events = await connected(watcher)
    found = await examine([broker.address])
    assert found.fit
    assert found.largest == MAX_PUBLICATION >= NEEDED
    assert 0 < found.round_trip_ms < 1_000
    assert 0 < found.connect_ms < 5_000
    # The retained message is erased again.
    while True:
        one = await soon(events)
        if isinstance(one, Arrived) and not one.payload and "doctor" in one.topic:
            break
    late = transport(broker.address)
    late.subscribe([one.topic, "wsb1/end/who/x"])
    late_events = await connected(late)
    late.publish(Publication("wsb1/end/who/x", b"end"))
    assert await soon(late_events) == Arrived("wsb1/end/who/x", b"end", False)


async def test_without_a_password_one_can_only_watch(nats_broker: RealBroker) -> None:
    found = await examine([nats_broker.watching], patience=0.3)
    assert found.lost is None
    assert not found.can_play
    assert not found.fit


async def test_why_there_is_no_connection(nats_broker: RealBroker) -> None:
    nobody = await examine([Address("127.0.0.1", own_port())])
    assert isinstance(nobody.lost, Lost)
    assert nobody.lost.reason == "unreachable"
    stranger = await examine([replace(nats_broker.address, password="wrong")])
    assert isinstance(stranger.lost, Lost)
    assert stranger.lost.reason == "password"
    assert not stranger.fit


async def test_a_broker_that_says_nothing_after_its_welcome_is_not_fit() -> None:
    async with FakeBroker() as mute:
        found = await examine([mute.address], patience=0.2)
        assert found.lost is None
        assert not found.fit
