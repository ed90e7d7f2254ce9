"""Vectors of knocks: a host's verdicts on them, and a guest's on the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nacl import bindings
from wasabi_protocol.signed.codec import signed_message, write
from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.signed.messages import Knock, Knocked, Message, Seek
from wasabi_protocol.table.private import Box
from wasabi_protocol.table.seeking import seek_payload, seek_terms, work_for

from tests.protocol.sessions import secret, terms
from tests.protocol.vectors.make_tables import HOST, PEOPLE, TABLE
from tests.protocol.vectors.vector import Book, Vector

GUEST, OTHER = (one for one in PEOPLE if one.key != HOST.key)
BOX = Box(secret("box"))
INVITE = f"wasabi:o{TABLE}aaaaaaaaaaaaaaaaaaa/192.168.7.10"
KNOCK = Knock(TABLE, GUEST.key, BOX.key, 1_000, "Ana", False)


def sealed(plain: str, box: bytes = BOX.key) -> bytes:
    """Return a sealed box like libsodium's, but with a fixed ephemeral key."""
    moment, hidden = bindings.crypto_box_seed_keypair(secret("moment"))
    nonce = hashlib.blake2b(moment + box, digest_size=24).digest()
    return moment + bindings.crypto_box(plain.encode(), nonce, box, hidden)


def _heard(*knocks: tuple[Message, float], by: Identity = GUEST) -> dict[str, Any]:
    then = [{"payload": signed_message(by, knock).hex(), "now": now} for knock, now in knocks]
    return {"host": secret("host seed").hex(), "table": TABLE, "then": then, "now": knocks[-1][1]}


def _knocks() -> Iterator[Vector]:
    def case(name: str, comment: str, given: dict[str, Any], code: str | None = None) -> Vector:
        return Vector(f"knock/{name}", "knock", comment, given, code)

    yield case("one", "somebody knocks", _heard((KNOCK, 0.0)))
    again = replace(KNOCK, n=1_001)
    yield case("again", "again, with a higher counter", _heard((KNOCK, 0.0), (again, 10.0)) | {"now": 20.0})
    yield case("silent", "nothing for 16 seconds", _heard((KNOCK, 0.0)) | {"now": 16.0})
    yield case("repeated", "the same again is no sign of life", _heard((KNOCK, 0.0), (KNOCK, 10.0)) | {"now": 17.0})
    yield case("gone", "withdrawn", _heard((KNOCK, 0.0), (replace(again, gone=True), 1.0)))
    late = _heard((KNOCK, 0.0), (replace(KNOCK, n=1_002, gone=True), 1.0), (again, 2.0))
    yield case("older", "an earlier knock after it was withdrawn", late)
    elsewhere = _heard((replace(KNOCK, table="a" * 26), 0.0))
    yield case("other-table", "at another table", elsewhere, "wrong-table")
    yield case("forged", "in the name of another", _heard((KNOCK, 0.0), by=OTHER), "bad-signature")
    bad = _heard((replace(KNOCK, box=bytes(32)), 0.0))
    yield case("bad-box", "nothing can be sealed to this key", bad, "bad-key")
    long = _heard((KNOCK, 0.0))
    long["then"][0]["payload"] += "00" * 400
    yield case("long", "more than any knock takes", long, "too-long")


def _answers() -> Iterator[Vector]:
    given = {
        "me": secret("guest seed").hex(),
        "box": secret("box").hex(),
        "host": HOST.key.hex(),
        "table": TABLE,
    }
    guest = Identity(secret("guest seed"))
    yes = Knocked(TABLE, HOST.key, guest.key, BOX.key, sealed(INVITE))

    def case(name: str, comment: str, answer: Message, code: str | None = None, by: Identity = HOST) -> Vector:
        payload = sign(by, write(answer)).hex()
        return Vector(f"knocked/{name}", "knocked", comment, given | {"payload": payload}, code)

    yield case("invite", "let in", yes)
    yield case("turned-away", "turned away", replace(yes, sealed=b""))
    yield case("forged", "in the name of the host", yes, "bad-signature", OTHER)
    yield case("other-host", "by somebody else's word", replace(yes, key=OTHER.key), "wrong-key")
    yield case("other-guest", "to somebody else", replace(yes, guest=OTHER.key), "wrong-key")
    yield case("other-table", "at another table", replace(yes, table="a" * 26), "wrong-table")
    yield case("earlier", "to an earlier knock", replace(yes, box=Box(secret("earlier")).key), "bad-seal")
    bent = yes.sealed[:-1] + bytes([yes.sealed[-1] ^ 1])
    yield case("flipped", "a bit of the invite flipped", replace(yes, sealed=bent), "bad-seal")
    theirs = sealed(INVITE, Box(secret("earlier")).key)
    yield case("other-box", "sealed to another key", replace(yes, sealed=theirs), "bad-seal")


DAY, NEXT_DAY = "2026-11-19", "2026-11-20"
SEEK = Seek(TABLE, GUEST.key, 1_000, seek_terms(terms()))


def _seeks() -> Iterator[Vector]:
    given = {"me": OTHER.key.hex(), "terms": SEEK.terms.hex()}

    def case(name: str, comment: str, *seeks: tuple[bytes, str], code: str | None = None) -> Vector:
        then = [{"payload": payload.hex(), "day": day, "now": float(at)} for at, (payload, day) in enumerate(seeks)]
        return Vector(f"seek/{name}", "seek", comment, given | {"then": then}, code)

    def worked(seek: Seek, by: Identity = GUEST, day: str = DAY) -> bytes:
        return seek_payload(by, seek, day)

    one, again = worked(SEEK), worked(replace(SEEK, n=1_001))
    yield case("one", "somebody seeks", (one, DAY))
    yield case("again", "again, with a higher counter", (one, DAY), (again, DAY))
    yield case("repeated", "the same again, by whomever", (one, DAY), (one, DAY))
    yield case("older", "an earlier one afterwards", (again, DAY), (one, DAY))
    yield case("other-terms", "another game", (worked(replace(SEEK, terms=secret("terms"))), DAY))
    yield case("own", "our own, heard again", (worked(replace(SEEK, key=OTHER.key), OTHER), DAY))
    yield case("other-day", "work for another day", (worked(SEEK, day=NEXT_DAY), DAY), code="bad-proof")
    yield case("no-work", "without work", (bytes(8) + one[8:], DAY), code="bad-proof")
    forged = sign(OTHER, write(SEEK))
    yield case("forged", "in the name of another", (work_for(forged, DAY) + forged, DAY), code="bad-signature")
    yield case("long", "more than any seek takes", (one + bytes(200), DAY), code="too-long")


def books() -> list[Book]:
    comment = "knocks at a table, what its host answers, and those who seek anybody"
    return [Book("knocks", comment, [*_knocks(), *_answers(), *_seeks()])]
