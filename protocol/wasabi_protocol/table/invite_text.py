"""The text of an invite: one line that no shell, chat or line break spoils.

    wasabi:KIND LETTERS CHECK [.realm] /carrier [/carrier …]

| kind | letters                                | for                           |
| p    | play key (26), pin (16)                | players of a private table    |
| w    | read key (26), pin (16)                | watchers of a private table   |
| o    | table (26), ticket key (16 or 0)       | players of an open table      |
| v    | table (26)                             | watchers of an open table     |
| l    | none                                   | everybody: a lobby            |
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import ipaddress
import re
from dataclasses import replace

from wasabi_protocol.signed.identity import base32
from wasabi_protocol.table.invite import PIN_LETTERS, SCHEMES, Carrier, Invite, InviteFault, broker_password
from wasabi_protocol.table.private import PrivateTable, read_key
from wasabi_protocol.verdicts import Code, Refused

MAX_LETTERS = 1_000
MAX_CARRIERS = 8
MAX_HOSTS = 16
REALM = "main"
"""The realm of a table whose invite names none."""
SCHEME = "wasabi:"
CHECK_LETTERS = 3
TABLE_LETTERS = 26
KEY_LETTERS, TICKET_LETTERS, CERTIFICATE_LETTERS = 26, 16, 52
ADDRESS_6 = ".ip6"
"""Suffix of an IPv6 address; no such domain exists."""
_PRINTABLE = re.compile(r"[!-~]+")
_SHAPE = re.compile(r"([a-z])([a-z2-7]*)([a-z2-7]{3})((?:\.[a-z0-9-]{1,32})?(?:/[A-Za-z0-9._~:-]+)+)")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
_PASSWORD = re.compile(r"[A-Za-z0-9._~-]{1,128}")
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_RELAY = re.compile(r"[1-9][0-9]{0,3}")
_CERTIFICATE = re.compile(r"[a-z2-7]{52}")


def parse_invite(text: str) -> Invite:
    """Parse the one line of an invite. A refusal reveals nothing of its secrets."""
    text = text.strip()
    if len(text) > MAX_LETTERS or not _PRINTABLE.fullmatch(text):
        raise Refused(Code.BAD_INVITE, InviteFault.LETTERS)
    if not text.lower().startswith(SCHEME):
        raise Refused(Code.BAD_INVITE, InviteFault.SCHEME)
    found = _SHAPE.fullmatch(text[len(SCHEME) :])
    if found is None or found[3] != _check(found[1] + found[2] + found[4]):
        raise Refused(Code.BAD_INVITE, InviteFault.WHOLE)
    kind, letters, realm = found[1], found[2], found[4].partition("/")[0].removeprefix(".")
    invite = _secrets(kind, letters)
    carriers = tuple(_carrier(part, invite) for part in found[4].split("/")[1:])
    if len(carriers) > MAX_CARRIERS:
        raise Refused(Code.BAD_INVITE, InviteFault.HOST)
    invite = replace(invite, carriers=carriers, realm=realm or (REALM if invite.table else ""))
    if format_invite(invite) != SCHEME + text[len(SCHEME) :]:
        # Each invite has one spelling; no client wrote a different one.
        raise Refused(Code.BAD_INVITE, InviteFault.WHOLE)
    return invite


def format_invite(invite: Invite) -> str:
    """Return the one line of an invite; `parse_invite` returns the same invite, with its pin shortened."""
    pin = invite.host_key_hash[:PIN_LETTERS]
    if invite.play_key:
        head = "p" + base32(invite.play_key) + pin
    elif invite.read_key:
        head = "w" + base32(invite.read_key) + pin
    elif invite.table:
        head = ("v" if invite.watch else "o") + invite.table + base32(invite.ticket_key)
    else:
        head = "l"
    named = f".{invite.realm}" if invite.realm and not (invite.table and invite.realm == REALM) else ""
    rest = named + "".join(f"/{_carrier_text(carrier, invite)}" for carrier in invite.carriers)
    return SCHEME + head + _check(head + rest) + rest


def _check(text: str) -> str:
    """Return the letters that show whether an invite is complete."""
    return base32(hashlib.sha256(b"wsb1 invite" + text.encode()).digest())[:CHECK_LETTERS]


def _secrets(kind: str, letters: str) -> Invite:
    """Return the invite of this kind, without its carriers."""
    if kind in ("p", "w"):
        key, pin = _key(letters[:-PIN_LETTERS]), letters[-PIN_LETTERS:]
        play, read = (key, b"") if kind == "p" else (b"", key)
        table = PrivateTable(read or read_key(play)).table
        return Invite((), "", table, play, read, pin, watch=kind == "w")
    table, ticket = letters[:TABLE_LETTERS], letters[TABLE_LETTERS:]
    if kind == "o" and len(table) == TABLE_LETTERS:
        return Invite((), "", table, ticket_key=_key(ticket, TICKET_LETTERS) if ticket else b"")
    if (kind == "v" and len(table) == TABLE_LETTERS and not ticket) or (kind == "l" and not letters):
        return Invite((), "", table, watch=kind == "v")
    raise Refused(Code.BAD_INVITE, InviteFault.KIND)


def _key(text: str, letters: int = KEY_LETTERS) -> bytes:
    """Return the bytes of base32 text of this length; each value has one spelling."""
    if len(text) != letters:
        raise Refused(Code.BAD_INVITE, InviteFault.KEY)
    try:
        key = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    except (binascii.Error, ValueError):
        raise Refused(Code.BAD_INVITE, InviteFault.KEY) from None
    if base32(key) != text:
        raise Refused(Code.BAD_INVITE, InviteFault.KEY)
    return key


def _carrier(text: str, invite: Invite) -> Carrier:
    """Parse a relay's number, or [scheme:]host[:port][:host[:port]…][:.p[password]][:.fcertificate]."""
    if _RELAY.fullmatch(text):
        return Carrier(relay=int(text))
    words = text.split(":")
    scheme = words.pop(0) if words[0] in SCHEMES else "mqtt"
    hosts: list[tuple[str, int]] = []
    while words and not words[0].startswith("."):
        hosts.append((_host(words.pop(0)), SCHEMES[scheme][2]))
        if words and _PORT.fullmatch(words[0]) and int(words[0]) < 65_536:
            hosts[-1] = (hosts[-1][0], int(words.pop(0)))
    password, certificate = _proofs(words, invite)
    if not hosts or len(hosts) > MAX_HOSTS:
        raise Refused(Code.BAD_INVITE, InviteFault.HOST)
    return Carrier(tuple(hosts), scheme, password, certificate)


