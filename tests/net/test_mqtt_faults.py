"""Every fault of the connection is reported with its reason, and heals on its own."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tests.broker.raw import packet
from tests.brokers import PATIENCE, RealBroker, until
from tests.net.conftest import Opener
from tests.net.fake_broker import FakeBroker, publish
from tests.net.proxy import Mode, Proxy
from tests.net.reading import connected, lost, payloads, soon
from tests.ports import own_port
from wasabi_tx.net import mqtt
from wasabi_tx.net.address import Address
from wasabi_tx.net.inbox import MOST_BYTES
from wasabi_tx.net.mqtt import ANSWER_TIMEOUT, KEEPALIVE, MqttTransport
from wasabi_tx.net.transport import MAX_PAYLOAD, Arrived, Connected, Lost, Publication, TransportEvent


async def test_a_broker_that_was_killed_and_started_again_is_found_and_subscribed_to(
    own_broker: RealBroker, transport: Opener
) -> None:
    here = transport(own_broker.address)
    filters = [f"wsb1/club/{number}" for number in range(20)]
    here.subscribe(filters)
    events = await connected(here)
    here.publish(Publication("wsb1/club/3", b"kept", retain=True))
    assert await payloads(events, 1) == [b"kept"]
    await asyncio.to_thread(own_broker.kill)
    assert await lost(events) == "closed"
    here.publish(Publication("wsb1/club/3", b"dropped"))
    assert await lost(events) == "unreachable"
    await asyncio.to_thread(own_broker.start)
    assert await soon(events) == Connected()
    for one in filters:
        here.publish(Publication(one, one.encode()))
    # NATS promises no order across topics.
    assert sorted(await payloads(events, 20)) == sorted(one.encode() for one in filters)


async def test_nobody_listening_is_unreachable_and_told_once(transport: Opener) -> None:
    here = transport(Address("127.0.0.1", own_port()))
    here.open()
    events = here.events()
    assert await lost(events) == "unreachable"
    with pytest.raises(TimeoutError):
        await soon(events, 0.6)


async def test_a_host_that_does_not_exist_is_unreachable(transport: Opener) -> None:
    here = transport(Address("no-such-host.invalid", 1883))
    here.open()
    assert await lost(here.events()) == "unreachable"


async def test_a_port_that_opens_later_is_found(broker: RealBroker, transport: Opener) -> None:
    async with Proxy(broker.address) as proxy:
        await proxy.set(Mode.REFUSE)
        here = transport(proxy.address)
        here.open()
        assert await lost(here.events()) == "unreachable"
        await proxy.set(Mode.PASS)
        assert await soon(here.events()) == Connected()


async def test_a_torn_connection_heals(broker: RealBroker, transport: Opener, realm: str) -> None:
    async with Proxy(broker.address) as proxy:
        here = transport(proxy.address)
        here.subscribe([f"wsb1/{realm}/x"])
        events = await connected(here)
        for _ in range(2):
            await proxy.set(Mode.RESET)
            assert await lost(events) == "closed"
            await proxy.set(Mode.PASS)
            while not isinstance(await soon(events), Connected):
                pass
            here.publish(Publication(f"wsb1/{realm}/x", b"again"))
            assert await payloads(events, 1) == [b"again"]


async def test_an_idle_connection_into_a_black_hole_is_lost_within_two_keepalives(
    nats_broker: RealBroker, transport: Opener
) -> None:
    async with Proxy(nats_broker.address) as proxy:
        here = transport(proxy.address, keepalive=1)
        events = await connected(here)
        await proxy.set(Mode.BLACK_HOLE)
        started = time.monotonic()
        assert await lost(events) == "timeout"
        # One second until it asks, one until it gives up, with four checks per second.
        assert time.monotonic() - started < 10
        await proxy.set(Mode.PASS)
        assert await soon(events) == Connected()


async def test_the_will_of_one_who_fell_silent_is_read(nats_broker: RealBroker, transport: Opener, realm: str) -> None:
    async with Proxy(nats_broker.address) as proxy:
        here, there = transport(proxy.address, keepalive=1), transport(nats_broker.watching)
        there.subscribe([f"wsb1/{realm}/#"])
        theirs = await connected(there)
        await connected(here, Publication(f"wsb1/{realm}/who", b"off", retain=True))
        await proxy.set(Mode.BLACK_HOLE)
        assert await soon(theirs) == Arrived(f"wsb1/{realm}/who", b"off", False)


@asynccontextmanager
async def listening(
    broker: RealBroker, transport: Opener, realm: str, keepalive: int = KEEPALIVE
) -> AsyncIterator[tuple[Proxy, MqttTransport, AsyncIterator[TransportEvent]]]:
    """Yield a listener to the topic `x` of a realm, connected through a proxy."""
    async with Proxy(broker.address) as proxy:
        here = transport(proxy.address, keepalive=keepalive)
        here.subscribe([f"wsb1/{realm}/x"])
        yield proxy, here, await connected(here)


async def test_publishing_into_a_black_hole_is_noticed_before_the_keepalive(
    nats_broker: RealBroker, transport: Opener, realm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An idle connection would be checked only after the keepalive, which no test waits for.
    async with listening(nats_broker, transport, realm, keepalive=10 * round(PATIENCE)) as (proxy, here, events):
        await proxy.set(Mode.BLACK_HOLE)
        with monkeypatch.context() as patched:
            patched.setattr(mqtt, "PUBLISH_TIMEOUT", 0.2)
            here.publish(Publication(f"wsb1/{realm}/x", b"into the dark"))
            assert await lost(events) == "timeout"
        await proxy.set(Mode.PASS)
        assert await soon(events) == Connected()
        here.publish(Publication(f"wsb1/{realm}/x", b"light"))
        assert await payloads(events, 1) == [b"light"]


async def test_eaten_acknowledgements_mean_a_new_connection_and_the_echo_was_there(
    nats_broker: RealBroker, transport: Opener, realm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(nats_broker, transport, realm) as (proxy, here, events):
        await proxy.set(Mode.EAT_PUBACKS)
        with monkeypatch.context() as patched:
            patched.setattr(mqtt, "PUBLISH_TIMEOUT", 1.0)
            here.publish(Publication(f"wsb1/{realm}/x", b"carried"))
            assert await payloads(events, 1) == [b"carried"]
            assert await lost(events) == "timeout"
        assert proxy.eaten == 1
        await proxy.set(Mode.PASS)
        assert await soon(events) == Connected()


async def test_connecting_into_a_black_hole_can_be_closed_at_once(
    broker: RealBroker, transport: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It would wait this long for the broker's welcome.
    monkeypatch.setattr(mqtt, "ANSWER_TIMEOUT", 10 * PATIENCE)
    async with Proxy(broker.address) as proxy:
        await proxy.set(Mode.BLACK_HOLE)
        here = transport(proxy.address)
        here.open()
        await proxy.connected(1)
        async with asyncio.timeout(PATIENCE):
            await here.close()


async def test_a_broker_that_never_says_welcome_times_out(transport: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt, "ANSWER_TIMEOUT", 0.2)
    async with FakeBroker(welcome=None) as fake:
        here = transport(fake.address)
        started = time.monotonic()
        here.open()
        assert await lost(here.events()) == "timeout"
        # The library's own limit is fifty times longer.
        assert time.monotonic() - started < 2 * ANSWER_TIMEOUT


@pytest.mark.parametrize(
    ("welcome", "reason"), [(1, "closed"), (2, "refused"), (3, "refused"), (4, "password"), (5, "password")]
)
async def test_a_broker_that_says_no_is_quoted(transport: Opener, welcome: int, reason: str) -> None:
    async with FakeBroker(welcome=welcome) as fake:
        here = transport(fake.address)
        here.open()
        assert await lost(here.events()) == reason


async def test_a_refused_filter_is_told_by_name(transport: Opener) -> None:
    async with FakeBroker(grant=0x80) as fake:
        here = transport(fake.address)
        here.subscribe(["wsb1/secret/#"])
        here.open()
        assert await soon(here.events()) == Lost("refused", "wsb1/secret/#")


async def test_oversize_messages_are_dropped_unread(transport: Opener) -> None:
    speech = publish("wsb1/a", bytes(MAX_PAYLOAD + 1)) + publish("wsb1/a", bytes(MAX_PAYLOAD)) + publish("wsb1/b", b"x")
    async with FakeBroker(speech) as fake:
        here = transport(fake.address)
        here.subscribe(["wsb1/#"])
        here.open()
        arrived = [one for one in [await soon(here.events()) for _ in range(3)] if isinstance(one, Arrived)]
        assert [one.topic for one in arrived] == ["wsb1/a", "wsb1/b"]
        assert here.oversize == 1


@pytest.mark.parametrize(
    "speech",
    [
        b"\x00\x00",
        b"\xff\xff\xff\xff\xff\xff",
        packet(0x30, b"\xff\xff"),
        packet(0x32, b"\x00\x01a"),
        packet(0x36, b"\x00\x01a\x00\x01"),
        packet(0x30, b"\x00\x02\xff\xfe!"),
        packet(0x30, b"\x00\x00!"),
        packet(0x40, b""),
        packet(0x40, b"\x12\x34"),
        packet(0x90, b""),
        packet(0x90, b"\xff\xff\x01"),
        packet(0x20, b"\x00\x05"),
        packet(0xB0, b"\x00\x09"),
        packet(0x10, b"\x00\x04MQTT\x04\x02\x00\x0a\x00\x00"),
    ],
    ids=lambda speech: speech[:6].hex(),
)
async def test_hostile_packets_cost_at_most_the_connection(transport: Opener, speech: bytes) -> None:
    async with FakeBroker(speech + publish("wsb1/end", b"")) as fake:
        here = transport(fake.address)
        here.subscribe(["wsb1/#"])
        here.open()
        events = here.events()
        # Either the stream is understood again or the connection is given up: it may not just fall silent.
        while True:
            one = await soon(events)
            if isinstance(one, Lost) or one == Arrived("wsb1/end", b"", False):
                break
        await here.close()


async def test_a_packet_that_stops_half_way_is_given_up_when_something_is_published(
    transport: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt, "PUBLISH_TIMEOUT", 0.2)
    async with FakeBroker(b"\x30\xff\x7f") as fake:
        here = transport(fake.address)
        here.subscribe(["wsb1/#"])
        events = await connected(here)
        here.publish(Publication("wsb1/x", b"?"))
        assert await lost(events) == "timeout"


@pytest.mark.parametrize(
    "announced",
    [b"\x30\xff\xff\xff\x7f", b"\x30\xf1\xa2\x04", b"\x90\xff\xff\x7f", b"\x34\x05\x00\x01a\x00\x01"],
    ids=["256-MB", "70,001-bytes", "a-long-answer", "qos-2"],
)
async def test_a_connection_that_announces_what_nobody_asked_for_is_cut_before_it_is_read(
    transport: Opener, announced: bytes
) -> None:
    async with FakeBroker(announced) as fake:
        here = transport(fake.address)
        here.subscribe(["wsb1/#"])
        events = here.events()
        here.open()
        # It may be connected for a moment, depending on which bytes arrive together.
        first = await soon(events)
        reason = first.reason if isinstance(first, Lost) else await lost(events)
        assert reason == "closed"


async def test_a_long_topic_is_dropped_unread(transport: Opener) -> None:
    speech = publish("wsb1/" + "a" * 60_000, b"") + publish("wsb1/b", b"x")
    async with FakeBroker(speech) as fake:
        here = transport(fake.address)
        here.subscribe(["wsb1/#"])
        events = await connected(here)
        assert await soon(events) == Arrived("wsb1/b", b"x", False)
        assert here.oversize == 1


@pytest.mark.long
async def test_a_flood_of_a_hostile_broker_waits_within_the_bound_of_the_inbox(transport: Opener) -> None:
    count = 2_000
    speech = publish("wsb1/a", bytes(MAX_PAYLOAD)) * count + publish("wsb1/end", b"")
    async with FakeBroker(speech) as fake:
        here = transport(fake.address)
        here.subscribe(["wsb1/#"])
        here.open()
        await asyncio.to_thread(until, lambda: here.inbox.dropped > count // 2, PATIENCE)
        # Check within the lock: outside it, one message too many may just be leaving.
        with here.inbox._lock:
            assert here.inbox._bytes <= MOST_BYTES
        events = here.events()
        read = 0
        while await soon(events) != Arrived("wsb1/end", b"", False):
            read += 1
        assert read < count


async def test_a_slow_reader_loses_the_oldest_messages_and_no_memory(
    nats_broker: RealBroker, transport: Opener, realm: str
) -> None:
    here, fast = transport(nats_broker.address), transport(nats_broker.watching)
    here.inbox._most = 10
    fast.subscribe([f"wsb1/{realm}/x"])
    here.subscribe([f"wsb1/{realm}/x"])
    quick = await connected(fast)
    slow = await connected(here)
    for number in range(100):
        here.publish(Publication(f"wsb1/{realm}/x", b"%d" % number))
    await payloads(quick, 100)
    await asyncio.to_thread(until, lambda: here.inbox.dropped == 90, PATIENCE)
    assert await payloads(slow, 10) == [b"%d" % number for number in range(90, 100)]


async def test_a_websocket_whose_headers_never_end_is_given_up(
    transport: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wasabi_tx.net.mqtt.OPENING_TIMEOUT", 0.3)
    ended = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\n")
        try:
            while True:
                writer.write(b"X-More: " + b"x" * 50 + b"\r\n")
                await writer.drain()
                await asyncio.sleep(0.01)
        except ConnectionError:
            ended.set()
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    here = transport(Address("127.0.0.1", server.sockets[0].getsockname()[1], websockets=True))
    here.open()
    assert await lost(here.events()) == "refused"
    await asyncio.wait_for(ended.wait(), PATIENCE)
    server.close()


async def test_a_server_without_websockets_refuses_them(nats_broker: RealBroker, transport: Opener) -> None:
    here = transport(replace(nats_broker.address, websockets=True))
    here.open()
    assert await lost(here.events()) == "refused"
    await here.close()
    gc.collect()
