"""Invites and addresses as a target: every line that somebody may paste, every topic, every sealed payload."""

from __future__ import annotations

from wasabi_protocol.signed.canonical import decode, encode
from wasabi_protocol.signed.codec import named_key, parse
from wasabi_protocol.signed.identity import key_text, parse_key
from wasabi_protocol.table.invite import Carrier, Invite
from wasabi_protocol.table.invite_text import format_invite, parse_invite
from wasabi_protocol.table.private import PrivateTable, read_key
from wasabi_protocol.table.topics import parse_topic
from wasabi_protocol.verdicts import Refused

from tests.online.world import secret
from tests.protocol.samples import SAMPLES
from wasabi_tx.net.address import BadAddress, parse_broker_url

from .chance import Chosen
from .files import _bent

_PLAY = secret("fuzz invite")[:16]
_TABLE = PrivateTable(read_key(_PLAY))
_HERE = Carrier((("host.example", 99), ("::1", 1884)), "mqtts", "a-Word.1", "0f" * 32)
_LINES = [
    format_invite(Invite((_HERE,), "home", _TABLE.table, _PLAY, b"", "a" * 16)),
    format_invite(Invite((_HERE, Carrier(relay=2)), "main", "b" * 26, ticket_key=b"t" * 10)),
    format_invite(Invite((_HERE,), "club")),
]
_URLS = ["mqtts://ana:secret@host.example:8883", "ws://[::1]:80/mqtt#fp=" + "0" * 64]
_TOPICS = [f"wsb1/home/t/{'b' * 26}/log/{'a' * 52}/7", f"wsb1/home/lobby/{'a' * 52}"]
KINDS = ("invite", "url", "topic", "payload", "body", "key")


def invites(data: bytes) -> str:
    """Parse one line, topic, payload or body; check that an accepted one is written back unchanged."""
    chance = Chosen(data)
    kind = chance.choice(KINDS)
    good = {
        "invite": lambda: chance.choice(_LINES).encode(),
        "url": lambda: chance.choice(_URLS).encode(),
        "topic": lambda: chance.choice(_TOPICS).encode(),
        "payload": lambda: bytes(24) + secret("payload") * 3,
        "body": lambda: encode({"v": 1, "t": chance.choice(SAMPLES).t, "key": bytes(32)}),
        "key": lambda: key_text(secret("fuzz key")).encode(),
    }[kind]()
    raw = chance.rest if chance.random() < 0.2 else _bent(good, chance)
    text = raw.decode("latin-1")
    try:
        match kind:
            case "invite":
                invite = parse_invite(text)
                assert parse_invite(format_invite(invite)) == invite
            case "url":
                assert parse_broker_url(text, {})
            case "topic":
                assert str(parse_topic(text)) == text
            case "payload":
                _TABLE.open(raw)
            case "body":
                named_key(raw)
                assert encode(decode(raw)) == raw
                parse(raw)
            case "key":
                assert key_text(parse_key(text)) == text
    except (Refused, BadAddress) as error:
        return f"{kind}: {type(error).__name__}"
    return f"{kind}: taken"