def _host(text: str) -> str:
    """Return a host; an IPv6 address in its shortest spelling."""
    name = text.removesuffix(ADDRESS_6).replace("-", ":") if text.endswith(ADDRESS_6) else text
    if not _HOST.fullmatch(name) or name.isdigit():
        raise Refused(Code.BAD_INVITE, InviteFault.HOST)
    if ":" not in name:
        return name
    try:
        address = ipaddress.IPv6Address(name)
    except ValueError:
        raise Refused(Code.BAD_INVITE, InviteFault.HOST) from None
    return str(address.ipv4_mapped or address)


def _proofs(words: list[str], invite: Invite) -> tuple[str, str]:
    """Return our password at a broker and the fingerprint of its certificate."""
    password = certificate = ""
    invited = invite.play_key or invite.ticket_key
    if words and words[0] == ".p" and invited:
        words, password = words[1:], broker_password(invited)
    elif words and words[0].startswith(".p") and _PASSWORD.fullmatch(words[0][2:]):
        password, words = words[0][2:], words[1:]
    if words and words[0].startswith(".f") and _CERTIFICATE.fullmatch(words[0][2:]):
        certificate, words = _key(words[0][2:], CERTIFICATE_LETTERS).hex(), words[1:]
    if words:
        raise Refused(Code.BAD_INVITE, InviteFault.HOST)
    return password, certificate


def _carrier_text(carrier: Carrier, invite: Invite) -> str:
    if carrier.relay:
        return str(carrier.relay)
    plain = carrier.scheme == "mqtt" and carrier.hosts[0][0] not in SCHEMES
    words = [] if plain else [carrier.scheme]
    for host, port in carrier.hosts:
        words.append(host.replace(":", "-") + ADDRESS_6 if ":" in host else host)
        words += [] if port == SCHEMES[carrier.scheme][2] else [str(port)]
    invited = invite.play_key or invite.ticket_key
    if carrier.password:
        derived = invited and carrier.password == broker_password(invited)
        words.append(".p" if derived else f".p{carrier.password}")
    if carrier.certificate:
        words.append(".f" + base32(bytes.fromhex(carrier.certificate)))
    return ":".join(words)
