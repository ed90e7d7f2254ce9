"""An invite: the way to a table, with the secrets that open it; `invite_text` writes it as one line."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

from wasabi_protocol.signed.identity import Identity, base32
from wasabi_protocol.table.private import derive, door_identity

PLAYER = "play"
"""The broker's user for those who publish."""
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
    """What is wrong with an invite: the detail of its refusal, which never holds a word of the invite itself."""

    LETTERS = "letters"
    WHOLE = "whole"
    KIND = "kind"
    ADDRESS = "address"
    SCHEME = "scheme"
    HOST = "host"
    PLACE = "place"
    FRAGMENT = "fragment"
    KEY = "key"
    PRIVATE = "private"
    UNPINNED = "unpinned"
    TICKET = "ticket"
    BOTH = "both"
    OTHER_TABLE = "other-table"


@dataclass(frozen=True, slots=True)
class Carrier:
    """A broker that carries a table: one of the known relays by its number, or by the addresses that lead to it."""

    hosts: tuple[tuple[str, int], ...] = ()
    """Hosts with their ports, all of them ways to one broker, to be tried in turn."""
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
        """The name that goes with the password at the broker."""
        return PLAYER if self.password else ""


@dataclass(frozen=True, slots=True)
class Invite:
    """Where to go: to a table, without one to a lobby, without a realm to a broker. Secrets stay out of repr."""

    carriers: tuple[Carrier, ...]
    """The brokers on which the table lives, each with all of its words; none comes before another."""
    realm: str = ""
    table: str = ""
    play_key: bytes = field(default=b"", repr=False)
    read_key: bytes = field(default=b"", repr=False)
    host_key_hash: str = ""
    """The pin: the first letters of the hash of the host's key; an open table's name is itself such a hash."""
    ticket_key: bytes = field(default=b"", repr=False)
    watch: bool = False
    """Whether it is for those who only look on."""

    @property
    def private(self) -> bool:
        """Whether this table's payloads are sealed."""
        return bool(self.play_key or self.read_key)

    @property
    def door(self) -> Identity | None:
        """What signs our ticket, if this invite lets us in before strangers."""
        invited = self.play_key or self.ticket_key
        return door_identity(invited) if invited else None

    def names_host(self, key: bytes) -> bool:
        """Whether this key is the host that the invite names."""
        return host_key_hash(key).startswith(self.host_key_hash)


def host_key_hash(key: bytes) -> str:
    """The hash of a host's key, of which a pin is the beginning."""
    return base32(hashlib.sha256(b"wsb1 host" + key).digest())[:26]


def broker_password(invited: bytes) -> str:
    """The password of a broker that a host starts for one table; it follows from the play key or ticket key."""
    return base32(derive(invited, "broker"))[:PASSWORD_LETTERS]
