"""What the commands of online play share: this machine's side of a table, brokers, sentences for what goes wrong."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click

from ..engine.edition import Edition
from ..engine.editions import PACKAGED
from ..net.address import Address, AddressFault, BadAddress, parse_broker_url
from ..net.broker.broker import Broker
from ..net.broker.program import BrokerFailed
from ..net.interfaces import own_addresses
from ..net.mqtt import MqttTransport
from ..net.port_mapping import Mapped, NoMapping, mapped
from ..net.relays import BadRelays, Relay, choose_relays, packaged_relays, parse_relays
from ..plain.console import read_line
from ..store.identity import IdentityBroken, identity_seed
from ..store.paths import find_paths, short_path
from ..store.seats import keeper_runs
from ..store.settings import settings_file
from ..table.online.client import events as table_events
from ..table.online.client.client import Event
from ..table.online.invites import BadInvite, read_invite
from ..table.online.keep.seat import SavedSeat
from ..table.online.machine import Machine
from ..table.online.online_table import OnlineTable
from ..table.online.result import OnlineResult
from ..table.online.spoken_codes import BadCode, looks_like_code, read_code
from ..table.online.terms import BY_CORRESPONDENCE
from ..text import Texts
from ..view.names import clean_name
from ..view.online.refusals import REFUSALS, say_refusal
from ..view.online.waiting_room import room_line
from ..view.settings import Settings
from . import Failure, on_terminal
from .options import own_name, preferences
from .output import echo
from .saved_games import rules_finder

T = TypeVar("T")
BROKER = "WASABI_TX_BROKER"
INVITE = "WASABI_TX_INVITE"
PORT = 1883
EVERYWHERE = "0.0.0.0"
RELAYS = "relays.toml"
"""The name of a list of one's own, among the settings."""
MOST_RELAYS = 2
MOST_LINES = 8
"""As many lines as an invite may be broken into."""
MOST_ADDRESSES = 8
"""As many addresses of one broker as an invite names."""

broker_option = click.option("--broker", metavar="URL", default=None, help="mqtt://, mqtts://, ws:// or wss://")
json_option = click.option("--json", "as_json", is_flag=True, help="one JSON object a line, and nothing else")
name_option = click.option("--name", default=None, help="what others at the table see")


def this_machine(texts: Texts, name: str | None = None) -> Machine:
    """This machine's side of a table: its key, its name, its games."""
    paths = find_paths()
    settings = preferences(paths)
    try:
        seed = identity_seed(paths.config)
    except IdentityBroken as broken:
        raise Failure(say_refusal(broken, texts)) from None
    except OSError as error:
        raise Failure(texts.say("cli.unwritable", folder=short_path(paths.config), reason=error)) from None
    shown = clean_name(name or "") or own_name() or "?"
    return Machine(
        games=paths.games,
        seed=seed,
        name=shown,
        find=rules_finder(texts),
        connect=MqttTransport,
        realm=settings.realm,
        share_hand=settings.share_hand,
        credentials=lambda address: with_credentials(address, settings),
        kept_back=lambda address: kept_back(address, settings),
    )


def with_credentials(address: Address, settings: Settings) -> Address:
    """A broker that is known here by user and password gets them; the invite's own come first.

    It must be the same broker, reached in the same way: the author of an invite could otherwise have the password sent
    to another port, or in the clear.
    """
    if address.user:
        return address
    way = (address.port, address.tls, address.websockets)
    for found in _known(address.host, settings):
        if (found.port, found.tls, found.websockets) == way:
            proof = address.fingerprint or found.fingerprint
            return replace(address, user=found.user, password=found.password, ca=found.ca, fingerprint=proof)
    return address


def kept_back(address: Address, settings: Settings) -> bool:
    """Whether a password for this host is known here and not sent, because it is for another port or another way."""
    known = any(True for _ in _known(address.host, settings))
    return known and not with_credentials(address, settings).user


def _known(host: str, settings: Settings) -> Iterator[Address]:
    """Where this machine has a user and a password at this host: in the environment, then in the settings."""
    for known in (os.environ.get(BROKER, ""), settings.broker):
        with contextlib.suppress(BadAddress):
            found = parse_broker_url(known, os.environ)
            if found.user and found.host.casefold() == host.casefold():
                yield found


def name_for(wish: str | None, texts: Texts) -> str | None:
    """The name for a table; whoever sits down for the first time at a terminal is asked for it, and it is kept."""
    config = find_paths().config
    if wish or not on_terminal() or settings_file(config).exists():
        return wish
    login = own_name() or ""
    echo(texts.say("online.your-name", name=login), err=True)
    chosen = clean_name(read_line(sys.stdin, 200)) or login
    from .local_games import MachineGames

    games = MachineGames(texts.language)
    games.keep(replace(games.settings()[0], name=chosen))
    return chosen


def broker_address(url: str | None, texts: Texts) -> Address | None:
    """The broker that was asked for: on the command line, in the environment, in the settings; None for our own."""
    return broker_named(url or os.environ.get(BROKER) or preferences(find_paths()).broker, texts)


