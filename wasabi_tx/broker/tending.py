"""Tending the NATS streams that store what MQTT retains: they are bounded, and copied for the watchers.

A bounded stream drops its oldest messages first, so a full store never stops a game. Watchers have an account of their
own, in which they can exhaust only their own resources; the players' retained messages are copied there.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from .config import KNOCK, KNOCKERS, PLAY, WATCH, WATCHER_COPY
from .native import Answer, Caretaker, Native, NativeFailed, NativeProblem, native

RETAINED = "$MQTT_rmsgs"
ACCOUNTS = (PLAY, WATCH, KNOCK)
SHARES = {RETAINED: 0.9, "$MQTT_msgs": 0.6, "$MQTT_sess": 0.2, "$MQTT_out": 0.05, "$MQTT_qos2in": 0.05}
"""The MQTT streams of each account, with their shares of the account's disk or, for the first, memory."""
LONGEST_SESSION = 3600 * 10**9
"""Nanoseconds that the session of an absent client is remembered; our clients request none."""
MOST_FORGOTTEN = 1000
"""Most topics forgotten at one time, so that mass erasure delays nobody."""
RETAINED_SUBJECT = "$MQTT.rmsgs."
EVERY_SUBJECT = {"subjects_filter": ">"}
APPEARS = 10.0
"""Seconds for streams to appear after the first client of an account."""


@dataclass(frozen=True, slots=True)
class Tended:
    """A stream and its limits."""

    account: str
    name: str
    most_bytes: int
    changed: bool


async def prepare(taker: Caretaker, nodes: int = 1) -> None:
    """Create the streams of retained messages in memory, before the first MQTT client would create them on disk.

    On disk they take many times as much memory and write constantly, because chunks of logs replace one another.
    Existing streams stay unchanged. In a cluster of three or more nodes, three of them store replicas.
    """
    replicas = 3 if nodes >= 3 else 1
    async with native(taker) as connection:
        for account in ACCOUNTS:
            if await _found(connection, account, RETAINED) is not None:
                continue
            wanted = {
                "name": RETAINED,
                "subjects": [f"{RETAINED_SUBJECT}>"],
                "retention": "limits",
                "storage": "memory",
                "discard": "old",
                "max_msgs_per_subject": 1,
                "max_bytes": await _most(connection, account, RETAINED, "memory") // replicas,
                "num_replicas": replicas,
            }
            await connection.ask(f"{account}.API.STREAM.CREATE.{RETAINED}", wanted)


async def tend(taker: Caretaker, everybody_came: bool = False) -> list[Tended]:
    """Bound every stream and connect the watchers' copy; idempotent. Raise `NativeFailed` if that fails.

    An account's streams exist from its first MQTT client on. They are waited for only where `everybody_came`: before
    that there is nothing to bound, and whoever tends again bounds it then.
    """
    async with native(taker) as connection:
        streams = [(account, name) for account in ACCOUNTS for name in SHARES]
        tended = [
            await _tended(connection, account, name)
            for account, name in streams
            if everybody_came or await _found(connection, account, name) is not None
        ]
        for account in (PLAY, WATCH):
            await _replicate_readers(connection, account)
        await _copied(connection)
        await _forget_erased(connection)
        return tended


