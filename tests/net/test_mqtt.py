"""The MQTT transport against real brokers: it keeps its promises and sends the right packets."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace

import aiomqtt
import pytest

from tests.brokers import RealBroker
from tests.net.conftest import Opener
from tests.net.proxy import Mode, Proxy
from tests.net.reading import connected, lost, payloads, soon
from tests.ports import own_port
from wasabi_tx.net import mqtt
from wasabi_tx.net.transport import MAX_FILTERS, MAX_PUBLICATION, Arrived, Connected, Publication

CONNECT, PUBLISH, SUBSCRIBE, DISCONNECT = 1, 3, 8, 14


async def test_what_is_published_comes_back_to_the_publisher_and_to_others(
    broker: RealBroker, transport: Opener, realm: str
) -> None:
    here, there = transport(broker.address), transport(broker.watching)
    topics = [f"wsb1/{realm}/#"]
    here.subscribe(topics)
    there.subscribe(topics)
    mine, theirs = await connected(here), await connected(there)
    here.publish(Publication(f"wsb1/{realm}/x", b"\x00\xff"))
    expected = Arrived(f"wsb1/{realm}/x", b"\x00\xff", False)
    assert await soon(mine) == await soon(theirs) == expected


async def test_many_messages_arrive_in_the_order_given(broker: RealBroker, transport: Opener, realm: str) -> None:
    here = transport(broker.address)
    here.subscribe([f"wsb1/{realm}/x"])
    events = await connected(here)
    payloads = [b"%d" % number for number in range(300)]
    for payload in payloads:
        here.publish(Publication(f"wsb1/{realm}/x", payload))
    arrived = [await soon(events) for _ in payloads]
    assert arrived == [Arrived(f"wsb1/{realm}/x", payload, False) for payload in payloads]


async def test_small_packets_are_sent_at_once(
    broker: RealBroker, transport: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    send_at_once = mqtt._send_at_once

    def look_too(client: aiomqtt.Client) -> None:
        send_at_once(client)
        wrapped = client._client.socket()
        assert wrapped is not None
        with socket.fromfd(wrapped.fileno(), socket.AF_INET, socket.SOCK_STREAM) as same:
            found.append(same.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0)

    monkeypatch.setattr(mqtt, "_send_at_once", look_too)
    for address in (broker.address, broker.websockets):
        await connected(transport(address))
    assert found == [True, True]


async def test_the_largest_payload_is_carried(broker: RealBroker, transport: Opener, realm: str) -> None:
    here = transport(broker.address)
    here.subscribe([f"wsb1/{realm}/x"])
    events = await connected(here)
    here.publish(Publication(f"wsb1/{realm}/x", bytes(MAX_PUBLICATION)))
    assert await soon(events) == Arrived(f"wsb1/{realm}/x", bytes(MAX_PUBLICATION), False)
    with pytest.raises(ValueError, match="bytes"):
        here.publish(Publication(f"wsb1/{realm}/x", bytes(MAX_PUBLICATION + 1)))


async def test_retained_messages_are_told_apart_and_can_be_erased(
    broker: RealBroker, transport: Opener, realm: str
) -> None:
    here = transport(broker.address)
    here.subscribe([f"wsb1/{realm}/x"])
    events = await connected(here)
    here.publish(Publication(f"wsb1/{realm}/x", b"kept", retain=True))
    assert await soon(events) == Arrived(f"wsb1/{realm}/x", b"kept", False)
    here.subscribe([f"wsb1/{realm}/+"])
    assert await soon(events) == Arrived(f"wsb1/{realm}/x", b"kept", True)
    here.publish(Publication(f"wsb1/{realm}/x", b"", retain=True))
    assert await soon(events) == Arrived(f"wsb1/{realm}/x", b"", False)
    late = transport(broker.address)
    late.subscribe([f"wsb1/{realm}/+"])
    late_events = await connected(late)
    late.publish(Publication(f"wsb1/{realm}/y", b"first"))
    assert await soon(late_events) == Arrived(f"wsb1/{realm}/y", b"first", False)


async def test_what_a_connection_brings_is_read_after_the_events_that_it_stands(
    broker: RealBroker, transport: Opener, realm: str
) -> None:
    topics = [f"wsb1/{realm}/{number}" for number in range(2 * MAX_FILTERS + 1)]
    here = transport(broker.address)
    here.subscribe([f"wsb1/{realm}/+"])
    events = await connected(here)
    for topic in topics:
        here.publish(Publication(topic, topic.encode(), retain=True))
    await payloads(events, len(topics))
    # Several packets: the messages retained for the first arrive before the last is answered.
    late = transport(broker.address)
    late.subscribe(topics)
    kept = await payloads(await connected(late), len(topics))
    assert sorted(kept) == sorted(topic.encode() for topic in topics)


async def test_filters_can_be_added_and_taken_away(broker: RealBroker, transport: Opener, realm: str) -> None:
    here = transport(broker.address)
    events = await connected(here)
    here.subscribe([f"wsb1/{realm}/a", f"wsb1/{realm}/b"])
    here.publish(Publication(f"wsb1/{realm}/a", b"1"))
    assert await soon(events) == Arrived(f"wsb1/{realm}/a", b"1", False)
    here.unsubscribe([f"wsb1/{realm}/a"])
    here.publish(Publication(f"wsb1/{realm}/a", b"2"))
    here.publish(Publication(f"wsb1/{realm}/b", b"3"))
    assert await soon(events) == Arrived(f"wsb1/{realm}/b", b"3", False)


async def test_before_it_is_connected_nothing_is_kept(broker: RealBroker, transport: Opener, realm: str) -> None:
    here = transport(broker.address)
    here.subscribe([f"wsb1/{realm}/x"])
    here.publish(Publication(f"wsb1/{realm}/x", b"too early"))
    events = await connected(here)
    here.publish(Publication(f"wsb1/{realm}/x", b"now"))
    assert await soon(events) == Arrived(f"wsb1/{realm}/x", b"now", False)
    assert here.outbox.dropped == 1


async def test_closing_sends_what_waits_and_the_will_stays_unread(
    broker: RealBroker, transport: Opener, realm: str
) -> None:
    here, there = transport(broker.address), transport(broker.watching)
    there.subscribe([f"wsb1/{realm}/#"])
    events = await connected(there)
    mine = await connected(here, Publication(f"wsb1/{realm}/will", b"off"))
    for number in range(50):
        here.publish(Publication(f"wsb1/{realm}/x", b"%d" % number))
    await here.close()
    assert [one async for one in mine] == []
    other = transport(broker.address)
    await connected(other)
    other.publish(Publication(f"wsb1/{realm}/end", b""))
    payloads = [await soon(events) for _ in range(51)]
    assert [one.topic for one in payloads if isinstance(one, Arrived)] == [
        *[f"wsb1/{realm}/x"] * 50,
        f"wsb1/{realm}/end",
    ]


async def test_the_will_is_read_when_the_connection_is_torn(broker: RealBroker, transport: Opener, realm: str) -> None:
    async with Proxy(broker.address) as proxy:
        here, there = transport(proxy.address), transport(broker.watching)
        there.subscribe([f"wsb1/{realm}/#"])
        theirs = await connected(there)
        mine = await connected(here, Publication(f"wsb1/{realm}/who", b"off", retain=True))
        await proxy.set(Mode.RESET)
        assert await soon(theirs) == Arrived(f"wsb1/{realm}/who", b"off", False)
        assert await lost(mine) == "closed"


async def test_what_goes_over_the_wire_is_what_any_broker_understands(
    nats_broker: RealBroker, transport: Opener, realm: str
) -> None:
    async with Proxy(nats_broker.address) as proxy:
        names = []
        for _ in range(2):
            here = transport(proxy.address)
            here.subscribe([f"wsb1/{realm}/{number}" for number in range(19)])
            await connected(here, Publication(f"wsb1/{realm}/who", b"off", retain=True))
            await here.close()
            await proxy.ended()
            connect = next(packet for packet in proxy.sent if packet.kind == CONNECT)
            assert connect.body[:7] == b"\x00\x04MQTT\x04"
            # User, password, will retained at QoS 1, clean session; then 4 s.
            assert connect.body[7:10] == b"\xee\x00\x04"
            length = int.from_bytes(connect.body[10:12], "big")
            names.append(connect.body[12 : 12 + length].decode())
            subscriptions = [_filters(packet.body) for packet in proxy.sent if packet.kind == SUBSCRIBE]
            assert [len(filters) for filters in subscriptions] == [8, 8, 3]
            assert {qos for filters in subscriptions for _, qos in filters} == {0}
            assert proxy.sent[-1].kind == DISCONNECT
            proxy.sent.clear()
        assert names[0] != names[1]
        assert all(len(name) == 23 and name.isalnum() for name in names)


def _filters(body: bytes) -> list[tuple[str, int]]:
    """Return the filters of a SUBSCRIBE packet, each with its QoS."""
    found, place = [], 2
    while place < len(body):
        end = place + 2 + int.from_bytes(body[place : place + 2], "big")
        found.append((body[place + 2 : end].decode(), body[end]))
        place = end + 1
    return found


async def test_a_wrong_password_is_told_and_tried_again_until_closed(broker: RealBroker, transport: Opener) -> None:
    for address in (replace(broker.address, password="wrong"), replace(broker.address, user="stranger")):
        async with Proxy(address) as proxy:
            here = transport(proxy.address)
            here.open()
            assert await lost(here.events()) == "password"
            await proxy.connected(2)


async def test_a_closed_transport_leaves_no_thread(broker: RealBroker, transport: Opener) -> None:
    # Another test's thread may still be looking up a host that does not exist.
    before = set(threading.enumerate())
    here = transport(broker.address)
    await connected(here)
    await here.close()
    await here.close()
    left = set(threading.enumerate()) - before
    assert not [thread for thread in left if thread.name.startswith("wasabi-net")]


async def test_one_that_was_never_opened_can_be_closed(broker: RealBroker, transport: Opener) -> None:
    here = transport(broker.address)
    await here.close()
    assert [one async for one in here.events()] == []


async def test_the_addresses_of_a_broker_are_tried_in_turn(broker: RealBroker, transport: Opener, realm: str) -> None:
    nobody = replace(broker.address, port=own_port())
    stranger = replace(broker.address, password="not-the-password")
    async with Proxy(broker.address) as proxy:
        await proxy.set(Mode.BLACK_HOLE)
        here = transport(nobody, proxy.address, stranger, broker.address)
        here.subscribe([f"wsb1/{realm}/x"])
        events = await connected(here)
        assert here.address == broker.address
        here.publish(Publication(f"wsb1/{realm}/x", b"here"))
        assert await soon(events) == Arrived(f"wsb1/{realm}/x", b"here", False)


async def test_a_connection_that_was_lost_begins_with_the_address_that_stood(
    broker: RealBroker, transport: Opener
) -> None:
    async with Proxy(broker.address) as proxy:
        nobody = replace(broker.address, port=own_port())
        here = transport(nobody, proxy.address)
        events = await connected(here)
        await proxy.set(Mode.RESET)
        assert await lost(events) == "closed"
        await proxy.set(Mode.PASS)
        while not isinstance(await soon(events), Connected):
            pass
        assert here.address == proxy.address


async def test_of_several_reasons_the_most_telling_is_told(broker: RealBroker, transport: Opener) -> None:
    nobody = replace(broker.address, port=own_port())
    stranger = replace(broker.address, password="not-the-password")
    here = transport(nobody, stranger, nobody)
    here.open()
    assert await lost(here.events()) == "password"
