"""The limits of guests at the embedded broker: each test is an attack that works on a default broker."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import aiomqtt
import pytest

from tests.broker.raw import connect_packet, packet
from tests.broker.running import running
from tests.brokers import PATIENCE, RealBroker
from tests.net.conftest import Opener
from tests.net.proxy import Mode, Proxy
from tests.net.reading import connected, payloads, soon
from wasabi_tx.broker.config import CARETAKER
from wasabi_tx.net.address import KNOCKER, Address
from wasabi_tx.net.transport import MAX_PAYLOAD, Arrived, Lost, Publication, TransportEvent

INNER = [
    "$JS/API/STREAM/DELETE/$MQTT_rmsgs",
    "$JS/API/STREAM/PURGE/$MQTT_rmsgs",
    "$MQTT/rmsgs/wsb1/{realm}/forged",
    "$MQTT/msgs/wsb1/{realm}/forged",
    "$MQTT/sub/{realm}",
    "$SYS/REQ/SERVER/PING",
    "$SYS/broker/forged",
]
OUTSIDE = ["other/{realm}", "wsb1", "wsb2/{realm}/x", "/wsb1/{realm}/x", "wsb1.{realm}.x", *INNER]


@asynccontextmanager
async def guest(address: Address) -> AsyncIterator[aiomqtt.Client]:
    """Connect a client without our own client's restraint."""
    client = aiomqtt.Client(
        address.host,
        address.port,
        identifier=secrets.token_hex(8),
        username=address.user or None,
        password=address.password or None,
        timeout=PATIENCE,
    )
    async with client:
        yield client


async def listening(transport: Opener, broker: RealBroker, realm: str) -> AsyncIterator[TransportEvent]:
    """Return the events of a subscriber that would notice an attack."""
    here = transport(broker.address)
    here.subscribe([f"wsb1/{realm}/#", "wsb1"])
    return await connected(here)


async def expect_only_marker(
    events: AsyncIterator[TransportEvent], transport: Opener, broker: RealBroker, realm: str
) -> None:
    """Check that only this marker arrives: anything sent earlier would arrive before it."""
    marker = transport(broker.address)
    await connected(marker)
    marker.publish(Publication(f"wsb1/{realm}/marker", b"marker"))
    assert await soon(events) == Arrived(f"wsb1/{realm}/marker", b"marker", False)


@pytest.mark.parametrize("qos", [0, 1])
async def test_a_watcher_publishes_nothing_anywhere(
    broker: RealBroker, transport: Opener, realm: str, qos: int
) -> None:
    events = await listening(transport, broker, realm)
    keeper = transport(broker.address)
    await connected(keeper)
    keeper.publish(Publication(f"wsb1/{realm}/kept", b"kept", retain=True))
    assert await payloads(events, 1) == [b"kept"]
    async with guest(broker.watching) as watcher:
        for topic in (f"wsb1/{realm}/x", f"wsb1/{realm}/kept", *(topic.format(realm=realm) for topic in OUTSIDE)):
            for retain in (False, True):
                await watcher.publish(topic, b"forged", qos=qos, retain=retain)
            # An empty retained payload would erase what others retained there.
            await watcher.publish(topic, b"", qos=qos, retain=True)
        # Once this is acknowledged, everything before it has been processed.
        await watcher.publish(f"wsb1/{realm}/x", b"forged", qos=1)
    await expect_only_marker(events, transport, broker, realm)
    late = transport(broker.watching)
    late.subscribe([f"wsb1/{realm}/#"])
    assert await soon(await connected(late)) == Arrived(f"wsb1/{realm}/kept", b"kept", True)


@pytest.mark.parametrize("qos", [0, 1])
async def test_who_knocks_publishes_and_reads_nothing_else(
    broker: RealBroker, transport: Opener, realm: str, qos: int
) -> None:
    events = await listening(transport, broker, realm)
    door = transport(broker.address)
    door.subscribe(["wsb1/knock/#", "wsb1/knocked/#"])
    heard = await connected(door)
    async with guest(replace(broker.watching, user=KNOCKER, password=KNOCKER)) as knocker:
        outside = [f"wsb1/{realm}/x", f"wsb1/{realm}/knock/a", "wsb1/knock", "wsb1/knock/a/b", "wsb1/knocked/a"]
        for topic in (*outside, *(topic.format(realm=realm) for topic in OUTSIDE)):
            for payload in (b"forged", b""):
                await knocker.publish(topic, payload, qos=qos, retain=True)
        await knocker.publish("wsb1/knock/a", b"knock", qos=1)
        assert await soon(heard) == Arrived("wsb1/knock/a", b"knock", False)
        await expect_only_marker(events, transport, broker, realm)
        # Whatever it subscribes to, it receives only answers.
        for pattern in ("wsb1/#", f"wsb1/{realm}/#", "wsb1/knock/#", "#", "wsb1/knocked/+"):
            await knocker.subscribe(pattern)
        for topic in (f"wsb1/{realm}/marker", "wsb1/knock/b", "wsb1/knocked/me"):
            door.publish(Publication(topic, b"x"))
        async with asyncio.timeout(PATIENCE):
            message = await anext(aiter(knocker.messages))
        assert str(message.topic) == "wsb1/knocked/me"


