"""Vectors of topics, invites, private tables and the lobby."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from nacl import bindings
from wasabi_protocol.signed.codec import write
from wasabi_protocol.signed.identity import Identity, base32, key_text
from wasabi_protocol.signed.messages import Birth, Chunk, Closed, Doing, Head, Message, Off, Say, Shares, Wish
from wasabi_protocol.table.invite import host_key_hash
from wasabi_protocol.table.private import PrivateTable, derive, door_identity, read_key

from tests.protocol.sessions import secret
from tests.protocol.vectors.make_tables import HOST, JOINS, OFFER, PEOPLE, TABLE, said
from tests.protocol.vectors.vector import Book, Vector

AUTHOR = key_text(HOST.key)
MOVES = f"wsb1/club/t/{TABLE}/mv/{AUTHOR}"
PLAY = secret("play key")
READ = read_key(PLAY)
MARK = b"n" * 16

TOPICS: dict[str, tuple[str, str, str | None]] = {
    "lobby": ("an offer", f"wsb1/club/lobby/{AUTHOR}", None),
    "who": ("presence", f"wsb1/club/who/{AUTHOR}", None),
    "say": ("chat in the lobby", f"wsb1/club/say/{AUTHOR}", None),
    "moves": ("entries and all that has no row of its own", MOVES, None),
    "head": ("a heartbeat", f"wsb1/club/t/{TABLE}/head/{AUTHOR}", None),
    "log": ("a chunk of the author's entries", f"wsb1/club/t/{TABLE}/log/{AUTHOR}/12", None),
    "ask": ("an ask", f"wsb1/club/t/{TABLE}/ask/{AUTHOR}", None),
    "answer": ("an answer", f"wsb1/club/t/{TABLE}/ans/{AUTHOR}", None),
    "table-say": ("chat at a table", f"wsb1/club/t/{TABLE}/say/{AUTHOR}", None),
    "hidden-author": ("26 characters at a private table", f"wsb1/club/t/{TABLE}/mv/{AUTHOR[:26]}", None),
    "other-root": ("another protocol", f"wsb2/club/lobby/{AUTHOR}", "bad-topic"),
    "upper-realm": ("a capital in the realm", f"wsb1/Club/lobby/{AUTHOR}", "bad-topic"),
    "wildcard": ("a wildcard is no topic", f"wsb1/+/lobby/{AUTHOR}", "bad-topic"),
    "no-author": ("the author is always a level", f"wsb1/club/t/{TABLE}/mv", "bad-topic"),
    "author-51": ("51 characters", f"wsb1/club/lobby/{AUTHOR[:51]}", "bad-topic"),
    "unknown-kind": ("a row that does not exist", f"wsb1/club/t/{TABLE}/spy/{AUTHOR}", "bad-topic"),
    "chunk-leading-zero": ("one spelling of a number", f"wsb1/club/t/{TABLE}/log/{AUTHOR}/012", "bad-topic"),
    "chunk-missing": ("a chunk has a number", f"wsb1/club/t/{TABLE}/log/{AUTHOR}", "bad-topic"),
    "too-deep": ("seven slashes", f"wsb1/club/t/{TABLE}/log/{AUTHOR}/1/2", "bad-topic"),
    "short-table": ("25 characters", f"wsb1/club/t/{TABLE[:25]}/mv/{AUTHOR}", "bad-topic"),
}


def _placed() -> Iterator[Vector]:
    def case(name: str, comment: str, topic: str, message: Message, code: str | None = None) -> Vector:
        given = {"topic": topic, "key": HOST.key.hex(), "body": write(message).hex()}
        return Vector(f"placed/{name}", "placed", comment, given, code)

    gid, table = secret("gid"), f"wsb1/club/t/{TABLE}"
    head, say = Head(gid, 0, 6, secret("prev"), MARK, 1, bytes(16)), Say(TABLE, HOST.key, 1, "ciao")
    chunk, wish = Chunk(TABLE, HOST.key, 12, ()), Wish(gid, 0, "leave")
    yield case("offer", "an offer in the lobby", f"wsb1/club/lobby/{AUTHOR}", OFFER)
    yield case("entry", "an entry among the moves", MOVES, Shares(gid, 0, 7, 0, secret("prev"), []))
    yield case("wish", "a wish among the moves", MOVES, wish)
    yield case("head", "a head in its row", f"{table}/head/{AUTHOR}", head)
    gone, off = Doing(TABLE, HOST.key, MARK, 9, 0, "gone"), Off(HOST.key, MARK)
    yield case("goodbye", "a goodbye beside the heads", f"{table}/head/{AUTHOR}", gone)
    yield case("goodbye-among-moves", "a goodbye is no move", MOVES, gone, "wrong-topic")
    elsewhere = replace(gone, table="a" * 26)
    yield case("goodbye-other-table", "a goodbye of another table", f"{table}/head/{AUTHOR}", elsewhere, "wrong-table")
    yield case("off", "a goodbye of the lobby", f"{table}/head/{AUTHOR}", off, "wrong-topic")
    yield case("head-among-moves", "a head has a row of its own", MOVES, head, "wrong-topic")
    yield case(
        "entry-in-lobby", "an entry in the lobby", f"wsb1/club/lobby/{AUTHOR}", Wish(gid, 0, "leave"), "wrong-topic"
    )
    yield case("say", "chat at its table", f"{table}/say/{AUTHOR}", say)
    yield case("say-elsewhere", "chat of this table in the lobby", f"wsb1/club/say/{AUTHOR}", say, "wrong-table")
    yield case("other-key", "a join in another's row", MOVES, JOINS[0], "wrong-key")
    yield case("chunk", "a chunk under its number", f"{table}/log/{AUTHOR}/12", chunk)
    yield case("chunk-other-number", "under another number", f"{table}/log/{AUTHOR}/13", chunk, "wrong-topic")
    other = replace(chunk, table="a" * 26)
    yield case("chunk-other-table", "of another table", f"{table}/log/{AUTHOR}/12", other, "wrong-table")


def topics() -> Book:
    vectors = [
        Vector(f"topic/{name}", "topic", comment, {"topic": text}, code)
        for name, (comment, text, code) in TOPICS.items()
    ]
    given = {"realm": "club", "table": TABLE, "authors": [AUTHOR, key_text(PEOPLE[0].key)]}
    vectors.append(Vector("filters/two-seats", "filters", "what a client subscribes to", given))
    hidden = {"realm": "club", "table": PrivateTable(READ).table, "authors": []}
    vectors.append(Vector("filters/private", "filters", "at a private table, which strangers cannot name", hidden))
    return Book("topics", "topics, what may be said where, and subscriptions", [*vectors, *_placed()])


# Invites and private tables

_K, _W, _H = key_text(PLAY), key_text(READ), host_key_hash(HOST.key)
_T = base32(secret("ticket")[:16])
_PRIVATE = f"wasabi://example.org/club/{PrivateTable(READ).table}"
_PIN = _H[:16]
_SHORT, _TICKET = base32(secret("short play key")[:16]), base32(secret("short ticket")[:10])


def invite(head: str, rest: str) -> str:
    """Return an invite with its check letters, whatever its content."""
    check = base32(hashlib.sha256(b"wsb1 invite" + (head + rest).encode()).digest())[:3]
    return f"wasabi:{head}{check}{rest}"


_PLAYER, _GUEST = f"p{_SHORT}{_PIN}", f"o{TABLE}{_TICKET}"
INVITES: dict[str, tuple[str, str, str | None]] = {
    "play": ("to a private table on a known relay, to play", invite(_PLAYER, "/1"), None),
    "watch": ("to a private table, to watch", invite(f"w{_SHORT}{_PIN}", "/1/12"), None),
    "open": ("to an open table, with a ticket", invite(_GUEST, "/example.org"), None),
    "open-without-ticket": ("to an open table, from a lobby", invite(f"o{TABLE}", "/example.org"), None),
    "open-watch": ("to an open table, to watch", invite(f"v{TABLE}", "/example.org"), None),
    "lobby": ("to a lobby", invite("l", ".club/example.org"), None),
    "broker": ("to a broker", invite("l", "/example.org"), None),
    "realm": ("to a table in another realm", invite(_GUEST, ".club/example.org"), None),
    "addresses": (
        "a broker with three addresses, beside a relay",
        invite(_GUEST, "/192.168.7.10:10.8.0.2:2883:example.org:41883:.p/2"),
        None,
    ),
    "address-6": ("an IPv6 address", invite(_GUEST, "/2001-db8--7.ip6:1884"), None),
    "tls": ("TLS with the certificate's hash", invite(_GUEST, f"/mqtts:example.org:.f{base32(b'c' * 32)}"), None),
    "websockets": ("websockets over TLS", invite(_GUEST, "/wss:example.org:8443"), None),
    "password": ("the broker's password to publish", invite(_GUEST, "/example.org:.pa-Word.1"), None),
    "password-derived": ("a password that follows from the play key", invite(_PLAYER, "/example.org:.p"), None),
    "password-of-ticket": ("a password that follows from the ticket", invite(_GUEST, "/example.org:.p"), None),
    "capital": ("a telephone wrote the first letter large", "W" + invite(_PLAYER, "/1")[1:], None),
    "blanks-around": ("blanks at the ends do no harm", f"  {invite(_PLAYER, '/1')} \n", None),
    "cut": ("its end is missing", invite(_PLAYER, "/example.org")[:-1], "bad-invite"),
    "cut-in-its-key": ("its middle is missing", invite(_PLAYER, "/1")[:40], "bad-invite"),
    "misspelt": ("a letter is another", invite(_PLAYER, "/2").replace("/2", "/3"), "bad-invite"),
    "unknown-kind": ("a kind of tomorrow", invite(f"x{TABLE}", "/1"), "bad-invite"),
    "play-without-pin": ("a secret, and nobody to hold it against", invite(f"p{_SHORT}", "/1"), "bad-invite"),
    "spare-bits": ("another spelling of a key", invite(f"p{_SHORT[:-1]}b{_PIN}", "/1"), "bad-invite"),
    "no-carrier": ("a table that is nowhere", invite(_PLAYER, ""), "bad-invite"),
    "relay-0": ("relays count from 1", invite(_PLAYER, "/0"), "bad-invite"),
    "port-0": ("port 0", invite(_PLAYER, "/example.org:0"), "bad-invite"),
    "port-70000": ("no such port", invite(_PLAYER, "/example.org:70000"), "bad-invite"),
    "port-spelt-out": ("another spelling: the usual port", invite(_PLAYER, "/example.org:1883"), "bad-invite"),
    "realm-spelt-out": ("another spelling: the usual realm", invite(_PLAYER, ".main/1"), "bad-invite"),
    "address-6-long": ("another spelling of an address", invite(_PLAYER, "/2001-db8-0--7.ip6"), "bad-invite"),
    "password-of-nothing": ("no secret to derive it from", invite(f"v{TABLE}", "/example.org:.p"), "bad-invite"),
    "nine-carriers": ("more carriers than anybody needs", invite(_PLAYER, "/1/2/3/4/5/6/7/8/9"), "bad-invite"),
    "play-32-bytes": ("a play key of another length", invite(f"p{_K}{_PIN}", "/1"), "bad-invite"),
    "bare-host": ("the name of a host", "example.org", "bad-invite"),
    "two-lines": ("two lines", invite(_PLAYER, "/1").replace("/", "\n/"), "bad-invite"),
}


def _payloads() -> Iterator[Vector]:
    def case(name: str, comment: str, payload: bytes, code: str | None = None, read: bytes = READ) -> Vector:
        given = {"read": read.hex(), "payload": payload.hex()}
        return Vector(f"payload/{name}", "payload", comment, given, code)

    nonce = b"m" * 24
    envelope = said(HOST, Wish(secret("gid"), 0, "leave"))[1]
    sealed = nonce + bindings.crypto_secretbox(envelope, nonce, derive(READ, "payload"))
    yield case("good", "nonce, then the sealed envelope", sealed)
    yield case("other-table", "sealed for another table", sealed, "bad-seal", secret("another table"))
    yield case("flipped", "a bit flipped", sealed[:-1] + bytes([sealed[-1] ^ 1]), "bad-seal")
    yield case("open", "an envelope that nobody sealed", envelope, "bad-seal")
    yield case("empty", "no room for an envelope", sealed[:40], "too-short")


def invites() -> Book:
    vectors = [
        Vector(f"invite/{name}", "invite", comment, {"text": text}, code)
        for name, (comment, text, code) in INVITES.items()
    ]
    vectors.append(Vector("invite/host-key", "host", "a pin is its beginning", {"key": HOST.key.hex()}))
    for name, play in (("keys", PLAY[:16]), ("keys-32-bytes", PLAY)):
        keys = {"play": play.hex(), "key": HOST.key.hex()}
        vectors.append(Vector(f"private/{name}", "private", "everything that follows from one secret", keys))
    assert door_identity(PLAY).key != HOST.key
    return Book("invites", "invites, and what is private about a private table", [*vectors, *_payloads()])


# The lobby


def _heard(who: Identity, message: Message | None, now: float, retained: bool = False) -> dict[str, Any]:
    payload = b"" if message is None else said(who, message)[1]
    return {"key": who.key.hex(), "payload": payload.hex(), "retained": retained, "now": now}


def _lobby() -> Iterator[Vector]:
    def case(name: str, comment: str, heard: Sequence[dict[str, Any]], now: float, code: str | None = None) -> Vector:
        return Vector(f"lobby/{name}", "lobby", comment, {"then": list(heard), "now": now}, code)

    first, renewed = _heard(HOST, OFFER, 0.0), _heard(HOST, replace(OFFER, n=2), 30.0)
    kept, closed = _heard(HOST, OFFER, 0.0, retained=True), _heard(HOST, Closed(TABLE, HOST.key, 2), 10.0)
    yield case("fresh", "an offer seen live", [first], 1.0)
    yield case("grey", "a retained offer is grey", [kept], 1.0)
    yield case("renewed", "until it is renewed", [kept, renewed], 31.0)
    yield case("dead", "90 s after the last new counter it is gone", [first], 90.0)
    yield case("not-renewed", "the same counter again does not prolong it", [first, _heard(HOST, OFFER, 80.0)], 91.0)
    yield case("older", "an older one never replaces a newer", [renewed, _heard(HOST, OFFER, 31.0)], 32.0)
    yield case("empty", "an empty payload closes nothing", [first, _heard(HOST, None, 5.0)], 6.0)
    yield case("closed", "a signed word does", [first, closed], 11.0)
    yield case("reopened-late", "what was closed stays closed", [first, closed, first], 12.0)
    stolen = _heard(PEOPLE[0], OFFER, 0.0)
    yield case("stolen", "somebody else's offer under one's own key", [stolen], 1.0, "wrong-key")
    door = door_identity(PLAY).key
    private = replace(OFFER, table=PrivateTable(READ).table, door=door)
    yield case("private", "a private table is not listed", [_heard(HOST, private, 0.0)], 1.0, "wrong-table")
    yield case("tickets", "an open table with tickets is", [_heard(HOST, replace(OFFER, door=door), 0.0)], 1.0)
    yield case(
        "wish", "a message that names no key", [_heard(HOST, Wish(secret("gid"), 0, "leave"), 0.0)], 1.0, "wrong-key"
    )


def _presence() -> Iterator[Vector]:
    def case(name: str, comment: str, heard: Sequence[dict[str, Any]], code: str | None = None) -> Vector:
        given = {"me": PEOPLE[2].key.hex(), "then": list(heard)}
        return Vector(f"who/{name}", "presence", comment, given, code)

    birth, off = Birth(HOST.key, MARK, "Ana"), Off(HOST.key, MARK)
    other = Off(HOST.key, b"o" * 16)
    me, mine = PEOPLE[2], Off(PEOPLE[2].key, MARK)
    yield case("birth", "a birth makes a key present, with a name", [_heard(HOST, birth, 0.0)])
    renamed = _heard(HOST, replace(birth, name="Bo"), 1.0)
    yield case("renamed", "the last one names it", [_heard(HOST, birth, 0.0), renamed])
    yield case("off", "the will of the same run ends it", [_heard(HOST, birth, 0.0), _heard(HOST, off, 1.0)])
    yield case("other-off", "the will of an older run does not", [_heard(HOST, birth, 0.0), _heard(HOST, other, 1.0)])
    again = [_heard(HOST, birth, 0.0), _heard(HOST, off, 1.0), _heard(HOST, birth, 2.0)]
    yield case("born-again", "a birth of a run that is over", again)
    yield case("mine", "whatever ends me while I live is answered", [_heard(me, mine, 0.0)])
    yield case("mine-empty", "an empty payload too", [_heard(me, None, 0.0)])
    yield case("mine-often", "at most once in 5 s", [_heard(me, mine, 0.0), _heard(me, mine, 4.0)])
    earlier = Birth(me.key, b"e" * 16, "")
    yield case("mine-earlier", "a birth of an earlier run of mine too", [_heard(me, earlier, 0.0)])
    yield case("forged", "a will that somebody else signed", [_heard(PEOPLE[0], off, 0.0)], "wrong-key")


def lobby() -> Book:
    return Book("lobby", "offers and presence, by the reader's own clock", [*_lobby(), *_presence()])


def books() -> list[Book]:
    return [topics(), invites(), lobby()]
