"""A table on several brokers at once: whole games while brokers die, come back empty, lie or are unreachable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tests.brokers import KINDS, PATIENCE, RealBroker
from tests.needs import needs
from tests.net.memory import MemoryBroker, MemoryTransport
from tests.tui.tiny import NAME, tiny_rules
from wasabi_tx.games.game import SeatState, SeatStates
from wasabi_tx.net.address import Address
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.net.transport import Arrived, Publication, Transport
from wasabi_tx.online.client.client import Client
from wasabi_tx.online.headless import Habits, play_bot
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.online.result import OnlineResult
from wasabi_tx.online.tables import Wanted, join_table, open_table
from wasabi_tx.online.terms import make_terms

from .world import secret

Connect = Callable[[str, Sequence[Address]], Transport]
ADDRESSES = [Address(f"{name}.example", 1883) for name in "abc"]


class Homes:
    """Everybody at one table, each in their own folder."""

    def __init__(self, folder: Path, connect: Connect) -> None:
        self._folder = folder
        self._connect = connect

    def machine(self, name: str) -> Machine:
        return Machine(
            self._folder / name, secret(name), name, tiny_rules, lambda addresses: self._connect(name, addresses)
        )

    def seated(self, addresses: Sequence[Address], private: bool = True) -> list[OnlineTable]:
        terms = make_terms(tiny_rules(NAME, 2), 2, 2)
        first, *others = addresses
        host = open_table(
            self.machine("ana"), first, [first], Wanted(terms, private), "easy", beside=[[one] for one in others]
        )
        return [host, join_table(self.machine("bo"), read_invite(host.invite), "easy")]


async def play(
    tables: list[OnlineTable], moments: Sequence[Callable[[], object]], pace: float = 0.0
) -> list[OnlineResult]:
    """Play to the end; each of the moments happens after some more slots of the game.

    With a pace in seconds, the game lasts longer than a busy machine needs for a moment.
    """

    async def disturb() -> None:
        for number, moment in enumerate(moments):
            slot = 6 + 5 * number
            await tables[0].until(lambda now, slot=slot: now.slot >= slot or now.over)  # type: ignore[misc]
            assert not tables[0].snapshot.over, "it happens in the middle of the game"
            found = moment()
            if asyncio.iscoroutine(found):
                await found

    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(table.connect() for table in tables))
        *results, _ = await asyncio.gather(*(play_bot(table, Habits("easy", pace)) for table in tables), disturb())
    for table in tables:
        await table.close()
    return [result for result in results if isinstance(result, OnlineResult)]


class Memory:
    """Three brokers in memory, and who is connected to which."""

    def __init__(self, *brokers: MemoryBroker) -> None:
        self.brokers = {address.host: broker for address, broker in zip(ADDRESSES, brokers, strict=False)}
        self.transports: dict[tuple[str, str], MemoryTransport] = {}

    def connect(self, name: str, addresses: Sequence[Address]) -> Transport:
        host = addresses[0].host
        made = self.transports[name, host] = MemoryTransport(self.brokers[host], name)
        return made

    def of(self, host: str) -> list[MemoryTransport]:
        return [transport for (_, where), transport in self.transports.items() if where == host]

    def change(self, rise: str, die: str) -> None:
        """Restart some brokers, empty, and kill others."""
        for letter in rise:
            for transport in self.of(f"{letter}.example"):
                transport.heal()
        for letter in die:
            for transport in self.of(f"{letter}.example"):
                transport.cut()
            self.brokers[f"{letter}.example"].forget_retained()


def same(results: list[OnlineResult]) -> bool:
    return len(results) == 2 and results[0].digest == results[1].digest and all(one.settled for one in results)


@pytest.mark.parametrize("private", [True, False])
async def test_brokers_die_and_come_back_empty_one_after_another_and_in_pairs(tmp_path: Path, private: bool) -> None:
    memory = Memory(*(MemoryBroker() for _ in range(3)))
    tables = Homes(tmp_path, memory.connect).seated(ADDRESSES, private)
    changes = (("", "a"), ("", "b"), ("a", "c"), ("b", "a"), ("ac", ""))
    assert same(await play(tables, [partial(memory.change, *change) for change in changes]))


async def test_who_is_lost_to_one_broker_answers_over_another_and_who_is_lost_to_all_does_not(tmp_path: Path) -> None:
    memory = Memory(*(MemoryBroker() for _ in range(3)))
    ana, bo = tables = Homes(tmp_path, memory.connect).seated(ADDRESSES)

    async def lost() -> tuple[bool, float]:
        """Return whether Bo's connection counts as lost at Ana's table, and when he was last asked about it."""

        def look(client: Client, _now: float) -> tuple[bool, float]:
            assert client.playing is not None
            seat = client.playing.founded.seat_of(bo.me.key)
            known = client.playing.doings._heard.get(-1 if seat is None else seat)
            return (known.lost, known.asked) if known is not None else (False, 0.0)

        return await ana.driver.do(look)

    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(table.connect() for table in tables))
        await asyncio.gather(*(table.until(lambda now: now.shuffled) for table in tables))
        memory.transports["bo", "a.example"].cut()
        while (told := await lost()) and (told[0] or told[1] <= 0):
            await ana.driver.changed()
        for letter in "bc":
            memory.transports["bo", f"{letter}.example"].cut()
        while not (await lost())[0]:
            await ana.driver.changed()
        assert SeatState.RECONNECTING not in await _shown(ana), "not before he had time to answer"
    for table in tables:
        await table.close()


async def _shown(table: OnlineTable) -> tuple[SeatState, ...]:
    """Return the seat states that a table's screen shows."""

    def look(client: Client, _now: float) -> tuple[SeatState, ...]:
        assert client.duties is not None
        told = client.duties._told["presence"]
        assert isinstance(told, SeatStates)
        return told.states

    return await table.driver.do(look)


