"""Attacks by somebody without a seat: with the broker's password, or without any."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import replace
from itertools import count

from wasabi_protocol.signed.codec import open_as, signed_message, write
from wasabi_protocol.signed.identity import Identity, key_text, parse_key
from wasabi_protocol.signed.messages import Offer
from wasabi_protocol.table.genesis import make_join, table_id
from wasabi_protocol.table.invite_text import parse_invite
from wasabi_protocol.table.topics import Topic, parse_topic
from wasabi_protocol.table.waiting_room import MAX_JOINS
from wasabi_protocol.verdicts import Refused

from tests.attacks.scene import GUESTS, SLOW, Scene, hold, player_at
from tests.broker.raw import Raw
from tests.lab.bench.strangers import shout
from tests.peers.processes import broker_of
from tests.peers.tables import Table
from tests.tui.short import any_rules
from wasabi_tx.net.address import Address
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.net.transport import Arrived, Connected, Publication
from wasabi_tx.online.terms import make_terms

CROWD = 300
SESSIONS, FILTERS = 125, 8
FLOOD = 64_000_000
OFFERS = 520
LOOK = 45
"""Seconds in the lobby: a table renews its offer every 30."""


@asynccontextmanager
async def connected(address: Address, *filters: str) -> AsyncIterator[MqttTransport]:
    transport = MqttTransport([address])
    transport.subscribe(filters)
    transport.open()
    try:
        yield transport
    finally:
        await transport.close()


async def _offer(transport: MqttTransport) -> Offer:
    """Return the offer of the table that the transport listens to."""
    async for event in transport.events():
        if not isinstance(event, Arrived):
            continue
        # The host's own request for a seat arrives there as well.
        with suppress(Refused):
            return open_as(Offer, parse_key(parse_topic(event.topic).author), event.payload)[1]
    raise AssertionError("the connection ended")


async def noise(scene: Scene) -> str:
    """Send a hundred unsigned messages a second, as long as brokers carry them and as slow to parse as possible."""
    table = await scene.open(3, words=SLOW)
    found = parse_invite(table.invite)
    start = f"wsb1/{found.realm}/t/{found.table}"
    keys = [key_text(secrets.token_bytes(32)) for _ in range(50)]
    payloads = (b"\x80" * 64_000, secrets.token_bytes(30_000))
    kinds = ("ask", "mv", "head", "say")

    def make(number: int) -> Publication:
        return Publication(f"{start}/{kinds[number % 4]}/{keys[number % 50]}", payloads[number % 2], 0)

    shouting = asyncio.create_task(shout(player_at(table.invite), make, 600))
    try:
        table.fill()
        return await scene.settled(table)
    finally:
        shouting.cancel()
        await asyncio.gather(shouting, return_exceptions=True)


async def joins(scene: Scene) -> str:
    """Request three times as many seats as a room holds, before the invited friend comes."""
    table = await scene.open(2)
    found = parse_invite(table.invite)
    async with connected(player_at(table.invite), f"wsb1/{found.realm}/t/{found.table}/mv/+") as stranger:
        async with asyncio.timeout(60):
            offer = await _offer(stranger)
        for _ in range(3 * MAX_JOINS):
            who = Identity(secrets.token_bytes(32))
            join = signed_message(who, make_join(who, offer, secrets.token_bytes(32)))
            stranger.publish(Publication(str(Topic(found.realm, "mv", key_text(who.key), found.table)), join))
            await asyncio.sleep(0.02)
    table.fill()
    return await scene.settled(table)


async def retained(scene: Scene) -> str:
    """Fill the broker's store with retained messages: it is not restarted, and a game goes on."""
    table = await scene.open(2, own=True, words=SLOW)
    broker = broker_of(table.host.pid)
    table.fill()
    async with connected(player_at(table.invite)) as stranger:
        await _up(stranger)
        for number in range(FLOOD // 64_000):
            stranger.publish(Publication(f"wsb1/main/x/{number}", secrets.token_bytes(64_000), 1, retain=True))
            await asyncio.sleep(0.002)
        hold(not table.host.running or broker_of(table.host.pid) == broker, "the broker was restarted")
    return await scene.settled(table)


async def _up(transport: MqttTransport) -> None:
    async for event in transport.events():
        if isinstance(event, Connected):
            return


async def offers(scene: Scene) -> str:
    """Publish more offers than the lobby lists: an honest table is still found."""
    rules = any_rules("short-classic", 2)
    async with connected(scene.broker.address) as stranger:
        await _up(stranger)
        for number in range(OFFERS):
            who, salt = Identity(secrets.token_bytes(32)), secrets.token_bytes(32)
            offer = Offer(table_id(who.key, salt), who.key, salt, 1, make_terms(rules, 2, 2), b"", "x", 1, begun=False)
            topic = str(Topic("main", "lobby", key_text(who.key)))
            stranger.publish(Publication(topic, signed_message(who, offer), 1, retain=True))
            await asyncio.sleep(0.002 if number % 50 else 0.1)
        table = await scene.open(2)
        found = await _found_in_lobby(scene, table, scene.broker.address)
    table.fill()
    return f"{found}; {await scene.settled(table)}"


async def _found_in_lobby(scene: Scene, table: Table, address: Address) -> str:
    """Look into the lobby for a while, and check that the table is listed."""
    words = ("lobby", address.url(), "--json", "--seconds", str(LOOK))
    look = scene.programs.start("reader", *words)
    hold(await asyncio.to_thread(look.ended, LOOK + 60) == 0, f"the lobby ended: {look.err}")
    listed = {json.loads(line)["table"] for line in look.out.splitlines()}
    hold(parse_invite(table.invite).table in listed, f"not among the {len(listed)} that are listed")
    return f"{len(listed)} listed and the honest one among them"


@asynccontextmanager
async def _meanwhile(noise: Coroutine[None, None, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(noise)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def own_lobby(scene: Scene) -> str:
    """Write twenty messages a second under a host's own topic in the lobby: its table is listed all the same."""
    table = await scene.open(2)
    async with connected(scene.broker.address, "wsb1/main/lobby/+") as stranger:
        async with asyncio.timeout(60):
            offer = await _offer(stranger)
        topic = str(Topic("main", "lobby", key_text(offer.key)))
        payloads = (secrets.token_bytes(20), secrets.token_bytes(200), bytes(64) + write(offer))

        async def shout_there() -> None:
            for number in count():
                stranger.publish(Publication(topic, payloads[number % 3], 0))
                await asyncio.sleep(0.05)

        async with _meanwhile(shout_there()):
            found = await _found_in_lobby(scene, table, scene.broker.address)
    table.fill()
    return f"{found}; {await scene.settled(table)}"


async def pushed_out(scene: Scene) -> str:
    """Push a host's offer out of the broker's store, again and again: whoever looks sees the next one."""
    table = await scene.open(2, own=True)
    address = player_at(table.invite)
    async with connected(address) as stranger:
        await _up(stranger)

        async def fill_the_store() -> None:
            for number in count():
                stranger.publish(Publication(f"wsb1/main/x/{number}", secrets.token_bytes(64_000), 1, retain=True))
                await asyncio.sleep(0.002)

        async with _meanwhile(fill_the_store()):
            found = await _found_in_lobby(scene, table, replace(address, user="", password=""))
    table.fill()
    return f"{found}; {await scene.settled(table)}"


async def _from_outside(scene: Scene, attack: Callable[[ExitStack, int], None]) -> str:
    """Play a game whose guests come while somebody without a password attacks the host's broker."""
    table = await scene.open(3, own=True)
    port = parse_invite(table.invite).carriers[0].hosts[0][1]
    with ExitStack() as stack:
        await asyncio.to_thread(attack, stack, port)
        table.join(GUESTS[0])
        table.join(GUESTS[1])
        return await scene.settled(table)


async def sessions(scene: Scene) -> str:
    """Leave sessions behind, each with as many queues as possible."""

    def leave_behind(_stack: ExitStack, port: int) -> None:
        for number in range(SESSIONS):
            with Raw(port, clean=False) as guest:
                if guest.welcome:
                    guest.subscribe([f"wsb1/x/{number}/{each}" for each in range(FILTERS)], qos=1)

    return await _from_outside(scene, leave_behind)


async def crowd(scene: Scene) -> str:
    """Open more connections than a broker admits."""

    def come(stack: ExitStack, port: int) -> None:
        for _ in range(CROWD):
            guest = stack.enter_context(Raw(port))
            if guest.welcome:
                guest.subscribe(["wsb1/#"])

    return await _from_outside(scene, come)


ATTACKS = {
    "noise": noise,
    "joins": joins,
    "retained": retained,
    "offers": offers,
    "own-lobby": own_lobby,
    "pushed-out": pushed_out,
    "sessions": sessions,
    "crowd": crowd,
}
