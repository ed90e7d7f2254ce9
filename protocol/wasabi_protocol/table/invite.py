"""Invites: one line that leads to a table; its secrets come after the #, a part that is never sent to a server."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from urllib.parse import urlsplit

from wasabi_protocol.signed.identity import Identity, base32, key_text, parse_key
from wasabi_protocol.table.private import PrivateTable, door_identity, read_key
from wasabi_protocol.verdicts import Code, Refused

MAX_LETTERS = 1_000
PLAYER = "play"
"""The broker's user for those who publish."""
# scheme: (TLS, websockets, default port)
SCHEMES = {
    "wasabi": (False, False, 1883),
    "wasabis": (True, False, 8883),
    "wasabi+ws": (False, True, 80),
    "wasabis+ws": (True, True, 443),
}
_PRINTABLE = re.compile(r"[!-~]+")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
_REALM = re.compile(r"[a-z0-9-]{1,32}")
_TABLE = re.compile(r"[a-z0-9]{26}")
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")
_HOST_KEY_HASH = re.compile(r"[a-z2-7]{26}")
_TICKET = re.compile(r"[a-z2-7]{26}")
_PASSWORD = re.compile(r"[A-Za-z0-9._~-]{1,128}")


class InviteFault(StrEnum):
    """What is wrong with an invite: the detail of its refusal, which never holds a word of the invite itself."""

    LETTERS = "letters"
    ADDRESS = "address"
    SCHEME = "scheme"
    HOST = "host"
    PLACE = "place"
    FRAGMENT = "fragment"
    KEY = "key"
    PRIVATE = "private"
    TICKET = "ticket"
    BOTH = "both"
    OTHER_TABLE = "other-table"


@dataclass(frozen=True, slots=True)
class Invite:
    """Where to go: to a table, without one to a lobby, without a realm to a broker. Secrets stay out of repr."""

    host: str
    port: int
    scheme: str = "wasabi"
    realm: str = ""
    table: str = ""
    play_key: bytes = field(default=b"", repr=False)
    read_key: bytes = field(default=b"", repr=False)
    password: str = field(default="", repr=False)
    host_key_hash: str = ""
    certificate: str = ""
    ticket_key: bytes = field(default=b"", repr=False)

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
        return self.host_key_hash in ("", host_key_hash(key))


def host_key_hash(key: bytes) -> str:
    """What `h` holds."""
    return base32(hashlib.sha256(b"wsb1 host" + key).digest())[:26]


def parse_invite(text: str) -> Invite:
    """An invite, or a bare host[:port]. A refusal says nothing of its secrets."""
    text = text.strip()
    if len(text) > MAX_LETTERS or not _PRINTABLE.fullmatch(text):
        raise Refused(Code.BAD_INVITE, InviteFault.LETTERS)
    if "://" not in text:
        if set(text) & set("/#?@"):
            raise Refused(Code.BAD_INVITE, InviteFault.ADDRESS)
        text = "wasabi://" + text
    try:
        parts = urlsplit(text)
        name, port, user, query = parts.hostname, parts.port, parts.username, parts.query
    except ValueError:
        raise Refused(Code.BAD_INVITE, InviteFault.ADDRESS) from None
    if parts.scheme not in SCHEMES:
        raise Refused(Code.BAD_INVITE, InviteFault.SCHEME)
    if not name or not _HOST.fullmatch(name) or user is not None or query or port == 0:
        raise Refused(Code.BAD_INVITE, InviteFault.HOST)
    realm, table = _path(parts.path)
    invite = Invite(name, port or SCHEMES[parts.scheme][2], parts.scheme, realm, table)
    return _with_fragment(invite, parts.fragment)


def _path(path: str) -> tuple[str, str]:
    match path.split("/"):
        case [""] | ["", ""]:
            return "", ""
        case ["", realm] | ["", realm, ""] if _REALM.fullmatch(realm):
            return realm, ""
        case ["", realm, table] if _REALM.fullmatch(realm) and _TABLE.fullmatch(table):
            return realm, table
    raise Refused(Code.BAD_INVITE, InviteFault.PLACE)


def _with_fragment(invite: Invite, fragment: str) -> Invite:
    found: dict[str, str] = {}
    for part in fragment.split("&") if fragment else []:
        name, equals, value = part.partition("=")
        if not equals or not value or name in found:
            raise Refused(Code.BAD_INVITE, InviteFault.FRAGMENT)
        found[name] = value
    try:
        play, read = (parse_key(found[name]) if name in found else b"" for name in ("k", "w"))
    except Refused:
        raise Refused(Code.BAD_INVITE, InviteFault.KEY) from None
    patterns = {"p": _PASSWORD, "h": _HOST_KEY_HASH, "fp": _FINGERPRINT, "t": _TICKET}
    for name, pattern in patterns.items():
        if name in found and not pattern.fullmatch(found[name]):
            raise Refused(Code.BAD_INVITE, InviteFault.FRAGMENT)
    if (play or read) and not (invite.table and found.get("h")):
        raise Refused(Code.BAD_INVITE, InviteFault.PRIVATE)
    ticket = _ticket(found.get("t", ""))
    if ticket and (play or read or not invite.table):
        raise Refused(Code.BAD_INVITE, InviteFault.TICKET)
    if play and read:
        raise Refused(Code.BAD_INVITE, InviteFault.BOTH)
    if (play or read) and PrivateTable(read or read_key(play)).table != invite.table:
        raise Refused(Code.BAD_INVITE, InviteFault.OTHER_TABLE)
    return replace(
        invite,
        play_key=play,
        read_key=read,
        password=found.get("p", ""),
        host_key_hash=found.get("h", ""),
        certificate=found.get("fp", ""),
        ticket_key=ticket,
    )


def _ticket(text: str) -> bytes:
    """The ticket key of `t`; one spelling for each."""
    key = base64.b32decode(text.upper() + "======") if text else b""
    if base32(key) != text:
        raise Refused(Code.BAD_INVITE, InviteFault.TICKET)
    return key


def format_invite(invite: Invite) -> str:
    """The one line of an invite; `parse_invite` gives the same invite back."""
    host = f"[{invite.host}]" if ":" in invite.host else invite.host
    port = "" if invite.port == SCHEMES[invite.scheme][2] else f":{invite.port}"
    path = "".join(f"/{level}" for level in (invite.realm, invite.table) if level)
    secrets = {
        "k": key_text(invite.play_key) if invite.play_key else "",
        "w": key_text(invite.read_key) if invite.read_key else "",
        "t": base32(invite.ticket_key),
        "p": invite.password,
        "h": invite.host_key_hash,
        "fp": invite.certificate,
    }
    fragment = "&".join(f"{name}={value}" for name, value in secrets.items() if value)
    return f"{invite.scheme}://{host}{port}{path}" + (f"#{fragment}" if fragment else "")
