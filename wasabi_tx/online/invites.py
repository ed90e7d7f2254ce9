"""Invites: read one from pasted text, write those to a table, and find their brokers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from wasabi_protocol.table.invite import Carrier, Invite, InviteFault, host_key_hash
from wasabi_protocol.table.invite_text import SCHEME, parse_invite
from wasabi_protocol.table.private import read_key
from wasabi_protocol.verdicts import Refused

from ..net.address import PLAYER, Address
from ..net.relays import packaged_relays

Ways = tuple[tuple[Address, ...], ...]
"""The addresses of each carrier of a table, which are tried in turn."""

MOST_WORDS = 40
_QUOTES = "\"'`´‘’‚“”„«»‹›<>()[]"
_ENDS = ".,;:!?…"


class BadInvite(Exception):
    """An invite that leads nowhere; `code` is an `InviteFault`, or names the kind of invite that is needed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def is_invite(word: str) -> bool:
    """Return whether this is meant to be an invite, complete or not."""
    return word.lstrip(_QUOTES).lower().startswith(SCHEME)


def read_invite(text: str) -> Invite:
    """Return the invite in a text: alone, in its command, or pasted from a chat with quotes, line breaks and a full
    stop.
    """
    first: Refused | None = None
    for candidate in _candidates(text):
        try:
            return parse_invite(candidate)
        except Refused as refusal:
            first = first or refusal
    raise BadInvite(InviteFault(first.detail) if first is not None else "empty")


def _candidates(text: str) -> Iterator[str]:
    """Yield possible invites in a text, the longest first; check letters show which one is complete."""
    words = "".join(letter for letter in text if unicodedata.category(letter) != "Cf").split()[:MOST_WORDS]
    start = next((number for number, word in enumerate(words) if is_invite(word)), 0)
    for end in range(len(words), start, -1):
        # A command wrapped for a shell has a backslash at the end of each line.
        joined = "".join(word.rstrip("\\") for word in words[start:end]).strip(_QUOTES)
        yield joined
        yield joined.rstrip(_ENDS + _QUOTES)


def check_table(invite: Invite) -> None:
    """Raise BadInvite unless the invite names a table."""
    if not invite.table:
        raise BadInvite("no-table")


def invite_to(
    carriers: Sequence[Carrier], realm: str, table: str, host: bytes, play_key: bytes = b"", ticket_key: bytes = b""
) -> Invite:
    """Return the invite to play at a table; with a ticket, guests come before strangers."""
    # An open table's name already is a hash of its host's key.
    pin = host_key_hash(host) if play_key else ""
    return Invite(tuple(carriers), realm, table, play_key, b"", pin, ticket_key)


def watch_invite(invite: Invite) -> Invite:
    """Return the invite to the same table for watchers only."""
    read = read_key(invite.play_key) if invite.play_key else invite.read_key
    carriers = tuple(replace(carrier, password="") for carrier in invite.carriers)
    return replace(invite, carriers=carriers, play_key=b"", read_key=read, ticket_key=b"", watch=True)


def carrier_at(addresses: Sequence[Address]) -> Carrier:
    """Return a broker as an invite names it, with all its addresses of the first one's scheme."""
    one = addresses[0]
    if one.relay:
        return Carrier(relay=one.relay)
    return Carrier(
        hosts=tuple((address.host, address.port) for address in addresses if address.scheme == one.scheme),
        scheme=one.scheme,
        password=one.password if one.user == PLAYER else "",
        certificate=one.fingerprint,
    )


def host_mark(key: bytes) -> str:
    """Return what a host announces on the local network, so that guests who know the key find them again."""
    return host_key_hash(key)


def broker_name(invite: Invite) -> str:
    """Return the location of a table, for people."""
    for carrier in invite.carriers:
        for host, port in carrier.hosts:
            return f"{host}:{port}"
    return ", ".join(address.host for way in ways_of(invite) for address in way)


def ways_of(invite: Invite) -> Ways:
    """Return the brokers of an invite; raise `BadInvite` if it names only relays that this version does not know."""
    ways = tuple(way for carrier in invite.carriers if (way := _addresses(carrier)))
    if not ways:
        raise BadInvite("relay")
    return ways


def _addresses(carrier: Carrier) -> tuple[Address, ...]:
    """Return a broker's addresses; empty for a relay that is not in our list."""
    if carrier.relay:
        known = packaged_relays().get(carrier.relay)
        return () if known is None else known.addresses
    return tuple(
        Address(
            host=host,
            port=port,
            tls=carrier.tls,
            websockets=carrier.websockets,
            user=carrier.user,
            password=carrier.password,
            fingerprint=carrier.certificate,
        )
        for host, port in carrier.hosts
    )


def ways_through(invite: Invite, through: Address | None) -> Ways:
    """Return the invite's brokers, with `through` replacing the first; it keeps the password unless it has one."""
    ways = ways_of(invite)
    if through is None:
        return ways
    password = invite.carriers[0].password
    if password and not through.user:
        through = replace(through, user=PLAYER, password=password)
    return ((through,), *ways[1:])
