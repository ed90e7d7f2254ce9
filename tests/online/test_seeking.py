"""Seeking anybody: who seeks finds whoever seeks the same game, and forgers keep nobody apart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from random import Random

import pytest
from wasabi_protocol.meeting import work
from wasabi_protocol.signed.codec import parse_as, signed_message
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Knock, Seek, Terms
from wasabi_protocol.table import seeking as protocol
from wasabi_protocol.table.invite_text import format_invite
from wasabi_protocol.table.knocking import Doorkeeper, GuestAtTheDoor
from wasabi_protocol.table.lobby import Checks
from wasabi_protocol.table.seeking import Seekers, seek_payload, seek_terms
from wasabi_protocol.table.topics import knock_topic, knocked_topic, seek_topic
from wasabi_protocol.verdicts import Code, Refused

from tests.brokers import PATIENCE
from tests.net.memory import Faults, MemoryBroker, MemoryTransport
from wasabi_tx.net.address import Address
from wasabi_tx.net.transport import Arrived, Publication
from wasabi_tx.online import seeking
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.seeking import Seeking
from wasabi_tx.online.tables import Wanted, join_table, open_table, private_invite
from wasabi_tx.online.terms import CLOCK, STRANGERS, make_terms

from .small import small_rules
from .world import secret

RELAY = Address("relay.example", 8883, tls=True)
TERMS = make_terms(small_rules("classic", 2), 2, 2, CLOCK, STRANGERS)
DAY = "2026-11-19"
_names = count()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduce the work, and the waits for those who do not answer."""
    monkeypatch.setattr(work, "WORK_BITS", 6)
    monkeypatch.setattr(seeking, "REPEAT", 0.05)


def machine(broker: MemoryBroker, name: str, folder: Path = Path("/nowhere")) -> Machine:
    def connect(_addresses: Sequence[Address]) -> MemoryTransport:
        return MemoryTransport(broker, f"{name}-{next(_names)}")

    return Machine(folder / name, secret(name), name, small_rules, connect)


class Sought:
    """Somebody who seeks."""

    def __init__(self, here: Machine, terms: Terms = TERMS, relay: Address = RELAY, day: date | None = None) -> None:
        self.wanted = Wanted(terms, private=True)
        self.invite = private_invite(here, here.me.key, [[relay]], self.wanted)
        self.key = here.me.key
        brokers = [(RELAY.host, RELAY.port)]
        at = day or datetime.now(UTC).date()
        self.search = Seeking(here.connect([]), here, self.invite, terms, brokers, day=lambda: at)

    @asynccontextmanager
    async def out(self) -> AsyncIterator[Sought]:
        running = asyncio.create_task(self.search.run())
        try:
            yield self
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def met(self) -> seeking.Met:
        async with asyncio.timeout(PATIENCE):
            return await asyncio.shield(self.search.met)


async def _agree(one: Sought, other: Sought) -> None:
    """Check that both met each other, at the table of one of them."""
    first, second = await one.met(), await other.met()
    assert (first.key, second.key) == (other.key, one.key)
    assert bool(first.invite) != bool(second.invite), "one of them is the host"
    host, guest = (other, first) if first.invite else (one, second)
    assert read_invite(guest.invite).table == host.invite.table


async def test_who_comes_later_is_found_at_once() -> None:
    broker = MemoryBroker()
    first, second = Sought(machine(broker, "first")), Sought(machine(broker, "second"))
    async with first.out():
        await asyncio.wait_for(first.search.up.wait(), PATIENCE)
        async with second.out():
            await _agree(first, second)


@pytest.mark.parametrize("seed", range(6))
async def test_two_who_come_together_agree_who_is_the_host(seed: int) -> None:
    faults = Faults(duplicate=0.2, delay=(0.0, 0.03))
    broker = MemoryBroker(seed, faults)
    first, second = (Sought(machine(broker, f"{name}{seed}")) for name in ("first", "second"))
    async with first.out(), second.out():
        await _agree(first, second)


async def test_lost_words_are_said_again() -> None:
    broker = MemoryBroker("lost", Faults(drop=0.2, delay=(0.0, 0.01)))
    broker.faults = replace(broker.faults, drop=0.0)
    first, second = Sought(machine(broker, "first")), Sought(machine(broker, "second"))
    async with first.out():
        await asyncio.wait_for(first.search.up.wait(), PATIENCE)
        async with second.out():
            while not any("/seek/" in one.topic for one in broker.log):
                await asyncio.wait([first.search.met], timeout=0.01)
            broker.faults = replace(broker.faults, drop=0.3)
            await _agree(first, second)


async def test_the_clocks_of_two_may_be_a_day_apart() -> None:
    broker = MemoryBroker()
    first = Sought(machine(broker, "first"), day=date(2026, 11, 19))
    second = Sought(machine(broker, "second"), day=date(2026, 11, 20))
    async with first.out(), second.out():
        await _agree(first, second)


async def test_who_wants_another_game_is_not_met() -> None:
    broker = MemoryBroker()
    other = make_terms(small_rules("classic", 2), 2, 2, 60, STRANGERS)
    first, second, third = (
        Sought(machine(broker, name), terms) for name, terms in (("a", TERMS), ("b", other), ("c", TERMS))
    )
    async with first.out(), second.out(), third.out():
        await _agree(first, third)
        assert not second.search.met.done()


