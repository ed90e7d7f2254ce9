"""This machine at a table: its key, its name, its games, and the brokers it knows."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import replace

from ..net.address import Address, BadAddress, parse_broker_url
from ..net.mqtt import MqttTransport
from ..online.machine import Machine
from ..store.identity import IdentityBroken, identity_seed
from ..store.paths import find_paths, short_path
from ..text import Texts
from ..view.names import clean_name
from ..view.online.refusals import say_refusal
from .failure import Failure
from .preferences import own_name, preferences
from .saved_games import rules_finder
from .settings import Settings

BROKER = "WASABI_TX_BROKER"


def this_machine(texts: Texts, name: str | None = None) -> Machine:
    """Return this machine's side of a table: its key, its name, its games."""
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
    """Add the user and password known here for this broker; the invite's own come first.

    It must be the same broker, reached in the same way and proved by what its owner wrote down beside the password: a
    public authority, a file of certificates, or one fingerprint. The author of an invite could otherwise have the
    password sent to another port, in the clear, or to whoever has a certificate that the invite names.
    """
    if address.user:
        return address
    way = (address.port, address.tls, address.websockets)
    for found in _known(address.host, settings):
        if (found.port, found.tls, found.websockets) == way and address.fingerprint in ("", found.fingerprint):
            address = replace(address, user=found.user, password=found.password)
            return replace(address, ca=found.ca, fingerprint=found.fingerprint)
    return address


def kept_back(address: Address, settings: Settings) -> bool:
    """Return whether a password for this host is known here but not sent to this port, protocol or certificate."""
    known = any(True for _ in _known(address.host, settings))
    return known and not with_credentials(address, settings).user


def _known(host: str, settings: Settings) -> Iterator[Address]:
    """Yield known addresses with a user and a password at this host: from the environment, then from the settings."""
    for known in (os.environ.get(BROKER, ""), settings.broker):
        with contextlib.suppress(BadAddress):
            found = parse_broker_url(known, os.environ)
            if found.user and found.host.casefold() == host.casefold():
                yield found


def broker_address(url: str | None, texts: Texts) -> Address | None:
    """Return the requested broker, from the command line, the environment or the settings; None for our own."""
    return broker_named(url or os.environ.get(BROKER) or preferences(find_paths()).broker, texts)


def broker_named(chosen: str | None, texts: Texts) -> Address | None:
    """Return the broker at this address; None if none is given."""
    if not chosen:
        return None
    try:
        return parse_broker_url(chosen, os.environ)
    except BadAddress as bad:
        raise Failure(say_refusal(bad, texts)) from None
