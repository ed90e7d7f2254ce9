"""`wasabi-tx broker`: just the embedded broker, for a club or for tables that come and go."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from ...app.failure import Failure
from ...app.output import echo, emit
from ...app.preferences import preferences, texts_for
from ...broker.broker import GONE, Broker
from ...broker.config import PLAYERS, WATCHERS
from ...broker.program import BrokerFailed
from ...net.address import PASSWORD, Address, BadAddress, parse_origin
from ...net.interfaces import own_addresses
from ...store.paths import find_paths
from ...text import Texts
from ...view.online.refusals import say_refusal
from .. import Misuse
from ..broker_status import LOCAL, measured, tell_status, tell_tending
from ..options import language_option

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PORT = 1883
FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.option("--bind", default="0.0.0.0", show_default=True, help="address to listen on; 127.0.0.1 keeps it local")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=PORT,
    show_default=True,
    help="port to listen on; 0 for any free one",
)
@click.option(
    "--websockets", type=click.IntRange(0, 65_535), default=None, metavar="PORT", help="also accept WebSockets on PORT"
)
@click.option("--origin", "origins", multiple=True, metavar="URL", help="admit web pages of this site; repeatable")
@click.option("--engine", default="nats", show_default=True, help="nats, mosquitto, or the path to either program")
@click.option("--certificate", type=FILE, default=None, help="use TLS with this PEM file")
@click.option("--key", type=FILE, default=None, help="private key of the certificate")
@click.option(
    "--players", type=click.IntRange(2, 100_000), default=PLAYERS, show_default=True, help="maximum number of players"
)
@click.option(
    "--watchers",
    type=click.IntRange(0, 100_000),
    default=WATCHERS,
    show_default=True,
    help="maximum number of watchers",
)
@click.option(
    "--store",
    type=click.IntRange(8, 100_000),
    default=192,
    show_default=True,
    help="MB of messages kept for latecomers",
)
@click.option(
    "--metrics", type=click.IntRange(0, 65_535), default=None, metavar="PORT", help="serve Prometheus metrics"
)
@click.option(
    "--status", is_flag=False, flag_value="", default=None, metavar="[URL]", help="show the status of a running broker"
)
@click.option("--tend", default=None, metavar="URL", help="prepare and limit the streams of a NATS server")
@click.option("--silent", is_flag=True, help="do not announce the broker on the local network")
@click.option("--json", "as_json", is_flag=True, help="print the addresses as one JSON object")
@language_option
def broker(
    bind: str,
    port: int,
    websockets: int | None,
    origins: tuple[str, ...],
    engine: str,
    certificate: Path | None,
    key: Path | None,
    players: int,
    watchers: int,
    store: int,
    metrics: int | None,
    status: str | None,
    tend: str | None,
    silent: bool,
    as_json: bool,
    language: str | None,
) -> None:
    """Run the embedded broker until Ctrl+C. Anyone with the play address can play, anyone who can reach it can watch.

    The password is new at every start, unless WASABI_TX_BROKER_PASSWORD is set. The URLs of --status and --tend are
    those of a NATS server's native port: nats://care:PASSWORD@127.0.0.1:4222. With --metrics, --status keeps running.
    """
    texts = texts_for(language)
    if (certificate is None) != (key is None):
        raise Misuse(texts.say("cli.certificate-and-key"))
    sites = _sites(origins, texts)
    if sites and websockets is None:
        raise Misuse(texts.say("cli.origin-websockets"))
    if tend is not None or status is not None:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(
                tell_status(status or "", metrics, as_json, texts) if tend is None else tell_tending(tend, texts)
            )
        return

    async def run() -> None:
        stop, told = asyncio.Event(), asyncio.Queue[str]()
        _stop_on_signals(stop)
        try:
            started = await Broker.start(
                find_paths().games.parent / "broker",
                bind=bind,
                port=port,
                engine=engine,
                websocket_port=websockets,
                origins=sites,
                password=os.environ.get(PASSWORD) or None,
                certificate=certificate,
                key=key,
                max_store=store * 1_000_000,
                watchers=watchers,
                players=players,
                report=told.put_nowait,
            )
        except BrokerFailed as failed:
            raise Failure(say_refusal(failed, texts)) from None
        try:
            async with _announced(started, silent), measured(started.caretaker, metrics, texts) as found:
                _print(started, as_json, port, found, texts)
                await _watch(told, stop, texts)
        finally:
            await started.stop()

    # If the loop cannot handle signals, Ctrl+C arrives like this, after the broker was stopped.
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run())


def _sites(origins: tuple[str, ...], texts: Texts) -> list[str]:
    """Return the sites in a browser's words; of one host the server admits only one."""
    by_host: dict[str | None, str] = {}
    for origin in origins:
        try:
            site = parse_origin(origin)
        except BadAddress:
            raise Misuse(texts.say("cli.origin", origin=origin)) from None
        other = by_host.setdefault(urlsplit(site).hostname, site)
        if other != site:
            raise Misuse(texts.say("cli.origin-twice", one=other, other=site))
    return list(by_host.values())


def _stop_on_signals(stop: asyncio.Event) -> None:
    if sys.platform != "win32":
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, stop.set)


async def _watch(told: asyncio.Queue[str], stop: asyncio.Event, texts: Texts) -> None:
    """Report what happens to the broker, until somebody stops it."""
    stopped = asyncio.create_task(stop.wait())
    while True:
        news = asyncio.create_task(told.get())
        await asyncio.wait({news, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if stopped.done():
            news.cancel()
            return
        if news.result() == GONE:
            stopped.cancel()
            raise Failure(texts.say("broker.gone"))
        echo(texts.say(f"broker.{news.result()}"), err=True)


@contextlib.asynccontextmanager
async def _announced(started: Broker, silent: bool) -> AsyncIterator[None]:
    if silent or not started.beyond_loopback:
        yield
        return
    from ...net.discovery import advertise

    async with contextlib.AsyncExitStack() as stack:
        # A network without multicast is no reason to give up: people can be given the address.
        with contextlib.suppress(OSError):
            realm = preferences(find_paths()).realm
            await stack.enter_async_context(advertise(socket.gethostname(), started.port, realm))
        yield


def _print(started: Broker, as_json: bool, wish: int, metrics: int | None, texts: Texts) -> None:
    host = next(iter(own_addresses(started.host)), None)
    addresses: dict[str, Address] = {"play": started.address(host=host), "watch": started.address(True, host)}
    if started.websocket_port is not None:
        addresses["play_websockets"] = started.websocket_address(host=host)
        addresses["watch_websockets"] = started.websocket_address(True, host)
    if as_json:
        where = {} if metrics is None else {"metrics": f"http://{LOCAL}:{metrics}/metrics"}
        emit({name: address.url() for name, address in addresses.items()} | where)
    else:
        for name, address in addresses.items():
            echo(texts.say("broker.play" if name.startswith("play") else "broker.watch", url=address.url()))
        if metrics is not None:
            echo(texts.say("broker.metrics", host=LOCAL, port=metrics))
        echo(texts.say("broker.stop"))
    if started.moved:
        echo(texts.say("broker.moved", wish=wish, port=started.port), err=True)
    if started.beyond_loopback:
        echo(texts.say("broker.beyond-loopback"), err=True)
