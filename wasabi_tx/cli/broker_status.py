"""The status of a broker, printed once or served to Prometheus; and tending the streams of another server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict

from ..app.failure import Failure
from ..app.output import echo, emit
from ..broker.metrics import metrics
from ..broker.native import Caretaker, NativeFailed, native, parse_native_url
from ..broker.status import read_status, running_brokers
from ..broker.tending import prepare, tend
from ..store.paths import find_paths
from ..text import Texts

_logger = logging.getLogger(__name__)

LOOK_AGAIN = 1.0
"""Seconds between two counts, which give the messages per second."""
LOCAL = "127.0.0.1"


async def tell_status(url: str, port: int | None, as_json: bool, texts: Texts) -> None:
    """Print the status of a broker: the one at this native address, or the newest one running here."""
    taker = await _running(texts) if not url else _taker(url, texts)
    if port is not None:
        async with measured(taker, port, texts) as found:
            echo(texts.say("broker.metrics", host=LOCAL, port=found))
            await asyncio.Event().wait()
    with native_sentences(taker, texts):
        before = await read_status(taker)
        await asyncio.sleep(LOOK_AGAIN)
        status = await read_status(taker)
    received = round((status.received - before.received) / LOOK_AGAIN)
    delivered = round((status.delivered - before.delivered) / LOOK_AGAIN)
    if as_json:
        rates = {"received_a_second": received, "delivered_a_second": delivered}
        emit(asdict(status) | {"memory": status.memory} | rates)
        return
    echo(texts.say("broker.status-tables", tables=status.tables, players=status.players, watchers=status.watchers))
    echo(texts.say("broker.status-messages", received=received, delivered=delivered))
    memory, retained = round(status.memory / 1e6), round(status.retained / 1e6, 1)
    echo(texts.say("broker.status-memory", memory=memory, nodes=len(status.nodes), retained=retained))
    echo(texts.say("broker.status-refused", **status.refused))


async def _running(texts: Texts) -> Caretaker:
    """Return this user's newest broker that answers."""
    for taker in await asyncio.to_thread(running_brokers, find_paths().games.parent / "broker"):
        try:
            async with native(taker):
                return taker
        except NativeFailed:
            # It was killed and its files remain.
            continue
    raise Failure(texts.say("broker.status-nobody"))


async def tell_tending(url: str, texts: Texts) -> None:
    """Prepare and limit the streams of a NATS server or cluster, and print their limits."""
    taker = _taker(url, texts)
    with native_sentences(taker, texts):
        async with native(taker) as connection:
            nodes = len(await connection.ask_all("$SYS.REQ.SERVER.PING.IDZ"))
        await prepare(taker, nodes)
        for stream in await tend(taker):
            echo(texts.say("broker.tended", account=stream.account, name=stream.name, bytes=stream.most_bytes))


def _taker(url: str, texts: Texts) -> Caretaker:
    try:
        return parse_native_url(url)
    except ValueError:
        # The URL may contain a password: nothing after the scheme is repeated.
        raise Failure(texts.say("broker.status-url", url=url.partition("://")[0][:20])) from None


@contextmanager
def native_sentences(taker: Caretaker, texts: Texts) -> Iterator[None]:
    """Turn a failure to query the server into a sentence."""
    try:
        yield
    except NativeFailed as failed:
        _logger.info("%s:%s cannot be asked: %s", taker.host, taker.port, failed)
        raise Failure(texts.say(f"broker.native.{failed.code}", host=taker.host, port=taker.port)) from None


@asynccontextmanager
async def measured(taker: Caretaker | None, port: int | None, texts: Texts) -> AsyncIterator[int | None]:
    """Serve metrics on loopback during the block, if a port is given; yield the port."""
    if port is None:
        yield None
        return
    if taker is None:
        raise Failure(texts.say("broker.status-mosquitto"))
    try:
        serving = metrics(taker, LOCAL, port)
        found = await serving.__aenter__()
    except OSError as error:
        raise Failure(texts.say("broker.metrics-port", port=port, reason=error)) from None
    try:
        yield found
    finally:
        await serving.__aexit__(None, None, None)
