"""The life of the embedded broker: it starts, is watched, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path

import aiomqtt
import pytest

from tests.brokers import KINDS, until
from tests.net.conftest import Opener
from tests.net.reading import connected, payloads, soon
from wasabi_tx.net import broker as broker_module
from wasabi_tx.net import ports
from wasabi_tx.net.broker import EMPTIED, GONE, MOST_RESTARTS, RESTARTED, Broker
from wasabi_tx.net.engine import BrokerFailed, find_engine
from wasabi_tx.net.transport import Arrived, Connected, Lost, Publication
from wasabi_tx.text import Texts


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # Whoever inherits a dead process may be slow to take note of it.
    state = Path(f"/proc/{pid}/stat")
    try:
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def empty(folder: Path) -> bool:
    return not any(folder.iterdir())


class Told:
    """What a broker has told its owner, to be waited for."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[str] = asyncio.Queue()

    def __call__(self, what: str) -> None:
        self._queue.put_nowait(what)

    async def next(self, seconds: float = 15) -> str:
        return await asyncio.wait_for(self._queue.get(), seconds)


@asynccontextmanager
async def running(folder: Path, **options: object) -> AsyncIterator[Broker]:
    broker = await Broker.start(folder, **options)  # type: ignore[arg-type]
    try:
        yield broker
    finally:
        await broker.stop()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_module, "WATCH_EVERY", 0.05)


@pytest.mark.parametrize("engine", KINDS)
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
        news = await connected(watcher)
        await connected(player)
        player.publish(Publication("wsb1/club/x", b"1"))
        assert await payloads(news, 1) == [b"1"]
        pid = broker.pid
        assert alive(pid)
    assert not alive(pid)
    assert empty(tmp_path)


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
            calls.append(set(known))
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
        news = await connected(here)
        here.publish(Publication("wsb1/club/x", b"1"))
        assert await payloads(news, 1) == [b"1"]


async def test_a_password_of_ones_own_is_used(tmp_path: Path, transport: Opener) -> None:
    async with running(tmp_path, password="our-club.2026_~") as broker:
        assert broker.address().password == "our-club.2026_~"
        await connected(transport(broker.address()))


@pytest.mark.parametrize("engine", KINDS)
async def test_a_full_store_is_emptied_and_play_goes_on(engine: str, tmp_path: Path, transport: Opener) -> None:
    told = Told()
    async with running(tmp_path, engine=engine, max_store=4_000_000, tell=told) as broker:
        port, password = broker.port, broker.password
        here = transport(broker.address())
        here.subscribe(["wsb1/club/x"])
        news = await connected(here)
        flood = asyncio.create_task(_flood(broker))
        assert await told.next() == EMPTIED
        await flood
        assert (broker.port, broker.password, broker.emptied) == (port, password, 1)
        while True:
            here.publish(Publication("wsb1/club/x", b"on"))
            one = await soon(news, 15)
            if isinstance(one, Lost):
                while not isinstance(await soon(news, 15), Connected):
                    pass
            elif isinstance(one, Arrived):
                assert one.payload == b"on"
                break


async def _flood(broker: Broker) -> None:
    """Somebody who may play fills the store with retained messages as fast as the broker takes them."""
    client = aiomqtt.Client(
        "127.0.0.1", broker.port, identifier="flood", username=broker.user, password=broker.password, timeout=2
    )
    with suppress(aiomqtt.MqttError):
        async with client:
            for number in count():
                await client.publish(f"wsb1/club/{number}", secrets.token_bytes(60_000), qos=1, retain=True)
    _forget(client)


def _forget(client: aiomqtt.Client) -> None:
    """Takes note of how a connection ended, about which the library would complain otherwise."""
    if client._disconnected.done():
        client._disconnected.exception()


@pytest.mark.parametrize("engine", KINDS)
async def test_no_guest_empties_the_store_by_putting_words_into_the_log(
    engine: str, tmp_path: Path, transport: Opener
) -> None:
    told = Told()
    async with running(tmp_path, engine=engine, tell=told) as broker:
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
        assert await asyncio.to_thread(broker._full) is False
        assert broker.emptied == 0
        await connected(transport(broker.address()))


async def test_a_broker_that_dies_is_started_again_with_the_same_port_and_password(
    tmp_path: Path, transport: Opener
) -> None:
    told = Told()
    async with running(tmp_path, tell=told) as broker:
        port, password, pid = broker.port, broker.password, broker.pid
        here = transport(broker.address())
        news = await connected(here)
        os.kill(pid, signal.SIGKILL)
        assert await told.next() == RESTARTED
        assert (broker.port, broker.password) == (port, password)
        assert broker.pid != pid
        assert isinstance(await soon(news), Lost)
        while not isinstance(await soon(news, 15), Connected):
            pass


async def test_one_that_dies_again_and_again_is_given_up(tmp_path: Path) -> None:
    told = Told()
    async with running(tmp_path, tell=told) as broker:
        for _ in range(MOST_RESTARTS):
            os.kill(broker.pid, signal.SIGKILL)
            assert await told.next() == RESTARTED
        os.kill(broker.pid, signal.SIGKILL)
        assert await told.next() == GONE


# Dying with the parent

