"""The life of the embedded broker: it starts, is watched, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path

import aiomqtt
import pytest

from tests.broker.raw import Raw
from tests.broker.running import Told, alive, empty, running
from tests.brokers import EACH_KIND, PATIENCE, until
from tests.needs import needs
from tests.net.conftest import Opener
from tests.net.reading import connected, payloads, soon
from wasabi_tx.broker import broker as broker_module
from wasabi_tx.broker import ports
from wasabi_tx.broker.broker import EMPTIED, GONE, MOST_RESTARTS, RESTARTED, Broker
from wasabi_tx.broker.config import KNOCKERS
from wasabi_tx.net.address import KNOCKER
from wasabi_tx.net.transport import Arrived, Connected, Lost, Publication


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_module, "WATCH_EVERY", 0.05)


@pytest.mark.parametrize("engine", EACH_KIND)
async def test_players_play_watchers_watch_and_nothing_is_left_behind(
    engine: str, tmp_path: Path, transport: Opener
) -> None:
    async with running(tmp_path, engine=engine) as broker:
        assert broker.user == "play"
        assert broker.password.isalnum()
        assert not broker.beyond_loopback
        assert not broker.moved
        player, watcher = transport(broker.address()), transport(broker.address(watch=True))
        watcher.subscribe(["wsb1/club/#"])
        events = await connected(watcher)
        await connected(player)
        player.publish(Publication("wsb1/club/x", b"1"))
        assert await payloads(events, 1) == [b"1"]
        pid = broker.pid
        assert alive(pid)
    assert not alive(pid)
    assert empty(tmp_path)


async def test_watchers_soon_find_nothing_of_what_players_erased(
    tmp_path: Path, transport: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_module, "FORGET_EVERY", 0.1)

    async def found() -> bool:
        late = transport(broker.address(watch=True))
        late.subscribe(["wsb1/club/+"])
        events = await connected(late)
        player.publish(Publication("wsb1/club/end", b"end"))
        first = await soon(events)
        await late.close()
        return isinstance(first, Arrived) and first.retained

    async with running(tmp_path) as broker, asyncio.timeout(PATIENCE):
        player = transport(broker.address())
        await connected(player)
        player.publish(Publication("wsb1/club/x", b"1", retain=True))
        while not await found():
            pass
        player.publish(Publication("wsb1/club/x", b"", retain=True))
        while await found():
            pass


async def test_a_crowd_at_the_door_is_thinned_out_by_itself(tmp_path: Path) -> None:
    async with running(tmp_path) as broker:

        def come_and_wait() -> None:
            with ExitStack() as stack:
                crowd = [stack.enter_context(Raw(broker.port, KNOCKER, KNOCKER)) for _ in range(KNOCKERS)]
                assert any(one.welcome for one in crowd)
                assert crowd[0].read(1) == b""
                friend = stack.enter_context(Raw(broker.port, KNOCKER, KNOCKER))
                until(lambda: friend.welcome or friend.again(), PATIENCE)

        await asyncio.to_thread(come_and_wait)


async def test_a_taken_port_gives_the_next_free_one(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        async with running(tmp_path, port=port) as broker:
            assert broker.moved
            assert port < broker.port < port + 50


async def test_somebody_quicker_at_the_port_is_stepped_aside_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        real: Callable[[str, int, set[int]], int] = ports.free_port
        calls: list[set[int]] = []

        def too_early(host: str, wish: int, known: set[int]) -> int:
            if wish != port:
                return real(host, wish, known)
            calls.append(known & {port})
            return port if not calls[1:] else real(host, wish, known)

        monkeypatch.setattr(ports, "free_port", too_early)
        async with running(tmp_path, port=port) as broker:
            assert broker.port != port
            assert broker.moved
        assert calls == [set(), {port}]


async def test_websockets_have_a_port_of_their_own(tmp_path: Path, transport: Opener) -> None:
    async with running(tmp_path, websocket_port=0) as broker:
        assert broker.websocket_port not in (None, 0, broker.port)
        here = transport(broker.websocket_address())
        here.subscribe(["wsb1/club/x"])
        events = await connected(here)
        here.publish(Publication("wsb1/club/x", b"1"))
        assert await payloads(events, 1) == [b"1"]


async def test_a_password_of_ones_own_is_used(tmp_path: Path, transport: Opener) -> None:
    async with running(tmp_path, password="our-club.2026_~") as broker:
        assert broker.address().password == "our-club.2026_~"
        await connected(transport(broker.address()))


@needs("mosquitto")
async def test_a_full_store_of_mosquitto_is_emptied_and_play_goes_on(tmp_path: Path, transport: Opener) -> None:
    told = Told()
    async with running(tmp_path, engine="mosquitto", max_store=4_000_000, report=told) as broker:
        port, password = broker.port, broker.password
        here = transport(broker.address())
        here.subscribe(["wsb1/club/x"])
        events = await connected(here)
        flood = asyncio.create_task(_flood(broker))
        assert await told.next() == EMPTIED
        flood.cancel()
        await asyncio.gather(flood, return_exceptions=True)
        assert (broker.port, broker.password, broker.emptied) == (port, password, 1)
        while True:
            here.publish(Publication("wsb1/club/x", b"on"))
            one = await soon(events)
            if isinstance(one, Lost):
                while not isinstance(await soon(events), Connected):
                    pass
            elif isinstance(one, Arrived):
                assert one.payload == b"on"
                break


async def test_a_full_store_forgets_the_oldest_and_nobody_is_interrupted(tmp_path: Path, transport: Opener) -> None:
    told = Told()
    async with running(tmp_path, max_store=8_000_000, report=told) as broker:
        pid = broker.pid
        here = transport(broker.address())
        here.subscribe(["wsb1/club/x"])
        events = await connected(here)
        await _flood(broker, 400)
        here.publish(Publication("wsb1/club/x", b"on"))
        assert await payloads(events, 1) == [b"on"]
        for watch in (False, True):
            late = transport(broker.address(watch))
            late.subscribe(["wsb1/club/399", "wsb1/club/0", "wsb1/club/end"])
            found = await connected(late)
            here.publish(Publication("wsb1/club/end", b"end"))
            arrived = [one.topic for one in [await soon(found), await soon(found)] if isinstance(one, Arrived)]
            assert arrived == ["wsb1/club/399", "wsb1/club/end"]
        assert broker.pid == pid
        assert told.silent
        assert await asyncio.to_thread(_stored, tmp_path) < 12_000_000


def _stored(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.blk"))


@needs("mosquitto")
async def test_one_who_provokes_the_emptying_again_and_again_is_left_waiting(tmp_path: Path) -> None:
    told = Told()
    async with running(tmp_path, engine="mosquitto", max_store=4_000_000, report=told) as broker:
        flood = asyncio.create_task(_flood_for_ever(broker))
        for _ in range(MOST_RESTARTS):
            assert await told.next() == EMPTIED
        # It is full again by now, and nobody is disconnected for that.
        with pytest.raises(TimeoutError):
            await told.next(1.0)
        flood.cancel()
        await asyncio.gather(flood, return_exceptions=True)


async def _flood_for_ever(broker: Broker) -> None:
    while True:
        with suppress(aiomqtt.MqttError):
            await _flood(broker, timeout=0.5)
        await asyncio.sleep(0.01)


async def _flood(broker: Broker, most: int | None = None, timeout: float = PATIENCE) -> None:  # noqa: ASYNC109
    """Fill the store with retained messages, as a player, as fast as the broker accepts them."""
    client = aiomqtt.Client(
        "127.0.0.1", broker.port, identifier="flood", username=broker.user, password=broker.password, timeout=PATIENCE
    )
    try:
        async with client:
            for number in count() if most is None else range(most):
                # Without an acknowledgement for this long, the connection is gone.
                body = secrets.token_bytes(60_000)
                await client.publish(f"wsb1/club/{number}", body, qos=1, retain=True, timeout=timeout)
    finally:
        _forget(client)


def _forget(client: aiomqtt.Client) -> None:
    """Consume the exception that ended a connection, about which the library would otherwise complain."""
    if client._disconnected.done():
        client._disconnected.exception()


@pytest.mark.parametrize("engine", EACH_KIND)
async def test_no_watcher_empties_the_store_by_putting_words_into_the_log(
    engine: str, tmp_path: Path, transport: Opener
) -> None:
    told = Told()
    async with running(tmp_path, engine=engine, report=told) as broker:
        words = [
            "insufficient resources",
            "JetStream resource limits exceeded for server",
            "x\n[1] 2026/01/01 00:00:00.000000 [ERR] JetStream resource limits exceeded for server",
            "x\n1790000000: Error: Out of memory.\n",
            "x disconnected due to out of memory.",
        ]
        for word in words:
            client = aiomqtt.Client("127.0.0.1", broker.port, identifier=word, username=word, timeout=0.3)
            with pytest.raises(aiomqtt.MqttError):
                await client.__aenter__()
            client = aiomqtt.Client("127.0.0.1", broker.port, identifier=word, timeout=0.3)
            try:
                async with client:
                    await client.publish(f"wsb1/{word}", b"", qos=0)
                    await client.publish(word.replace(" ", "/"), b"", qos=0)
                    await client.subscribe(word)
            except aiomqtt.MqttError:
                _forget(client)
        assert await asyncio.to_thread(broker._in_trouble) is False
        assert broker.emptied == 0
        await connected(transport(broker.address()))


async def test_a_broker_that_dies_is_started_again_with_the_same_port_and_password(
    tmp_path: Path, transport: Opener
) -> None:
    told = Told()
    async with running(tmp_path, report=told) as broker:
        port, password, pid = broker.port, broker.password, broker.pid
        here = transport(broker.address())
        events = await connected(here)
        os.kill(pid, signal.SIGKILL)
        assert await told.next() == RESTARTED
        assert (broker.port, broker.password) == (port, password)
        assert broker.pid != pid
        assert isinstance(await soon(events), Lost)
        while not isinstance(await soon(events), Connected):
            pass


async def test_one_that_dies_again_and_again_is_given_up(tmp_path: Path) -> None:
    told = Told()
    async with running(tmp_path, report=told) as broker:
        for _ in range(MOST_RESTARTS):
            os.kill(broker.pid, signal.SIGKILL)
            assert await told.next() == RESTARTED
        os.kill(broker.pid, signal.SIGKILL)
        assert await told.next() == GONE


async def test_two_hundred_clients_at_once_hear_the_same(tmp_path: Path, transport: Opener) -> None:
    async with running(tmp_path, watchers=200) as broker:
        everybody = asyncio.Barrier(201)

        async def watch(number: int) -> list[bytes]:
            async with aiomqtt.Client("127.0.0.1", broker.port, identifier=f"watcher{number}", timeout=30) as client:
                await client.subscribe("wsb1/club/x", qos=0)
                await everybody.wait()
                heard = []
                async for message in client.messages:
                    assert isinstance(message.payload, bytes)
                    heard.append(message.payload)
                    if message.payload == b"end":
                        break
            return heard

        async def play() -> None:
            player = transport(broker.address())
            await connected(player)
            await everybody.wait()
            for payload in (b"1", b"2", b"end"):
                player.publish(Publication("wsb1/club/x", payload))

        async with asyncio.timeout(60):
            heard = await asyncio.gather(*(watch(number) for number in range(200)), play())
        assert heard[:200] == [[b"1", b"2", b"end"]] * 200
