"""The shares of a broker's limits: watchers exhaust only their own, and players do not notice."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.broker.raw import Raw
from tests.brokers import PATIENCE, RealBroker, until
from tests.net.conftest import Opener
from tests.net.reading import connected, payloads, soon
from wasabi_tx.broker.broker import caretaker_of
from wasabi_tx.broker.config import (
    KNOCKERS,
    LEAST_PENDING,
    MAX_CONSUMERS,
    MAX_FILES,
    MAX_KNOCK_STORE,
    WATCHER_BYTES,
    WATCHER_FILTERS,
    BrokerSettings,
)
from wasabi_tx.broker.native import Answer, Caretaker, Native
from wasabi_tx.broker.status import read_status
from wasabi_tx.broker.tending import SHARES, forget_erased, make_room_to_knock, tend
from wasabi_tx.net.transport import Arrived, Publication

WATCHERS = 20


@pytest.fixture
def small(tmp_path: Path) -> Iterator[RealBroker]:
    """Provide a NATS server with room for few watchers."""
    broker = RealBroker("nats", tmp_path)
    broker.settings = replace(broker.settings, watchers=WATCHERS)
    broker.start()
    yield broker
    broker.stop()


@contextmanager
def watchers(broker: RealBroker, count: int, clean: bool = True) -> Iterator[list[Raw]]:
    with ExitStack() as stack:
        yield [stack.enter_context(Raw(broker.settings.port, clean=clean)) for _ in range(count)]


async def plays(broker: RealBroker, transport: Opener) -> None:
    """Check that a player can connect, subscribe and receive its own message."""
    here, topic = transport(broker.address), f"wsb1/play/{secrets.token_hex(4)}"
    here.subscribe([topic])
    events = await connected(here)
    here.publish(Publication(topic, b"1"))
    assert await payloads(events, 1) == [b"1"]
    await here.close()


async def copied(broker: RealBroker, transport: Opener, wanted: set[str], tended: bool = False) -> None:
    """Wait until late watchers find exactly these retained; the copy follows within moments and is tended meanwhile."""
    player = transport(broker.address)
    await connected(player)
    found: set[str] = set()
    async with asyncio.timeout(PATIENCE):
        while found != wanted:
            if tended:
                # Once is not enough: an erasure is announced before it takes effect.
                await forget_erased(caretaker_of(broker.settings))
            late, found = transport(broker.watching), set()
            late.subscribe(["wsb1/r/+"])
            events = await connected(late)
            player.publish(Publication("wsb1/r/end", b"end"))
            while isinstance(one := await soon(events), Arrived) and one.retained:
                found.add(one.topic)
            await late.close()


async def test_watchers_beyond_their_share_stay_out_and_players_come_in(small: RealBroker, transport: Opener) -> None:
    with watchers(small, WATCHERS + 10) as crowd:
        assert [watcher.welcome for watcher in crowd] == [True] * WATCHERS + [False] * 10
        await plays(small, transport)
    with watchers(small, 1) as again:
        until(lambda: again[0].welcome or again[0].again(), 10)


async def test_silent_connections_keep_nobody_out_and_are_ended(small: RealBroker, transport: Opener) -> None:
    with ExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(("127.0.0.1", small.settings.port))) for _ in range(600)]
        await plays(small, transport)
        with watchers(small, 1) as crowd:
            assert crowd[0].welcome
        for one in silent:
            one.settimeout(10)
            assert one.recv(1) == b""


async def test_a_watcher_has_only_so_many_filters(small: RealBroker) -> None:
    with watchers(small, 1) as (watcher,):
        granted = watcher.subscribe([f"wsb1/x/{number}" for number in range(WATCHER_FILTERS + 10)])
        assert granted == [0] * WATCHER_FILTERS + [0x80] * 10


async def test_watchers_who_use_up_the_queues_take_them_from_nobody_else(small: RealBroker, transport: Opener) -> None:
    with watchers(small, 12) as crowd:
        granted = [watcher.subscribe([f"wsb1/x/{number}" for number in range(4)], qos=1) for watcher in crowd]
        assert 0x80 in granted[-1], "watchers are refused once the queues are used up"
        assert sum(codes.count(1) for codes in granted) <= MAX_CONSUMERS
        with Raw(small.settings.port, "play", small.settings.password) as player:
            assert player.subscribe(["wsb1/x/1"], qos=1) == [1]
        await plays(small, transport)
        late = transport(small.watching)
        late.subscribe(["wsb1/x/1"])
        await connected(late)


async def test_sessions_that_watchers_leave_behind_fill_only_what_is_theirs(
    small: RealBroker, transport: Opener
) -> None:
    for _ in range(300):
        with Raw(small.settings.port, clean=False, name=secrets.token_hex(2_000)) as watcher:
            watcher.subscribe(["wsb1/x/" + "long/" * 40], qos=0)
    await plays(small, transport)
    here = transport(small.address)
    await connected(here)
    here.publish(Publication("wsb1/r/kept", b"kept", retain=True))
    await copied(small, transport, {"wsb1/r/kept"})


async def test_watchers_find_what_players_retained_and_not_what_they_erased(
    small: RealBroker, transport: Opener
) -> None:
    here = transport(small.address)
    here.subscribe(["wsb1/r/+"])
    events = await connected(here)
    for name in "abc":
        here.publish(Publication(f"wsb1/r/{name}", name.encode(), retain=True))
    await payloads(events, 3)
    await copied(small, transport, {"wsb1/r/a", "wsb1/r/b", "wsb1/r/c"})

    here.publish(Publication("wsb1/r/b", b"", retain=True))
    await payloads(events, 1)
    await copied(small, transport, {"wsb1/r/a", "wsb1/r/c"}, tended=True)

    here.publish(Publication("wsb1/r/b", b"again", retain=True))
    await payloads(events, 1)
    await copied(small, transport, {"wsb1/r/a", "wsb1/r/b", "wsb1/r/c"}, tended=True)


async def test_a_watcher_that_reads_nothing_is_left_behind_and_nobody_waits_for_it(
    small: RealBroker, transport: Opener
) -> None:
    here = transport(small.address)
    here.subscribe(["wsb1/r/end"])
    events = await connected(here)
    with watchers(small, WATCHERS) as crowd:
        for watcher in crowd:
            watcher.subscribe(["wsb1/r/+"])
        for _ in range(100):
            here.publish(Publication("wsb1/r/much", bytes(60_000)))
        here.publish(Publication("wsb1/r/end", b"end"))
        assert await payloads(events, 1) == [b"end"]


async def test_browsers_watch_through_websockets(small: RealBroker, transport: Opener) -> None:
    player = transport(small.address)
    await connected(player)
    watcher = transport(replace(small.websockets, user="", password=""))
    watcher.subscribe(["wsb1/r/+"])
    events = await connected(watcher)
    watcher.publish(Publication("wsb1/r/forged", b"forged"))
    player.publish(Publication("wsb1/r/x", b"1"))
    assert await payloads(events, 1) == [b"1"]


async def test_every_stream_is_bounded(small: RealBroker) -> None:
    tended = await tend(caretaker_of(small.settings))
    assert {(one.account, one.name) for one in tended} == {
        (who, name) for who in ("play", "watch", "knock") for name in SHARES
    }
    assert not any(one.changed for one in tended), "they were bounded before the first player came"
    assert sum(one.most_bytes for one in tended) <= small.settings.max_store + MAX_FILES + 2 * MAX_KNOCK_STORE


async def test_as_many_as_may_knock_do_not_shut_out_who_comes_later(small: RealBroker) -> None:
    with ExitStack() as stack:
        crowd = [stack.enter_context(Raw(small.settings.port, "knock", "knock")) for _ in range(KNOCKERS + 1)]
        assert not crowd[-1].welcome
        assert await make_room_to_knock(caretaker_of(small.settings)) == KNOCKERS // 2
        until(lambda: crowd[-1].again(), PATIENCE)
        assert await make_room_to_knock(caretaker_of(small.settings)) == 0


async def test_a_guest_who_goes_meanwhile_does_not_keep_the_others_in(
    small: RealBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Native.ask_all

    async def with_one_who_has_gone(connection: Native, subject: str, question: object = None) -> list[Answer]:
        answers = await asked(connection, subject, question)
        for answer in answers:
            answer["data"]["connections"].insert(0, {"cid": 1_000_000})
        return answers

    monkeypatch.setattr(Native, "ask_all", with_one_who_has_gone)
    with ExitStack() as stack:
        for _ in range(KNOCKERS - 1):
            stack.enter_context(Raw(small.settings.port, "knock", "knock"))
        assert await make_room_to_knock(caretaker_of(small.settings)) == KNOCKERS // 2 - 1


def test_bytes_that_wait_for_watchers_have_a_bound_together() -> None:
    settings = BrokerSettings(Path(), "127.0.0.1", 0, "secret")
    for count in (0, 1, 16, 100, 256):
        assert replace(settings, watchers=count).max_pending * count <= WATCHER_BYTES
    assert replace(settings, watchers=10_000).max_pending == LEAST_PENDING


async def test_a_watcher_that_reads_nothing_is_cut_off(tmp_path: Path, transport: Opener) -> None:
    broker = RealBroker("nats", tmp_path)
    broker.settings = replace(broker.settings, watchers=256)
    await asyncio.to_thread(broker.start)
    try:
        here = transport(broker.address)
        await connected(here)
        with watchers(broker, 1) as (silent,):
            silent.subscribe(["wsb1/r/+"])
            for _ in range(300):
                here.publish(Publication("wsb1/r/much", bytes(60_000)))
                await asyncio.sleep(0)
            asked = Caretaker("127.0.0.1", broker.settings.care_port, "care", broker.settings.care_password)
            async with asyncio.timeout(PATIENCE):
                while not (await read_status(asked)).refused["slow"]:
                    here.publish(Publication("wsb1/r/much", bytes(60_000)))
    finally:
        await asyncio.to_thread(broker.stop)
