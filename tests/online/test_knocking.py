"""Knocking over brokers: the invite reaches the guest whom the host admits, whatever brokers and others do."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

import pytest
from wasabi_protocol.signed.codec import parse_as
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Knocked
from wasabi_protocol.table.knocking import MOST_STRANGERS, GuestAtTheDoor
from wasabi_protocol.table.topics import knock_topic, knocked_topic

from tests.brokers import PATIENCE
from tests.invites import open_invite
from tests.net.memory import Faults, MemoryBroker, MemoryTransport
from wasabi_tx.net.transport import Lost, Publication
from wasabi_tx.online import knocking
from wasabi_tx.online.client.events import KnockEnded, Knocking
from wasabi_tx.online.knocking import BadKnock, DoorListener, knock

TABLE = "abcdefghijklmnopqrstuvwx23"
HOST, ANA, EVE = Identity(b"h" * 32), Identity(b"a" * 32), Identity(b"e" * 32)
INVITE = f"wasabi:v{TABLE}"
_names = count()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the waits, and accept any line as an invite to the table."""
    monkeypatch.setattr(knocking, "KNOCK_EVERY", 0.05)
    monkeypatch.setattr("wasabi_protocol.table.knocking.KNOCK_EVERY", 0.05)
    monkeypatch.setattr(knocking, "_checked", lambda invite, _table: invite)


def transport(broker: MemoryBroker) -> MemoryTransport:
    return MemoryTransport(broker, f"client-{next(_names)}")


def guest(who: Identity = ANA, name: str = "Ana", n: int = 1) -> GuestAtTheDoor:
    return GuestAtTheDoor(who, name, TABLE, HOST.key, n)


@dataclass
class Door:
    """A host's door, and the events it emitted."""

    listener: DoorListener
    told: list[Knocking | KnockEnded] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def knock_of(self, who: Identity) -> Knocking:
        async with asyncio.timeout(PATIENCE):
            while True:
                for one in self.told:
                    if isinstance(one, Knocking) and one.key == who.key:
                        return one
                self.news.clear()
                await self.news.wait()

    async def end_of(self, who: Identity) -> None:
        async with asyncio.timeout(PATIENCE):
            while KnockEnded(who.key) not in self.told:
                self.news.clear()
                await self.news.wait()


@asynccontextmanager
async def door(broker: MemoryBroker, *known: Identity) -> AsyncIterator[Door]:
    def tell(event: Knocking | KnockEnded) -> None:
        made.told.append(event)
        made.news.set()

    listener = DoorListener(transport(broker), HOST, TABLE, [one.key for one in known], tell)
    made = Door(listener)
    running = asyncio.create_task(listener.run())
    try:
        yield made
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("seed", range(4))
async def test_the_invite_comes_over_brokers_that_lose_repeat_and_delay(seed: int) -> None:
    broker = MemoryBroker(seed, Faults(drop=0.2, duplicate=0.2, delay=(0.0, 0.05)))
    async with door(broker) as here:
        waiting = asyncio.create_task(knock(transport(broker), guest()))
        assert (await here.knock_of(ANA)).name == "Ana"
        here.listener.admit(ANA.key, INVITE)
        async with asyncio.timeout(PATIENCE):
            assert await waiting == INVITE
        assert not here.listener.knocks(ANA.key)
    assert broker.retained == {}
    assert not any(INVITE.encode() in one.payload for one in broker.log)


async def test_who_is_turned_away_hears_so() -> None:
    broker = MemoryBroker()
    async with door(broker) as here:
        waiting = asyncio.create_task(knock(transport(broker), guest()))
        await here.knock_of(ANA)
        here.listener.turn_away(ANA.key)
        with pytest.raises(BadKnock) as refused:
            await waiting
        assert refused.value.reason == "turned-away"


