"""Older invites, which are still read: scheme://host[:port]/realm/table#name=value&…, or a bare host[:port]."""

from __future__ import annotations

import base64
import ipaddress
import re
from urllib.parse import urlsplit

from wasabi_protocol.signed.identity import base32, parse_key
from wasabi_protocol.table.invite import PIN_LETTERS, SCHEMES, Carrier, Invite, InviteFault
from wasabi_protocol.table.private import PrivateTable, read_key
from wasabi_protocol.verdicts import Code, Refused

OLDER_SCHEMES = {"wasabi": "mqtt", "wasabis": "mqtts", "wasabi+ws": "ws", "wasabis+ws": "wss"}
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
ADDRESS_6 = ".ip6"
"""Ends an IPv6 address in today's invites; there is no such domain."""
PASSWORD = re.compile(r"[A-Za-z0-9._~-]{1,128}")
_REALM = re.compile(r"[a-z0-9-]{1,32}")
_TABLE = re.compile(r"[a-z2-7]{26}")
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")
_HOST_KEY_HASH = re.compile(r"[a-z2-7]{26}")
_TICKET = re.compile(r"[a-z2-7]{26}")


def parse_older(text: str) -> Invite:
    """An invite of an earlier version, or a bare host[:port]."""
    if "://" not in text:
        if set(text) & set("/#?@"):
            raise Refused(Code.BAD_INVITE, InviteFault.ADDRESS)
        text = "wasabi://" + text
    try:
        parts = urlsplit(text)
        name, port, user, query = parts.hostname, parts.port, parts.username, parts.query
    except ValueError:
        raise Refused(Code.BAD_INVITE, InviteFault.ADDRESS) from None
    if parts.scheme not in OLDER_SCHEMES:
        raise Refused(Code.BAD_INVITE, InviteFault.SCHEME)
    if not name or user is not None or query or port == 0:
        raise Refused(Code.BAD_INVITE, InviteFault.HOST)
    scheme = OLDER_SCHEMES[parts.scheme]
    return _with_fragment(check_host(name), port or SCHEMES[scheme][2], scheme, parts.path, parts.fragment)


def check_host(name: str) -> str:
    """A host; an IPv6 address in its shortest spelling."""
    if not _HOST.fullmatch(name) or name.isdigit() or name.endswith(ADDRESS_6):
        raise Refused(Code.BAD_INVITE, InviteFault.HOST)
    if ":" not in name:
        return name
    try:
        address = ipaddress.IPv6Address(name)
    except ValueError:
        raise Refused(Code.BAD_INVITE, InviteFault.HOST) from None
    return str(address.ipv4_mapped or address)


def _path(path: str) -> tuple[str, str]:
    match path.split("/"):
        case [""] | ["", ""]:
            return "", ""
        case ["", realm] | ["", realm, ""] if _REALM.fullmatch(realm):
            return realm, ""
        case ["", realm, table] if _REALM.fullmatch(realm) and _TABLE.fullmatch(table):
            return realm, table
    raise Refused(Code.BAD_INVITE, InviteFault.PLACE)


def _with_fragment(host: str, port: int, scheme: str, path: str, fragment: str) -> Invite:
    realm, table = _path(path)
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
    patterns = {"p": PASSWORD, "h": _HOST_KEY_HASH, "fp": _FINGERPRINT, "t": _TICKET}
    for name, pattern in patterns.items():
        if name in found and not pattern.fullmatch(found[name]):
            raise Refused(Code.BAD_INVITE, InviteFault.FRAGMENT)
    if (play or read) and not (table and found.get("h")):
        raise Refused(Code.BAD_INVITE, InviteFault.PRIVATE)
    ticket = _ticket(found.get("t", ""))
    if ticket and (play or read or not table):
        raise Refused(Code.BAD_INVITE, InviteFault.TICKET)
    if table and ("t" in found or "p" in found) and "h" not in found:
        # A shell ends a command at an unquoted &, and with it the invite: what is left does not name its host.
        raise Refused(Code.BAD_INVITE, InviteFault.UNPINNED)
    if play and read:
        raise Refused(Code.BAD_INVITE, InviteFault.BOTH)
    if (play or read) and PrivateTable(read or read_key(play)).table != table:
        raise Refused(Code.BAD_INVITE, InviteFault.OTHER_TABLE)
    carrier = Carrier(((host, port),), scheme, found.get("p", ""), found.get("fp", ""))
    # An open table's name is a hash of its host's key already.
    pin = found.get("h", "")[:PIN_LETTERS] if play or read else ""
    return Invite((carrier,), realm, table, play, read, pin, ticket, watch=bool(read))


def _ticket(text: str) -> bytes:
    """The ticket key of `t`; one spelling for each."""
    key = base64.b32decode(text.upper() + "======") if text else b""
    if base32(key) != text:
        raise Refused(Code.BAD_INVITE, InviteFault.TICKET)
    return key