async def test_two_who_share_one_broker_alone_play_on(tmp_path: Path) -> None:
    memory = Memory(*(MemoryBroker() for _ in range(3)))
    tables = Homes(tmp_path, memory.connect).seated(ADDRESSES)

    def part() -> None:
        memory.transports["ana", "a.example"].cut()
        memory.transports["bo", "b.example"].cut()

    assert same(await play(tables, [part]))


class Liar(MemoryBroker):
    """Drops messages at random, repeats them as if they were new, and shows the two sides different things."""

    def __init__(self) -> None:
        super().__init__()
        self._luck = Random(7)
        self._heard: list[Publication] = []

    def _carry(self, publication: Publication, now: float) -> None:
        self._heard.append(publication)
        if self._luck.random() < 0.4:
            super()._carry(publication, now)
        if self._luck.random() < 0.4:
            super()._carry(self._luck.choice(self._heard), now)

    def _send(self, client: str, message: Arrived, now: float) -> None:
        if self._luck.random() < 0.5:
            super()._send(client, message, now)


async def test_a_broker_that_forks_replays_and_drops_is_not_noticed(tmp_path: Path) -> None:
    memory = Memory(Liar(), MemoryBroker())
    tables = Homes(tmp_path, memory.connect).seated(ADDRESSES[:2])
    assert same(await play(tables, []))


@pytest.mark.long
@needs("mosquitto")
async def test_real_brokers_of_two_kinds_die_in_turn(tmp_path: Path) -> None:
    brokers = [RealBroker(kind, tmp_path / kind) for kind in KINDS]
    for broker in brokers:
        await asyncio.to_thread(broker.start)
    try:
        tables = Homes(tmp_path, lambda _name, addresses: MqttTransport(addresses)).seated(
            [broker.address for broker in brokers]
        )

        async def swap() -> None:
            await asyncio.to_thread(brokers[0].start)
            async with asyncio.timeout(PATIENCE):
                while not all(state.up for table in tables for state in table.carriers):
                    await tables[0].driver.changed()
            await asyncio.to_thread(brokers[1].kill)

        assert same(await play(tables, [lambda: asyncio.to_thread(brokers[0].kill), swap], pace=0.3))
    finally:
        for broker in brokers:
            broker.stop()


async def test_a_private_table_leaves_nothing_behind_on_its_brokers(tmp_path: Path) -> None:
    memory = Memory(*(MemoryBroker() for _ in range(3)))
    tables = Homes(tmp_path, memory.connect).seated(ADDRESSES)
    assert same(await play(tables, []))
    assert [broker.retained for broker in memory.brokers.values()] == [{}, {}, {}]
    assert all(any(word.retain and word.payload for word in broker.log) for broker in memory.brokers.values())


async def test_a_waiting_room_that_is_left_leaves_nothing_behind(tmp_path: Path) -> None:
    memory = Memory(*(MemoryBroker() for _ in range(3)))
    tables = Homes(tmp_path, memory.connect).seated(ADDRESSES)
    host = tables[0]
    await host.connect()
    for table in tables:
        await table.close()
    assert [broker.retained for broker in memory.brokers.values()] == [{}, {}, {}]