def broker_named(chosen: str | None, texts: Texts) -> Address | None:
    """The broker of this address, if one is given."""
    if not chosen:
        return None
    try:
        return parse_broker_url(chosen, os.environ)
    except BadAddress as bad:
        raise Failure(say_refusal(bad, texts)) from None


@dataclass(frozen=True)
class BrokerAccess:
    """Where a table is to be: how we reach the broker, and how others do."""

    address: Address
    public: tuple[Address, ...]
    bind: str = ""
    broker: Broker | None = None
    mapping: Mapped | NoMapping | None = None
    """What the router said, if it was asked to forward the port."""


@contextlib.asynccontextmanager
async def broker_for(
    address: Address | None,
    texts: Texts,
    bind: str = "127.0.0.1",
    port: int = 0,
    engine: str = "nats",
    password: str | None = None,
    known_as: Sequence[str] = (),
    map_port: bool = False,
    tell: Callable[[str], None] = lambda _what: None,
) -> AsyncIterator[BrokerAccess]:
    """The given broker, or one of our own that ends with us; `known_as` are more addresses that lead to ours.

    With `map_port` the router is asked to forward its port for as long.
    """
    if address is not None:
        yield BrokerAccess(address, (address,))
        return
    folder = find_paths().games.parent / "broker"
    try:
        broker = await Broker.start(folder, bind=bind, port=port, engine=engine, password=password, tell=tell)
    except BrokerFailed as failed:
        raise Failure(say_refusal(failed, texts)) from None
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=short_path(folder), reason=error)) from None
    try:
        async with contextlib.AsyncExitStack() as announced:
            hosts = [broker.address(host=host) for host in own_addresses(broker.host)]
            mapping = await _ask_router(broker, announced) if map_port else None
            outside = [_outside(broker, mapping)] if isinstance(mapping, Mapped) else []
            public = [*outside, *(_known_as(broker, name) for name in known_as), *hosts]
            if broker.beyond_loopback:
                from ..net.discovery import advertise

                # A network without multicast is no reason not to play: the invite works without it.
                with contextlib.suppress(OSError):
                    realm = preferences(find_paths()).realm
                    await announced.enter_async_context(advertise(own_name() or "wasabi", broker.port, realm))
            yield BrokerAccess(broker.address(), _few(*(public or [broker.address()])), bind, broker, mapping)
    finally:
        await broker.stop()


async def _ask_router(broker: Broker, stack: contextlib.AsyncExitStack) -> Mapped | NoMapping:
    """Has the port of our broker forwarded until the stack is closed, if the router does that."""
    try:
        return await stack.enter_async_context(mapped(broker.port))
    except NoMapping as no:
        return no


def _outside(broker: Broker, mapping: Mapped) -> Address:
    """Our own broker as one reaches it through the router."""
    return replace(broker.address(host=mapping.host), port=mapping.port)


def _few(*addresses: Address) -> tuple[Address, ...]:
    """As many different ones as an invite names."""
    return tuple(dict.fromkeys(addresses))[:MOST_ADDRESSES]


def _known_as(broker: Broker, text: str) -> Address:
    """An address of our own broker as others know it, such as HOST or HOST:PORT."""
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadAddress(AddressFault.PORT) from None
    if parts.path or parts.query or parts.fragment or parts.username is not None:
        raise BadAddress(AddressFault.PATH)
    named = parse_broker_url(f"[{host}]" if ":" in (host or "") else host or "")
    return replace(broker.address(host=named.host), port=port or broker.port)


def place_notes(place: BrokerAccess, texts: Texts) -> list[str]:
    """What somebody should know about a broker of one's own."""
    broker = place.broker
    notes = []
    if broker is not None and broker.moved:
        notes.append(texts.say("online.port-moved", port=broker.port))
    if broker is not None and broker.beyond_loopback:
        notes.append(texts.say("online.beyond-loopback"))
        if all(_only_nearby(address.host) for address in place.public):
            notes.append(texts.say("online.only-nearby"))
    return notes


def mapping_notes(place: BrokerAccess, texts: Texts) -> list[str]:
    """What the router said, if it was asked to forward our port."""
    mapping = place.mapping
    if mapping is None:
        return []
    if isinstance(mapping, NoMapping):
        return [texts.say(f"online.no-mapping.{mapping.code}")]
    return [texts.say("online.mapped", host=mapping.host, port=mapping.port)]


async def relays_for(texts: Texts) -> list[Relay]:
    """The relays that carry a table for friends anywhere: two that answer, one's own before those of the list."""
    found = await choose_relays(own_relays(texts), list(packaged_relays().values()), MOST_RELAYS)
    if not found:
        raise Failure(texts.say("online.no-relay", file=short_path(_relays_file())))
    return found


def known_relays(texts: Texts) -> list[Relay]:
    """Every relay on which a friend's table may be."""
    return [*own_relays(texts), *packaged_relays().values()]