async def test_what_knockers_have_retained_is_little_and_keeps_nobody_from_playing(
    broker: RealBroker, transport: Opener, realm: str
) -> None:
    keeper = transport(broker.address)
    keeper.subscribe([f"wsb1/{realm}/kept"])
    events = await connected(keeper)
    keeper.publish(Publication(f"wsb1/{realm}/kept", b"kept", retain=True))
    assert await payloads(events, 1) == [b"kept"]
    async with guest(replace(broker.watching, user=KNOCKER, password=KNOCKER)) as knocker:
        for number in range(200):
            for letter in ("a", "b", f"x{number}"):
                await knocker.publish(f"wsb1/knock/{letter}", secrets.token_bytes(30_000), qos=0, retain=True)
        await knocker.publish("wsb1/knock/c", b"", qos=1)
    late = transport(broker.address)
    late.subscribe([f"wsb1/{realm}/#"])
    assert await soon(await connected(late)) == Arrived(f"wsb1/{realm}/kept", b"kept", True)
    door = transport(broker.address)
    door.subscribe(["wsb1/knock/#"])
    heard = await connected(door)
    door.publish(Publication("wsb1/knock/marker", b"marker"))
    found = []
    while (one := await soon(heard)) != Arrived("wsb1/knock/marker", b"marker", False):
        assert isinstance(one, Arrived)
        found.append(one.topic)
        door.publish(Publication(one.topic, b"", retain=True))
    assert set(found) <= {"wsb1/knock/a", "wsb1/knock/b"}
    assert not re.search(rb"resource limits exceeded|Out of memory", broker.settings.log.read_bytes())


async def test_a_watchers_will_is_never_read(broker: RealBroker, transport: Opener, realm: str) -> None:
    events = await listening(transport, broker, realm)
    async with Proxy(broker.watching) as proxy:
        watcher = transport(proxy.address)
        watcher.subscribe([f"wsb1/{realm}/#"])
        theirs = await connected(watcher, Publication(f"wsb1/{realm}/x", b"forged", retain=True))
        await proxy.set(Mode.RESET)
        assert isinstance(await soon(theirs), Lost)
        await watcher.close()
    await expect_only_marker(events, transport, broker, realm)


async def test_a_player_publishes_only_below_the_root(broker: RealBroker, transport: Opener, realm: str) -> None:
    events = await listening(transport, broker, realm)
    keeper = transport(broker.address)
    await connected(keeper)
    keeper.publish(Publication(f"wsb1/{realm}/kept", b"kept", retain=True))
    assert await payloads(events, 1) == [b"kept"]
    async with guest(broker.address) as player:
        for topic in OUTSIDE:
            for qos in (0, 1):
                await player.publish(topic.format(realm=realm), b"forged", qos=qos, retain=True)
    await expect_only_marker(events, transport, broker, realm)
    late = transport(broker.watching)
    late.subscribe([f"wsb1/{realm}/#", "wsb1"])
    assert await soon(await connected(late)) == Arrived(f"wsb1/{realm}/kept", b"kept", True)


@pytest.mark.parametrize("pattern", ["#", "+/x", "other/#", "$JS/#", "$SYS/#", "$MQTT/#", "$MQTT/sub/#", "/#"])
async def test_nobody_reads_beyond_the_root(nats_broker: RealBroker, pattern: str) -> None:
    for address in (nats_broker.watching, nats_broker.address):
        async with guest(address) as client:
            granted = await client.subscribe(pattern, qos=1)
            assert [getattr(code, "value", code) for code in granted] == [128]


