"""The transport of a tab keeps every transport's promises, with real brokers; its websocket is a plain socket here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from tests.brokers import RealBroker
from tests.net.reading import soon
from tests.ports import own_port
from wasabi_tx.net.address import Address
from wasabi_tx.net.transport import MAX_FILTERS, MAX_PUBLICATION, Arrived, Connected, Lost, Publication, TransportEvent
from wasabi_tx.web.transport import TabTransport


class Plain:
    """A TCP connection in place of a websocket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def send(self, data: bytes) -> None:
        self._writer.write(data)

    async def receive(self) -> bytes:
        if data := await self._reader.read(4096):
            return data
        raise ConnectionResetError

    def close(self) -> None:
        self._writer.close()

    def vanish(self) -> None:
        self._writer.transport.abort()


async def dial(url: str) -> Plain:
    parts = urlsplit(url)
    sockets.append(Plain(*await asyncio.open_connection(parts.hostname, parts.port)))
    return sockets[-1]


sockets: list[Plain] = []
"""Those that were opened, the last one last."""


async def at_once() -> None:
    pass


Make = Callable[..., TabTransport]


@pytest.fixture
async def tab() -> AsyncIterator[Make]:
    made: list[TabTransport] = []

    def make(*addresses: Address, saved: Callable[[], Awaitable[None]] = at_once) -> TabTransport:
        made.append(TabTransport([replace(one, websockets=True) for one in addresses], dial, saved))
        return made[-1]

    yield make
    for one in made:
        await one.close()


async def connected(transport: TabTransport, will: Publication | None = None) -> AsyncIterator[TransportEvent]:
    transport.open(None if will is None else lambda: will)
    events = transport.events()
    assert await soon(events) == Connected()
    return events


async def test_what_is_published_arrives_in_order_at_all_who_subscribed(
    broker: RealBroker, tab: Make, realm: str
) -> None:
    here, there = tab(broker.address), tab(broker.watching)
    for one in (here, there):
        one.subscribe([f"wsb1/{realm}/x"])
    here.subscribe([f"wsb1/{realm}/{number}" for number in range(2 * MAX_FILTERS)])
    mine, theirs = await connected(here), await connected(there)
    payloads = [b"%d" % number for number in range(100)] + [b"\xff" * MAX_PUBLICATION]
    for payload in payloads:
        here.publish(Publication(f"wsb1/{realm}/x", payload))
    wanted = [Arrived(f"wsb1/{realm}/x", payload, False) for payload in payloads]
    for events in (mine, theirs):
        assert [await soon(events) for _ in payloads] == wanted


async def test_a_late_comer_gets_what_is_retained_and_nothing_after_leaving(
    broker: RealBroker, tab: Make, realm: str
) -> None:
    here, late = tab(broker.address), tab(broker.watching)
    kept, other = f"wsb1/{realm}/kept", f"wsb1/{realm}/other"
    here.subscribe([kept])
    mine = await connected(here)
    here.publish(Publication(kept, b"1", retain=True))
    await soon(mine)
    late.subscribe([kept, other])
    theirs = await connected(late)
    assert await soon(theirs) == Arrived(kept, b"1", True)
    late.unsubscribe([kept])
    late.subscribe([f"{other}/again"])
    here.publish(Publication(kept, b"", retain=True))
    here.publish(Publication(other, b"2"))
    while (one := await soon(theirs)) == Arrived(kept, b"", False):
        pass
    assert one == Arrived(other, b"2", False)


async def test_the_will_is_published_when_a_tab_vanishes_and_not_when_it_says_goodbye(
    broker: RealBroker, tab: Make, realm: str
) -> None:
    here = tab(broker.address)
    here.subscribe([f"wsb1/{realm}/#"])
    events = await connected(here)
    polite, lost = tab(broker.address), tab(broker.address)
    await connected(polite, Publication(f"wsb1/{realm}/will", b"polite"))
    await connected(lost, Publication(f"wsb1/{realm}/will", b"lost"))
    vanishing = sockets[-1]
    await polite.close()
    vanishing.vanish()
    assert await soon(events) == Arrived(f"wsb1/{realm}/will", b"lost", False)


async def test_nothing_leaves_before_it_is_saved(broker: RealBroker, tab: Make, realm: str) -> None:
    saved = asyncio.Event()

    async def save() -> None:
        await saved.wait()

    here, there = tab(broker.address, saved=save), tab(broker.address)
    there.subscribe([f"wsb1/{realm}/x"])
    events = await connected(there)
    await connected(here)
    here.publish(Publication(f"wsb1/{realm}/x", b"signed"))
    there.publish(Publication(f"wsb1/{realm}/x", b"later"))
    assert await soon(events) == Arrived(f"wsb1/{realm}/x", b"later", False)
    saved.set()
    assert await soon(events) == Arrived(f"wsb1/{realm}/x", b"signed", False)


async def test_it_comes_back_by_itself_and_tries_every_address(own_broker: RealBroker, tab: Make) -> None:
    nobody = replace(own_broker.address, port=own_port())
    here = tab(nobody, own_broker.address)
    events = await connected(here)
    await asyncio.to_thread(own_broker.kill)
    found = await soon(events)
    assert isinstance(found, Lost)
    assert found.reason in ("closed", "unreachable")
    await asyncio.to_thread(own_broker.start)
    while await soon(events) != Connected():
        pass


async def test_a_broker_that_a_page_cannot_reach_is_told_with_its_reason(broker: RealBroker, tab: Make) -> None:
    for address, reason in (
        (replace(broker.address, password="wrong"), "password"),
        (Address("127.0.0.1", own_port()), "unreachable"),
    ):
        here = tab(address)
        here.open()
        found = await soon(here.events())
        assert isinstance(found, Lost)
        assert found.reason == reason
    without = TabTransport([broker.address], dial, at_once)
    without.open()
    found = await soon(without.events())
    assert isinstance(found, Lost)
    assert (found.reason, found.detail) == ("unreachable", "no websockets")
    await without.close()