def own_relays(texts: Texts) -> list[Relay]:
    """The relays of one's own list, if there is one."""
    file = _relays_file()
    try:
        if not file.exists():
            return []
        # A number means something in the list that everybody has: friends get the address of ours.
        return [relay.unnumbered() for relay in parse_relays(file.read_text(encoding="utf-8"))]
    except BadRelays as bad:
        raise Failure(texts.say("online.bad-relays", file=short_path(file), entry=bad.entry, what=bad.reason)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(texts.say("cli.unreadable", file=short_path(file), reason=error)) from None


def _relays_file() -> Path:
    return find_paths().config / RELAYS


def relay_notes(relays: Sequence[Relay], texts: Texts) -> list[str]:
    """Which relays carry a table, and what they can see of it."""
    return [texts.say("online.relays", names=", ".join(f"{relay.name} ({relay.address.host})" for relay in relays))]


def _only_nearby(host: str) -> bool:
    """Whether this leads here from the same network alone."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return False


def edition_notes(edition: Edition, texts: Texts) -> list[str]:
    """What a host should know about an edition of one's own: nobody can join without its file."""
    if edition.id in PACKAGED:
        return []
    file = short_path(find_paths().editions / f"{edition.id}.toml")
    return [texts.say("online.own-edition", edition=edition.names[texts.language], file=file)]


@contextlib.asynccontextmanager
async def own_broker(seat: SavedSeat | None, texts: Texts) -> AsyncIterator[BrokerAccess | None]:
    """The broker that we brought to the table of this seat, again; nothing if it is somebody else's.

    This machine may have other addresses than before: those come first, and the earlier ones still count.
    """
    if seat is None or not seat.bind:
        yield None
        return
    carrier = read_invite(seat.invite).carriers[0]
    port = seat.port or carrier.hosts[0][1]
    own = broker_for(None, texts, seat.bind, port, password=carrier.password, map_port=seat.map_port)
    async with own as place:
        if place.broker is not None and place.broker.moved:
            # The others know this table by its port: another one would be another place.
            raise Failure(texts.say("online.broker-moved", port=port))
        before = (replace(place.address, host=host, port=number) for host, number in carrier.hosts)
        yield replace(place, public=_few(*place.public, *before))


@contextlib.contextmanager
def failures_as_sentences(texts: Texts) -> Iterator[None]:
    """Everything that can keep somebody from a table, as the one sentence with which a command ends."""
    try:
        yield
    except REFUSALS as error:
        raise Failure(say_refusal(error, texts)) from None


def given_invite(argument: str | None) -> str | None:
    """The invite of the command line, else of the environment, which nobody whom we start sees any more."""
    return argument or os.environ.pop(INVITE, None)


def invite_from(text: str | None, texts: Texts) -> str:
    """The invite that was given, else the one on standard input: no list of processes shows that."""
    if text not in (None, "-"):
        return str(text)
    if sys.stdin.isatty():
        echo(texts.say("hosting.paste"), err=True)
    given = ""
    for _ in range(MOST_LINES):
        line = read_line(sys.stdin, 2_000)
        given += line
        if not line.strip():
            break
        # A chat or a narrow window may have broken it: the next line is read only if this one is not whole.
        with contextlib.suppress(BadInvite, BadCode):
            (read_code if looks_like_code(given) else read_invite)(given)
            break
    if not given.strip():
        raise Failure(say_refusal(BadInvite("empty"), texts))
    return given


def closing_lines(table: OnlineTable, texts: Texts, option: str = "") -> list[str]:
    """What somebody should know who closes a waiting room, or a game that is not over, and came with this option."""
    words = "online.resume" if table.snapshot.begun else "online.resume-room"
    lines = [texts.say(words, table=table.title + option)]
    if table.snapshot.unsent:
        lines.append(texts.say("online.unsent"))
    if table.snapshot.clock >= BY_CORRESPONDENCE and not keeper_runs(find_paths().games):
        lines.append(texts.say("online.keep-host" if table.carried_here else "online.keep"))
    return lines


def result_json(result: OnlineResult | None) -> dict[str, Any]:
    return {} if result is None else asdict(result)


def run_until_stopped(main: Callable[[], Awaitable[T]], terminated: int = 130) -> T:
    """Runs to the end, or until somebody stops it: then everything is closed in order, and the exit code is 130.

    After a signal to terminate it is `terminated`: for a service, to be stopped is no failure.
    """
    code = 130

    async def stoppable() -> T:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()

        def stop() -> None:
            nonlocal code
            code = terminated
            task.cancel()

        for number in (signal.SIGTERM, signal.SIGHUP) if os.name == "posix" else ():
            loop.add_signal_handler(number, stop)
        return await main()

    try:
        return asyncio.run(stoppable())
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise click.exceptions.Exit(code) from None


def trouble_teller(texts: Texts) -> Callable[[Event], None]:
    """Tells when this machine cannot save the game any further."""

    def tell(event: Event) -> None:
        if isinstance(event, table_events.Trouble):
            echo(f"wasabi-tx: {room_line(event, texts)}", err=True)

    return tell