@pytest.mark.parametrize(
    ("user", "password"),
    [("play", "wrong"), ("play", ""), ("watch", ""), ("watch", "watch"), ("native", ""), ("nobody", "x")],
)
async def test_a_guest_with_a_wrong_password_is_not_let_in(broker: RealBroker, user: str, password: str) -> None:
    client = aiomqtt.Client(
        "127.0.0.1", broker.settings.port, identifier="guest", username=user, password=password, timeout=PATIENCE
    )
    with pytest.raises(aiomqtt.exceptions.MqttConnectError):
        await client.__aenter__()


async def test_an_oversize_message_reaches_nobody_and_the_others_play_on(
    broker: RealBroker, transport: Opener, realm: str
) -> None:
    events = await listening(transport, broker, realm)
    topic = f"wsb1/{realm}/x".encode()
    body = len(topic).to_bytes(2, "big") + topic + bytes(MAX_PAYLOAD + 1)
    async with _raw(broker.settings.port) as (reader, writer):
        writer.write(connect_packet("play", broker.settings.password) + packet(0x30, body) + b"\xc0\x00")
        assert await asyncio.wait_for(reader.readexactly(4), PATIENCE) == b"\x20\x02\x00\x00"
        # NATS disconnects a client that sends this much; Mosquitto drops it and answers the ping.
        with suppress(OSError):
            assert await asyncio.wait_for(reader.read(2), PATIENCE) in (b"", b"\xd0\x00")
    await expect_only_marker(events, transport, broker, realm)


async def test_the_native_port_is_on_loopback_and_takes_nobody(nats_broker: RealBroker) -> None:
    password = nats_broker.settings.password
    logins = [{}, {"user": "play", "pass": password}, {"user": "watch"}, {"user": CARETAKER, "pass": password}]
    for options in (json.dumps(login).encode() for login in logins):
        async with _raw(nats_broker.settings.care_port) as (reader, writer):
            assert (await reader.readline()).startswith(b"INFO")
            writer.write(b"CONNECT " + options + b"\r\nPING\r\n")
            assert b"Authorization Violation" in await asyncio.wait_for(reader.readline(), PATIENCE)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_nothing_else_listens(nats_broker: RealBroker) -> None:
    ports = _listening_ports(nats_broker.pid)
    settings = nats_broker.settings
    assert ports == {settings.port, settings.websocket_port, settings.care_port}


async def test_what_is_kept_is_readable_by_nobody_else(broker: RealBroker) -> None:
    folder = broker.settings.folder
    assert folder.stat().st_mode & 0o777 == 0o700
    assert broker.settings.store.stat().st_mode & 0o777 == 0o700
    written = list(folder.glob(f"{broker.kind}.*"))
    assert written
    assert {path.stat().st_mode & 0o777 for path in written} == {0o600}
    assert broker.settings.password not in repr(broker.settings)


async def test_a_page_of_another_site_in_a_browser_stays_out(nats_broker: RealBroker, tmp_path: Path) -> None:
    port = nats_broker.settings.websocket_port
    assert [await _answer(port, origin) for origin in (None, f"http://127.0.0.1:{port}")] == [b"101", b"101"]
    assert await _answer(port, "https://evil.example") == b"403"
    sites = ["https://play.example", "http://127.0.0.1:8000"]
    async with running(tmp_path, websocket_port=0, origins=sites) as broker:
        assert [await _answer(broker.websocket_port, origin) for origin in (None, *sites)] == [b"101"] * 3
        others = ("https://evil.example", "http://play.example", "https://play.example:8443", "null")
        assert [await _answer(broker.websocket_port, origin) for origin in others] == [b"403"] * len(others)


async def _answer(port: int | None, origin: str | None) -> bytes:
    """Ask for a websocket as a page of this site does, and return the status of the answer."""
    lines = [
        "GET /mqtt HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: mqtt",
        *([f"Origin: {origin}"] if origin else []),
    ]
    async with _raw(port) as (reader, writer):
        writer.write("\r\n".join([*lines, "", ""]).encode())
        return (await asyncio.wait_for(reader.readline(), PATIENCE)).split()[1]


@asynccontextmanager
async def _raw(port: int | None) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()


def _listening_ports(pid: int) -> set[int]:
    sockets = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        found = re.fullmatch(r"socket:\[(\d+)\]", str(link.readlink()))
        if found:
            sockets.add(found[1])
    ports = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            words = line.split()
            if words[3] == "0A" and words[9] in sockets:
                ports.add(int(words[1].rpartition(":")[2], 16))
                assert words[1].startswith(f"{int.from_bytes(socket.inet_aton('127.0.0.1'), sys.byteorder):08X}")
    return ports