PARENT = """
import asyncio, sys, threading
from pathlib import Path
from wasabi_tx.net.broker import Broker

async def main():
    broker = await Broker.start(Path(sys.argv[1]), engine=sys.argv[2])
    print(broker.pid, broker._child._process.pid, flush=True)
    await asyncio.Event().wait()

if len(sys.argv) > 3:
    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    thread.join()
else:
    asyncio.run(main())
"""


@asynccontextmanager
async def parent(folder: Path, *words: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, int, int]]:
    """Another process with a broker: itself, the broker's id, the leash's."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, str(folder), *words, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), 20)
    pid, leash = (int(word) for word in line.split())
    try:
        yield process, pid, leash
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    ("words", "number"),
    [
        (("nats",), signal.SIGKILL),
        (("mosquitto",), signal.SIGKILL),
        (("nats", "in a thread"), signal.SIGKILL),
        (("nats",), signal.SIGTERM),
    ],
)
async def test_the_broker_is_gone_when_its_parent_is_killed(
    tmp_path: Path, words: tuple[str, ...], number: signal.Signals
) -> None:
    async with parent(tmp_path, *words) as (process, pid, leash):
        assert alive(pid)
        process.send_signal(number)
        await process.wait()
        await asyncio.to_thread(until, lambda: not alive(pid), 10)
        await asyncio.to_thread(until, lambda: not alive(leash) and empty(tmp_path), 10)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can tell a process that its parent died")
async def test_the_broker_is_gone_even_when_its_leash_is_killed(tmp_path: Path) -> None:
    async with parent(tmp_path, "nats") as (process, pid, leash):
        # The parent would start it again; it has to go first, without being able to let go of the leash.
        process.send_signal(signal.SIGSTOP)
        os.kill(leash, signal.SIGKILL)
        await asyncio.to_thread(until, lambda: not alive(pid), 10)


@pytest.mark.skipif(os.name != "posix", reason="signals")
async def test_ctrl_c_at_the_terminal_does_not_reach_the_broker(tmp_path: Path) -> None:
    async with parent(tmp_path, "nats") as (_, pid, leash):
        assert os.getpgid(pid) == os.getpgid(leash) != os.getpgid(0)
        assert os.getsid(pid) != os.getsid(0)


# What can be wrong with an engine, a folder or an address


def script(folder: Path, text: str) -> str:
    path = folder / "engine"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def a_script(text: str) -> Callable[[Path], str]:
    return lambda folder: script(folder, text)


def no_program(folder: Path) -> str:
    path = folder / "engine"
    path.write_bytes(b"\x7fELF nonsense")
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(os.name != "posix", reason="shell scripts")
@pytest.mark.parametrize(
    ("engine", "code"),
    [
        (lambda folder: str(folder / "none"), "engine-missing"),
        (a_script("echo hello"), "engine-wrong"),
        (a_script("echo 'nats-server: v2.10.29'"), "engine-old"),
        (a_script("echo 'nats-server: v2.14.2'"), "engine-old"),
        (a_script("echo 'mosquitto version 1.6.15'"), "engine-old"),
        (a_script("echo 'nats-server: v2.14.3'; [ $1 = --version ] || echo 'no such luck' >&2"), "engine-died"),
        (a_script("[ $1 = --version ] && echo 'nats-server: v2.14.3' || exec sleep 60"), "no-answer"),
        (no_program, "engine-wrong"),
        (str, "engine-wrong"),
    ],
)
async def test_an_engine_of_no_use_gives_a_sentence(
    engine: Callable[[Path], str], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_module, "START_TIMEOUT", 0.5)
    programs = tmp_path / "programs"
    programs.mkdir()
    with pytest.raises(BrokerFailed) as failed:
        await Broker.start(tmp_path / "run", engine=engine(programs))
    assert failed.value.code == code
    for language in ("en", "it"):
        assert "{" not in Texts(language).say(f"broker.{code}", **failed.value.params)
    if code == "engine-died":
        assert failed.value.params["reason"] == "no such luck"
    await asyncio.to_thread(until, lambda: not (tmp_path / "run").exists() or empty(tmp_path / "run"), 5)


async def test_the_packaged_engine_is_the_wheels_own_and_no_other_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "nats-server"
    other.write_text("#!/bin/sh\necho 'nats-server: v9.9.9'\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    engine = find_engine()
    assert engine.kind == "nats"
    assert engine.version == (2, 15, 1)
    assert engine.path.parent == Path(sys.executable).parent


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"bind": "192.0.2.1"}, "bind"),
        ({"bind": "no such host"}, "bind"),
        ({"password": "with space"}, "password-form"),
        ({"password": ""}, "password-form"),
        ({"password": 'x"\n}'}, "password-form"),
    ],
)
async def test_what_cannot_be_done_gives_a_sentence(options: dict[str, str], code: str, tmp_path: Path) -> None:
    with pytest.raises(BrokerFailed) as failed:
        await Broker.start(tmp_path, **options)  # type: ignore[arg-type]
    assert failed.value.code == code
    for language in ("en", "it"):
        assert Texts(language).say(f"broker.{code}", **failed.value.params)


async def test_a_folder_that_is_none_gives_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BrokerFailed) as failed:
        await Broker.start(tmp_path / "file")
    assert failed.value.code == "folder"


async def test_folders_with_odd_names_do(tmp_path: Path, transport: Opener) -> None:
    for engine in KINDS:
        async with running(tmp_path / 'a "b" \\c è', engine=engine) as broker:
            await connected(transport(broker.address()))
