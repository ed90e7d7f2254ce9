"""An invite: the way to a table, with the secrets that open it; `invite_text` writes it as one line."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

from wasabi_protocol.signed.identity import Identity, base32
from wasabi_protocol.table.private import derive, door_identity

PLAYER = "play"
"""The broker's user name for clients that publish."""
PIN_LETTERS = 16
PASSWORD_LETTERS = 20
# scheme: (TLS, websockets, default port)
SCHEMES = {
    "mqtt": (False, False, 1883),
    "mqtts": (True, False, 8883),
    "ws": (False, True, 80),
    "wss": (True, True, 443),
}


class InviteFault(StrEnum):
    """A fault of an invite: the detail of its refusal, which never contains any part of the invite itself."""

    LETTERS = "letters"
    WHOLE = "whole"
    KIND = "kind"
    SCHEME = "scheme"
    HOST = "host"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class Carrier:
    """A broker that carries a table: a known relay by its number, or a broker by its addresses."""

    hosts: tuple[tuple[str, int], ...] = ()
    """Hosts with their ports, all of them ways to one broker, tried in turn."""
    scheme: str = "mqtt"
    password: str = field(default="", repr=False)
    certificate: str = ""
    """SHA-256 of the broker's certificate, in hexadecimal."""
    relay: int = 0

    @property
    def tls(self) -> bool:
        return SCHEMES[self.scheme][0]

    @property
    def websockets(self) -> bool:
        return SCHEMES[self.scheme][1]

    @property
    def user(self) -> str:
        """The user name that goes with the password at the broker."""
        return PLAYER if self.password else ""


@dataclass(frozen=True, slots=True)
class Invite:
    """A destination: a table; without one, a lobby; without a realm, a broker. Secrets stay out of repr."""

    carriers: tuple[Carrier, ...]
    """The brokers that carry the table, each with all of its messages; none has priority."""
    realm: str = ""
    table: str = ""
    play_key: bytes = field(default=b"", repr=False)
    read_key: bytes = field(default=b"", repr=False)
    host_key_hash: str = ""
    """The pin: the first letters of the hash of the host's key; an open table's name is itself a hash of it."""
    ticket_key: bytes = field(default=b"", repr=False)
    watch: bool = False
    """True if the invite is for watchers."""

    @property
    def private(self) -> bool:
        """True if this table's payloads are sealed."""
        return bool(self.play_key or self.read_key)

    @property
    def door(self) -> Identity | None:
        """The key that signs our ticket, if this invite admits us before strangers."""
        invited = self.play_key or self.ticket_key
        return door_identity(invited) if invited else None

    def names_host(self, key: bytes) -> bool:
        """Return whether this key belongs to the host that the invite names."""
        return host_key_hash(key).startswith(self.host_key_hash)


def host_key_hash(key: bytes) -> str:
    """Return the hash of a host's key, which starts with the pin."""
    return base32(hashlib.sha256(b"wsb1 host" + key).digest())[:26]


def broker_password(invited: bytes) -> str:
    """Return the password of a broker that a host starts for one table, derived from the play key or ticket key."""
    return base32(derive(invited, "broker"))[:PASSWORD_LETTERS]