async def test_an_invite_to_a_machine_of_a_stranger_is_not_followed() -> None:
    broker = MemoryBroker()
    trap = Sought(machine(broker, "trap"), relay=Address("198.51.100.7", 1883))
    honest, me = Sought(machine(broker, "honest")), Identity(secret("trap"))
    door, theirs = Doorkeeper(me, trap.invite.table), MemoryTransport(broker, "trap")
    theirs.subscribe([knock_topic(trap.invite.table)])
    theirs.open()
    async with honest.out():
        await asyncio.wait_for(honest.search.up.wait(), PATIENCE)
        day = datetime.now(UTC).date().isoformat()
        payload = seek_payload(me, Seek(trap.invite.table, me.key, 1, seek_terms(TERMS)), day)
        theirs.publish(Publication(seek_topic("main", day), payload))
        async with asyncio.timeout(PATIENCE):
            async for item in theirs.events():
                if isinstance(item, Arrived):
                    door.receive(item.payload, 0.0)
                    break
        assert list(honest.search._asked) == [me.key]
        answer = door.admit(honest.key, format_invite(trap.invite), 0.0)
        assert answer is not None
        theirs.publish(Publication(knocked_topic(honest.key), answer.envelope))
        async with asyncio.timeout(PATIENCE):
            async for item in theirs.events():
                if isinstance(item, Arrived) and parse_as(Knock, item.payload[SIGNATURE_BYTES:]).gone:
                    break
        assert not honest.search.met.done()
        await theirs.close()


async def test_forged_seeks_cost_one_hash_and_keep_nobody_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "WORK_BITS", 12)
    broker, chance = MemoryBroker(), Random(1)
    checked = list[bytes]()
    opened = Checks.open

    def counted(self: Checks, key: bytes, payload: bytes, now: float) -> object:
        checked.append(payload)
        return opened(self, key, payload, now)

    monkeypatch.setattr(Checks, "open", counted)
    first, second = Sought(machine(broker, "first")), Sought(machine(broker, "second"))
    topic = seek_topic("main", datetime.now(UTC).date().isoformat())
    broker.connect("forger", None, 0.0)

    def forge(times: int) -> None:
        for _ in range(times):
            me = Identity(chance.randbytes(32))
            seek = signed_message(me, Seek("a" * 26, me.key, 1, seek_terms(TERMS)))
            broker.publish("forger", Publication(topic, chance.randbytes(8) + seek), 0.0)

    async with first.out():
        await asyncio.wait_for(first.search.up.wait(), PATIENCE)
        forge(1_000)
        async with second.out():
            forge(1_000)
            await _agree(first, second)
    assert len(checked) <= 8, "work of chance passes once in 4,096"


async def test_a_game_begins_between_two_who_met(tmp_path: Path) -> None:
    broker = MemoryBroker()
    people = [machine(broker, name, tmp_path) for name in ("first", "second")]
    both = [Sought(one) for one in people]
    async with both[0].out(), both[1].out():
        await _agree(*both)
        mets = [await one.met() for one in both]
        at = 0 if not mets[0].invite else 1
        host = open_table(people[at], RELAY, [RELAY], both[at].wanted)
        guest = join_table(people[1 - at], read_invite(mets[1 - at].invite))
        try:
            await host.connect()
            await guest.connect()
            assert await host.begins(TERMS, PATIENCE)
            assert await guest.begins(TERMS, PATIENCE)
            assert not await guest.begins(replace(TERMS, clock=1), 0.01), "what they agreed on, and nothing else"
            game = await guest.game()
            assert game.history.terms.options == STRANGERS
        finally:
            await guest.close()
            await host.close()


async def test_a_knock_in_a_strangers_name_takes_nothing() -> None:
    broker = MemoryBroker()
    first, second = Sought(machine(broker, "first")), Sought(machine(broker, "second"))
    broker.connect("forger", None, 0.0)
    async with first.out():
        await asyncio.wait_for(first.search.up.wait(), PATIENCE)
        other = Identity(secret("other"))
        forged = GuestAtTheDoor(other, "x", first.invite.table, first.key, 1).knock()
        bent = forged[:64] + forged[64:].replace(other.key, second.key)
        broker.publish("forger", Publication(knock_topic(first.invite.table), bent), 0.0)
        async with second.out():
            await _agree(first, second)


# What a reader believes


def _seek(n: int = 1, name: str = "seeker") -> bytes:
    me = Identity(secret(name))
    return seek_payload(me, Seek("a" * 26, me.key, n, seek_terms(TERMS)), DAY)


def _code(reader: Seekers, payload: bytes, day: str) -> Code | None:
    """Return the code of a refused seek."""
    try:
        reader.receive(payload, day, 4.0)
    except Refused as refused:
        return refused.code
    return None


def test_a_seek_is_believed_once_and_on_its_day() -> None:
    reader = Seekers(Identity(secret("reader")).key, seek_terms(TERMS))
    heard = reader.receive(_seek(), DAY, 0.0)
    assert heard is not None
    assert heard.key == Identity(secret("seeker")).key
    assert reader.receive(_seek(), DAY, 1.0) is None, "said again by anybody"
    assert reader.receive(_seek(0), DAY, 2.0) is None, "older"
    assert reader.receive(_seek(2), DAY, 3.0) is not None
    held = sum(_code(reader, _seek(n), "2026-11-20") is None for n in range(3, 67))
    assert held < 20, "its work is for its day; with few bits some hold by chance"


def test_a_reader_checks_few_signatures_a_second() -> None:
    reader = Seekers(Identity(secret("reader")).key, seek_terms(TERMS))
    codes = [_code(reader, _seek(name=f"seeker {number}"), DAY) for number in range(300)]
    assert codes.count(None) == protocol.MOST_CHECKS_A_SECOND
    assert codes.count(Code.HOLD_FULL) == 300 - protocol.MOST_CHECKS_A_SECOND


def test_nobody_hears_their_own_seek() -> None:
    assert Seekers(Identity(secret("seeker")).key, seek_terms(TERMS)).receive(_seek(), DAY, 0.0) is None
