"""The broker of a table: a named one, or our own, which ends with us."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from ..broker.broker import Broker
from ..broker.program import NATS, BrokerFailed
from ..broker.site import site
from ..net.address import Address, AddressFault, BadAddress, parse_broker_url
from ..net.interfaces import everywhere, is_nearby, own_addresses
from ..online.invites import host_mark, read_invite
from ..online.saved.seat import SavedSeat
from ..store.paths import find_paths, short_path
from ..text import Texts
from ..view.online.refusals import say_refusal
from .failure import Failure
from .preferences import own_name, preferences

PORT = 1883
SITE_PORT = 8080
"""The port for browsers, if it is free."""
EVERYWHERE = "0.0.0.0"
MOST_ADDRESSES = 8
"""Most addresses of one broker that an invite names."""


@dataclass(frozen=True)
class BrokerAccess:
    """The broker of a table: how we reach it, and how others do."""

    address: Address
    public: tuple[Address, ...]
    bind: str = ""
    broker: Broker | None = None
    site: int = 0
    """The port where browsers find the program and the broker; 0 without."""


def site_folder() -> Path:
    """Return the folder of the program as a site, which `web/` builds."""
    return find_paths().games.parent / "site"


@contextlib.asynccontextmanager
async def broker_for(
    address: Address | None,
    texts: Texts,
    bind: str = "127.0.0.1",
    port: int = 0,
    engine: str = "",
    password: str | None = None,
    known_as: Sequence[str] = (),
    host: bytes = b"",
    report: Callable[[str], None] = lambda _what: None,
    for_browsers: int = 0,
) -> AsyncIterator[BrokerAccess]:
    """Yield the given broker, or our own, which ends with us; `known_as` are more addresses that lead to ours.

    Ours is announced on the local network, with the key of the `host` of a table there. With a port for browsers, or
    the next free one, that is where everybody comes, programs too: the program as a site, and the broker's websockets.
    """
    if address is not None:
        yield BrokerAccess(address, (address,))
        return
    folder = find_paths().games.parent / "broker"
    try:
        broker = await Broker.start(
            folder,
            bind=everywhere() if bind == EVERYWHERE else bind,
            port=port,
            engine=engine or NATS,
            websocket_port=0 if for_browsers else None,
            websocket_bind="127.0.0.1",
            password=password,
            report=report,
        )
    except BrokerFailed as failed:
        raise Failure(say_refusal(failed, texts)) from None
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=short_path(folder), reason=error)) from None
    try:
        async with contextlib.AsyncExitStack() as announced:
            here = broker.address()
            if broker.websocket_port is not None:
                serving = site(site_folder(), broker.host, for_browsers, broker.websocket_port, known_as)
                here = replace(here, port=await announced.enter_async_context(serving), websockets=True)
            hosts = [replace(here, host=own) for own in own_addresses(broker.host)]
            public = [*(_known_as(here, name) for name in known_as), *hosts]
            if broker.beyond_loopback:
                from ..net.discovery import advertise

                # A network without multicast must not prevent a game: the invite works without it.
                with contextlib.suppress(OSError):
                    realm = preferences(find_paths()).realm
                    known = host_mark(host) if host else ""
                    about = advertise(own_name() or "wasabi", broker.port, realm, host_key=known)
                    await announced.enter_async_context(about)
            open_to = here.port if here.websockets else 0
            yield BrokerAccess(broker.address(), _few(*(public or [here])), bind, broker, open_to)
    finally:
        await broker.stop()


def _few(*addresses: Address) -> tuple[Address, ...]:
    """Return the distinct addresses, at most as many as an invite names."""
    return tuple(dict.fromkeys(addresses))[:MOST_ADDRESSES]


def _known_as(here: Address, text: str) -> Address:
    """Return an address of our own broker as others know it, from HOST or HOST:PORT."""
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadAddress(AddressFault.PORT) from None
    if parts.path or parts.query or parts.fragment or parts.username is not None:
        raise BadAddress(AddressFault.PATH)
    named = parse_broker_url(f"[{host}]" if ":" in (host or "") else host or "")
    return replace(here, host=named.host, port=port or here.port)


def place_notes(place: BrokerAccess, texts: Texts) -> list[str]:
    """Return notices for a person about their own broker."""
    broker = place.broker
    notes = []
    if broker is not None and broker.moved:
        notes.append(texts.say("online.port-moved", port=broker.port))
    if broker is not None and broker.beyond_loopback:
        notes.append(texts.say("online.beyond-loopback"))
        if all(is_nearby(address.host) for address in place.public):
            notes.append(texts.say("online.only-nearby"))
    return notes


@contextlib.asynccontextmanager
async def own_broker(seat: SavedSeat | None, texts: Texts, host: bytes = b"") -> AsyncIterator[BrokerAccess | None]:
    """Restart our own broker for this seat's table; yield None if it is somebody else's.

    This machine may have new addresses: those come first, and the earlier ones are kept.
    """
    if seat is None or not seat.bind:
        yield None
        return
    carrier = read_invite(seat.invite).carriers[0]
    own = broker_for(
        None, texts, seat.bind, seat.port, seat.engine, password=carrier.password, host=host, for_browsers=seat.site
    )
    async with own as place:
        if place.broker is not None and (place.broker.moved or place.site != seat.site):
            # The others know this table by its port: they would not find another one.
            raise Failure(texts.say("online.broker-moved", port=seat.site or seat.port))
        before = (replace(place.public[0], host=host, port=number) for host, number in carrier.hosts)
        yield replace(place, public=_few(*place.public, *before))
