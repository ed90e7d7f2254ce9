"""Tending the streams of a NATS server, in which it keeps what MQTT retains: bounded, and copied for the watchers.

What is bounded forgets its oldest messages first, so a full store never stops a game. Watchers have an account of their
own, in which they can fill up what is theirs alone; there the retained messages of the players are copied.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from .config import KNOCK, PLAY, WATCH, WATCHER_COPY
from .native import Answer, Caretaker, Native, NativeFailed, NativeProblem, native

RETAINED = "$MQTT_rmsgs"
SHARES = {RETAINED: 0.9, "$MQTT_msgs": 0.6, "$MQTT_sess": 0.2, "$MQTT_out": 0.05, "$MQTT_qos2in": 0.05}
"""The streams of MQTT in each account, each with its share of the account's memory or, but for the first, disk."""
LONGEST_SESSION = 3600 * 10**9
"""Nanoseconds for which a session is remembered whose client is away; ours ask for none."""
MOST_FORGOTTEN = 1000
"""At one time, so that whoever erases very much keeps nobody waiting."""
RETAINED_SUBJECT = "$MQTT.rmsgs."
EVERY_SUBJECT = {"subjects_filter": ">"}
APPEARS = 10.0
"""Seconds in which streams appear after the first client of an account."""


@dataclass(frozen=True, slots=True)
class Tended:
    """A stream and its limits."""

    account: str
    name: str
    most_bytes: int
    changed: bool


async def prepare(taker: Caretaker, nodes: int = 1) -> None:
    """Makes the streams of retained messages, in memory, before the first MQTT client would let them be made on disk.

    On disk they take many times as much memory, and write without end: chunks of logs replace one another. Where they
    exist already, they stay as they are. In a cluster of three or more nodes, each of three holds them.
    """
    replicas = 3 if nodes >= 3 else 1
    async with native(taker) as connection:
        for account in await _accounts(connection):
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


async def tend(taker: Caretaker, somebody_knocked: bool = False) -> list[Tended]:
    """Bounds every stream, and lets the watchers' copy follow; doing it twice changes nothing. `NativeFailed` if not.

    Streams exist from the first MQTT client of an account on. Where nobody may ever knock, those are not waited for.
    """
    async with native(taker) as connection:
        waited_for = (PLAY, WATCH, KNOCK) if somebody_knocked else (PLAY, WATCH)
        streams = [(account, name) for account in await _accounts(connection) for name in SHARES]
        tended = [
            await _tended(connection, account, name)
            for account, name in streams
            if account in waited_for or await _found(connection, account, name) is not None
        ]
        for account in (PLAY, WATCH):
            await _replicate_readers(connection, account)
        await _copied(connection)
        await _forget_erased(connection)
        return tended


async def forget_erased(taker: Caretaker) -> None:
    """Lets the watchers' copy forget what players have erased: a stream that follows another one never does so."""
    async with native(taker) as connection:
        await _forget_erased(connection)


async def _forget_erased(connection: Native) -> None:
    # In this order: what is retained between the two questions is not in the first answer.
    copied = await connection.ask(f"{WATCH}.API.STREAM.INFO.{RETAINED}", EVERY_SUBJECT)
    kept = await connection.ask(f"{PLAY}.API.STREAM.INFO.{RETAINED}", EVERY_SUBJECT)
    emptied = {}
    for subject in sorted(_subjects(copied) - _subjects(kept))[:MOST_FORGOTTEN]:
        # An empty message is how the server itself says that nothing is retained there any more.
        name = subject.removeprefix(RETAINED_SUBJECT)
        headers = {"Nmqtt-RTopic": name.replace(".", "/"), "Nmqtt-RFlags": "1"}
        stored = await connection.ask(f"{WATCH}.rmsgs.{name}", headers=headers)
        emptied[subject] = stored["seq"]
    if emptied and await _read(connection, max(emptied.values())):
        for subject, seq in emptied.items():
            await connection.ask(f"{WATCH}.API.STREAM.PURGE.{RETAINED}", {"filter": subject, "seq": seq + 1})


async def _read(connection: Native, seq: int) -> bool:
    """Whether every node has read the copy up to there; what is not read soon is emptied again the next time."""
    for _ in range(50):
        readers = await connection.ask(f"{WATCH}.API.CONSUMER.LIST.{RETAINED}")
        if all(reader["delivered"]["stream_seq"] >= seq for reader in readers["consumers"]):
            return True
        await asyncio.sleep(0.02)
    return False


def _subjects(stream: Answer) -> set[str]:
    return set(stream["state"].get("subjects") or ())


async def _accounts(connection: Native) -> list[str]:
    """The accounts of the server: those who knock have one unless its configuration is an older one."""
    try:
        await connection.ask(f"{KNOCK}.API.INFO")
    except NativeFailed as failed:
        if failed.code is not NativeProblem.NOT_SYSTEM:
            raise
        return [PLAY, WATCH]
    return [PLAY, WATCH, KNOCK]


async def _replicate_readers(connection: Native, account: str) -> None:
    """Lets each node's own reader of what is retained survive the death of any other node.

    The server keeps it on one node of its choice; a client that loses it hears of nothing that is retained later.
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
    """Waits until the watchers' copy hears of the players; not for ever, since it is tended again.

    A watcher that comes before that would never see what was retained a moment earlier.
    """
    for _ in range(100):
        copy = await connection.ask(f"{WATCH}.API.STREAM.INFO.{RETAINED}")
        if all(source["active"] >= 0 for source in copy.get("sources", [])):
            return
        await asyncio.sleep(0.02)


async def _led(connection: Native, question: str) -> None:
    """Waits until the replicas of a reader have chosen who leads; not for ever, since it is tended again."""
    for _ in range(50):
        try:
            if (await connection.ask(question))["cluster"].get("leader"):
                return
        except NativeFailed:
            # Before that there is no answer about it.
            pass
        await asyncio.sleep(0.1)


async def _most(connection: Native, account: str, name: str, storage: str) -> int:
    """The bytes that a stream may hold, of what its account has."""
    limits = (await connection.ask(f"{account}.API.INFO"))["limits"]
    return int(limits["max_memory" if storage == "memory" else "max_storage"] * SHARES[name])


async def _tended(connection: Native, account: str, name: str) -> Tended:
    found = await _appeared(connection, account, name)
    known = found["config"]
    # What an account has holds every replica.
    most = await _most(connection, account, name, known["storage"]) // known["num_replicas"]
    if name == RETAINED and known["storage"] == "file":
        # It existed before it was prepared, and shares the disk with the others.
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
    """What a stream is like; the server makes it behind the back of the first client that it welcomes."""
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
