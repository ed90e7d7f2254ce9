"""The text of an invite: one line that no shell, chat or line break spoils.

    wasabi:KIND LETTERS CHECK [.realm] /carrier [/carrier …]

| kind | letters                                | to whom                       |
| p    | play key (26 or 52), pin (16)          | players of a private table    |
| w    | read key (26 or 52), pin (16)          | watchers of a private table   |
| o    | table (26), ticket key (16, 26 or 0)   | players of an open table      |
| v    | table (26)                             | watchers of an open table     |
| l    | none                                   | everybody: a lobby            |
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import replace

from wasabi_protocol.signed.identity import base32
from wasabi_protocol.table.invite import PIN_LETTERS, SCHEMES, Carrier, Invite, InviteFault, broker_password
from wasabi_protocol.table.older_invite import ADDRESS_6, PASSWORD, check_host, parse_older
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
TICKET, SHORT, LONG = 16, 26, 52
_PRINTABLE = re.compile(r"[!-~]+")
_SHAPE = re.compile(r"([a-z])([a-z2-7]*)([a-z2-7]{3})((?:\.[a-z0-9-]{1,32})?(?:/[A-Za-z0-9._~:-]+)+)")
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_RELAY = re.compile(r"[1-9][0-9]{0,3}")
_CERTIFICATE = re.compile(r"[a-z2-7]{52}")


def parse_invite(text: str) -> Invite:
    """An invite of today or of an earlier version, or a bare host[:port]. A refusal says nothing of its secrets."""
    text = text.strip()
    if len(text) > MAX_LETTERS or not _PRINTABLE.fullmatch(text):
        raise Refused(Code.BAD_INVITE, InviteFault.LETTERS)
    if "://" in text or not text.lower().startswith(SCHEME):
        return parse_older(text)
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
        # One spelling for each invite: what differs was not written by any client.
        raise Refused(Code.BAD_INVITE, InviteFault.WHOLE)
    return invite


def format_invite(invite: Invite) -> str:
    """The one line of an invite; `parse_invite` gives the same invite back, with its pin cut to what it needs."""
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
    """The letters that show whether an invite is whole."""
    return base32(hashlib.sha256(b"wsb1 invite" + text.encode()).digest())[:CHECK_LETTERS]


def _secrets(kind: str, letters: str) -> Invite:
    """The invite of this kind, without its carriers."""
    if kind in ("p", "w"):
        key, pin = _key(letters[:-PIN_LETTERS]), letters[-PIN_LETTERS:]
        play, read = (key, b"") if kind == "p" else (b"", key)
        table = PrivateTable(read or read_key(play)).table
        return Invite((), "", table, play, read, pin, watch=kind == "w")
    table, ticket = letters[:TABLE_LETTERS], letters[TABLE_LETTERS:]
    if kind == "o" and len(table) == TABLE_LETTERS:
        return Invite((), "", table, ticket_key=_key(ticket, (0, TICKET, SHORT)))
    if (kind == "v" and len(table) == TABLE_LETTERS and not ticket) or (kind == "l" and not letters):
        return Invite((), "", table, watch=kind == "v")
    raise Refused(Code.BAD_INVITE, InviteFault.KIND)


def _key(text: str, lengths: tuple[int, ...] = (SHORT, LONG)) -> bytes:
    """A secret of 16 or 32 bytes; each has one spelling."""
    if len(text) not in lengths:
        raise Refused(Code.BAD_INVITE, InviteFault.KEY)
    try:
        key = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    except (binascii.Error, ValueError):
        raise Refused(Code.BAD_INVITE, InviteFault.KEY) from None
    if base32(key) != text:
        raise Refused(Code.BAD_INVITE, InviteFault.KEY)
    return key


def _carrier(text: str, invite: Invite) -> Carrier:
    """A relay's number, or [scheme:]host[:port][:host[:port]…][:.p[password]][:.fcertificate]."""
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
    if not text.endswith(ADDRESS_6):
        return check_host(text)
    return check_host(text.removesuffix(ADDRESS_6).replace("-", ":"))


def _proofs(words: list[str], invite: Invite) -> tuple[str, str]:
    """Our password at a broker, and its certificate for us."""
    password = certificate = ""
    invited = invite.play_key or invite.ticket_key
    if words and words[0] == ".p" and invited:
        words, password = words[1:], broker_password(invited)
    elif words and words[0].startswith(".p") and PASSWORD.fullmatch(words[0][2:]):
        password, words = words[0][2:], words[1:]
    if words and words[0].startswith(".f") and _CERTIFICATE.fullmatch(words[0][2:]):
        certificate, words = _key(words[0][2:], (LONG,)).hex(), words[1:]
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
