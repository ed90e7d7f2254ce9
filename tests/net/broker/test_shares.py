"""The shares of a broker's limits: what watchers use up is their own, and players do not notice."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.brokers import PATIENCE, RealBroker, until
from tests.net.broker.raw import Raw
from tests.net.conftest import Opener
from tests.net.reading import connected, payloads, soon
from wasabi_tx.net.broker.broker import caretaker_of
from wasabi_tx.net.broker.config import MAX_CONSUMERS, MAX_FILES, MAX_KNOCK_STORE, WATCHER_FILTERS
from wasabi_tx.net.broker.tending import SHARES, forget_erased, tend
from wasabi_tx.net.transport import Arrived, Publication

WATCHERS = 20


@pytest.fixture
def small(tmp_path: Path) -> Iterator[RealBroker]:
    """A NATS server with room for few watchers."""
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
    """A player comes in, subscribes and hears itself."""
    here, topic = transport(broker.address), f"wsb1/play/{secrets.token_hex(4)}"
    here.subscribe([topic])
    events = await connected(here)
    here.publish(Publication(topic, b"1"))
    assert await payloads(events, 1) == [b"1"]
    await here.close()


async def copied(broker: RealBroker, transport: Opener, wanted: set[str], tended: bool = False) -> None:
    """Waits until late watchers find this retained: the copy follows within moments, and is tended meanwhile."""
    player = transport(broker.address)
    await connected(player)
    found: set[str] = set()
    async with asyncio.timeout(PATIENCE):
        while found != wanted:
            if tended:
                # Once is not enough: what is erased is heard of before it is gone.
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