async def make_room_to_knock(taker: Caretaker) -> int:
    """End the oldest guest connections before they shut others out; return how many were ended.

    A guest who still waits reconnects and knocks again.
    """
    async with native(taker) as connection:
        ended = 0
        question = {"acc": KNOCK, "sort": "start", "limit": KNOCKERS}
        for answer in await connection.ask_all("$SYS.REQ.SERVER.PING.CONNZ", question):
            there = answer["data"]["connections"]
            for one in there[: len(there) // 2] if len(there) >= KNOCKERS * 3 // 4 else []:
                try:
                    await connection.ask(f"$SYS.REQ.SERVER.{answer['server']['id']}.KICK", {"cid": one["cid"]})
                except NativeFailed as failed:
                    if failed.code is not NativeProblem.REFUSED:
                        raise
                    # It has gone by itself; the others still shut people out.
                    continue
                ended += 1
        return ended


async def forget_erased(taker: Caretaker) -> None:
    """Remove erased messages from the watchers' copy; a stream that follows another never does so on its own."""
    async with native(taker) as connection:
        await _forget_erased(connection)


async def _forget_erased(connection: Native) -> None:
    # In this order, a message retained between the two requests is not in the first answer.
    copied = await connection.ask(f"{WATCH}.API.STREAM.INFO.{RETAINED}", EVERY_SUBJECT)
    kept = await connection.ask(f"{PLAY}.API.STREAM.INFO.{RETAINED}", EVERY_SUBJECT)
    emptied = {}
    for subject in sorted(_subjects(copied) - _subjects(kept))[:MOST_FORGOTTEN]:
        # The server itself marks a cleared topic with an empty message.
        name = subject.removeprefix(RETAINED_SUBJECT)
        headers = {"Nmqtt-RTopic": name.replace(".", "/"), "Nmqtt-RFlags": "1"}
        stored = await connection.ask(f"{WATCH}.rmsgs.{name}", headers=headers)
        emptied[subject] = stored["seq"]
    if emptied and await _read(connection, max(emptied.values())):
        for subject, seq in emptied.items():
            await connection.ask(f"{WATCH}.API.STREAM.PURGE.{RETAINED}", {"filter": subject, "seq": seq + 1})


async def _read(connection: Native, seq: int) -> bool:
    """Return whether every node has read the copy that far; if not soon, it is emptied again the next time."""
    for _ in range(50):
        readers = await connection.ask(f"{WATCH}.API.CONSUMER.LIST.{RETAINED}")
        if all(reader["delivered"]["stream_seq"] >= seq for reader in readers["consumers"]):
            return True
        await asyncio.sleep(0.02)
    return False


def _subjects(stream: Answer) -> set[str]:
    return set(stream["state"].get("subjects") or ())


async def _replicate_readers(connection: Native, account: str) -> None:
    """Replicate each node's reader of retained messages, so that it survives the death of any other node.

    The server stores it on one node of its choice; a client that loses it misses everything retained later.
    """
    replicas = (await connection.ask(f"{account}.API.STREAM.INFO.{RETAINED}"))["config"]["num_replicas"]
    readers = await connection.ask(f"{account}.API.CONSUMER.LIST.{RETAINED}")
    for reader in readers["consumers"]:
        if replicas > 1 and reader["config"].get("num_replicas") != replicas:
            wanted = {
                "stream_name": RETAINED,
                "config": reader["config"] | {"num_replicas": replicas},
                "action": "update",
            }
            await connection.ask(f"{account}.API.CONSUMER.CREATE.{RETAINED}.{reader['name']}", wanted)
            await _led(connection, f"{account}.API.CONSUMER.INFO.{RETAINED}.{reader['name']}")


async def _copied(connection: Native) -> None:
    """Wait until the watchers' copy follows the players, but not for ever, since tending is repeated.

    A watcher that comes earlier would never see what was retained a moment before.
    """
    for _ in range(100):
        copy = await connection.ask(f"{WATCH}.API.STREAM.INFO.{RETAINED}")
        if all(source["active"] >= 0 for source in copy.get("sources", [])):
            return
        await asyncio.sleep(0.02)


async def _led(connection: Native, question: str) -> None:
    """Wait until the replicas of a reader have elected a leader, but not for ever, since tending is repeated."""
    for _ in range(50):
        try:
            if (await connection.ask(question))["cluster"].get("leader"):
                return
        except NativeFailed:
            # There is no answer until then.
            pass
        await asyncio.sleep(0.1)


async def _most(connection: Native, account: str, name: str, storage: str) -> int:
    """Return the most bytes a stream may store, as a share of its account's limit."""
    limits = (await connection.ask(f"{account}.API.INFO"))["limits"]
    return int(limits["max_memory" if storage == "memory" else "max_storage"] * SHARES[name])


async def _tended(connection: Native, account: str, name: str) -> Tended:
    found = await _appeared(connection, account, name)
    known = found["config"]
    # The account's limit covers all replicas.
    most = await _most(connection, account, name, known["storage"]) // known["num_replicas"]
    if name == RETAINED and known["storage"] == "file":
        # It existed before `prepare`, and shares the disk with the others.
        most //= 10
    wanted = known | {"max_bytes": most}
    if not wanted.get("discard_new_per_subject"):
        wanted |= {"discard": "old"}
    if name == "$MQTT_sess":
        wanted |= {"max_age": LONGEST_SESSION}
    if name == RETAINED and account == WATCH:
        wanted |= {"sources": [{"name": RETAINED, "external": {"api": f"{PLAY}.API", "deliver": WATCHER_COPY}}]}
    changed = wanted != known
    if changed:
        await connection.ask(f"{account}.API.STREAM.UPDATE.{name}", wanted)
    return Tended(account, name, most, changed)


async def _appeared(connection: Native, account: str, name: str) -> Answer:
    """Return a stream once it appears; the server creates it in the background after welcoming the first client."""
    async with asyncio.timeout(APPEARS):
        while True:
            found = await _found(connection, account, name)
            if found is not None:
                return found
            await asyncio.sleep(0.05)


async def _found(connection: Native, account: str, name: str) -> Answer | None:
    try:
        return await connection.ask(f"{account}.API.STREAM.INFO.{name}")
    except NativeFailed as failed:
        if failed.code is not NativeProblem.NOT_FOUND:
            raise
        return None