async def test_who_goes_is_gone_and_leaves_nothing_behind() -> None:
    broker = MemoryBroker()
    async with door(broker) as here:
        waiting = asyncio.create_task(knock(transport(broker), guest()))
        await here.knock_of(ANA)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await here.end_of(ANA)
        here.listener.admit(ANA.key, INVITE)
        assert not any(one.topic == knocked_topic(ANA.key) for one in broker.log)
    assert broker.retained == {}


async def test_a_third_party_neither_reads_nor_replays_nor_forges_the_answer() -> None:
    broker = MemoryBroker()
    eve = transport(broker)
    eve.subscribe(["wsb1/#"])
    eve.open()
    async with door(broker) as here:
        first = asyncio.create_task(knock(transport(broker), guest()))
        await here.knock_of(ANA)
        here.listener.admit(ANA.key, INVITE)
        assert await first == INVITE
        (answer,) = {one.payload for one in broker.log if one.topic == knocked_topic(ANA.key)}
        # Ana knocks again, and Eve has kept the answer; she also answers with her own key.
        again = guest(n=1_000)
        second = asyncio.create_task(knock(transport(broker), again))
        assert parse_as(Knocked, answer[SIGNATURE_BYTES:]).guest == ANA.key
        for payload in (answer, EVE.sign(b"x") + answer[SIGNATURE_BYTES:], b"", answer[:-1]):
            eve.publish(Publication(knocked_topic(ANA.key), payload))
        async with asyncio.timeout(PATIENCE):
            while [one for one in here.told if isinstance(one, Knocking)] == [Knocking(ANA.key, "Ana")]:
                here.news.clear()
                await here.news.wait()
        assert not second.done()
        assert again.invite is None
        here.listener.admit(ANA.key, INVITE)
        assert await second == INVITE
    await eve.close()


async def test_a_flood_keeps_out_nobody_whom_the_host_knows_and_is_told_in_few_lines() -> None:
    broker = MemoryBroker()
    flood = transport(broker)
    flood.open()
    async with door(broker, ANA) as here:
        for number in range(500):
            stranger = guest(Identity(number.to_bytes(32, "big")), "x" * 24)
            flood.publish(Publication(knock_topic(TABLE), stranger.knock()))
            flood.publish(Publication(knock_topic(TABLE), stranger.knock(gone=True)))
            flood.publish(Publication(knock_topic(TABLE), os.urandom(300)))
        waiting = asyncio.create_task(knock(transport(broker), guest()))
        await here.knock_of(ANA)
        here.listener.admit(ANA.key, INVITE)
        async with asyncio.timeout(PATIENCE):
            assert await waiting == INVITE
        assert sum(isinstance(one, Knocking) for one in here.told) <= MOST_STRANGERS + 1
    await flood.close()


async def test_a_knock_that_somebody_had_retained_is_cleared_and_not_heard() -> None:
    broker = MemoryBroker()
    eve = transport(broker)
    eve.open()
    eve.publish(Publication(knock_topic(TABLE), guest(EVE, "Eve").knock(), 1, True))
    assert broker.retained
    async with door(broker) as here:
        waiting = asyncio.create_task(knock(transport(broker), guest()))
        await here.knock_of(ANA)
        assert [one.key for one in here.told] == [ANA.key]
        assert broker.retained == {}
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    await eve.close()


async def test_a_broker_on_which_nobody_can_knock_is_no_reason_to_wait() -> None:
    broker = MemoryBroker()
    refusing = transport(broker)
    refusing.inbox.put(Lost("password"))
    with pytest.raises(BadKnock) as refused:
        await knock(refusing, guest())
    assert refused.value.reason == "password"


@pytest.mark.parametrize("line", ["?", "wasabi:", open_invite("evil.example", table="b" * 26), "\x1b[2J"])
async def test_an_answer_that_leads_elsewhere_is_no_invite(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    broker = MemoryBroker()
    async with door(broker) as here:
        waiting = asyncio.create_task(knock(transport(broker), guest()))
        await here.knock_of(ANA)
        here.listener.admit(ANA.key, line)
        with pytest.raises(BadKnock) as refused:
            await waiting
        assert refused.value.reason == "elsewhere"
