"""Vectors of meetings: spoken codes, the words of a meeting, and the exchange that carries an invite."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from nacl import bindings
from wasabi_protocol.meeting.meeting import meeting_context
from wasabi_protocol.meeting.messages import MAX_WORD, MeetingWord, write_word
from wasabi_protocol.meeting.spake2 import Side
from wasabi_protocol.meeting.spoken_code import parse_code
from wasabi_protocol.meeting.work import find_work
from wasabi_protocol.sealed.group import BASE, IDENTITY
from wasabi_protocol.signed.canonical import encode
from wasabi_protocol.signed.identity import base32
from wasabi_protocol.table.private import derive

from tests.protocol.sessions import secret
from tests.protocol.vectors.vector import Book, Vector

SPOKEN = "7-octopus-daikon"
RUN = base32(secret("run")[:16])
AT = secret("meeting host")[:16]
INVITE = "wasabi:pvfxkomvkw7mivl42hcupgvorouywpvm2nnq43yns6ra5k/1"
CODES = {
    "three-parts": ("a number and two words", SPOKEN, None),
    "largest-number": ("the largest number", "999-miso-tofu", None),
    "number-0": ("numbers count from 1", "0-octopus-daikon", "bad-invite"),
    "number-1000": ("no such number", "1000-octopus-daikon", "bad-invite"),
    "leading-zero": ("another spelling of a number", "07-octopus-daikon", "bad-invite"),
    "one-word": ("one word", "7-octopus", "bad-invite"),
    "three-words": ("three words", "7-octopus-daikon-miso", "bad-invite"),
    "capital": ("another spelling of a word", "7-Octopus-daikon", "bad-invite"),
}


def _wide(name: str) -> bytes:
    return hashlib.sha512(secret(name)).digest()


def _words() -> Iterator[Vector]:
    def case(name: str, comment: str, payload: bytes, code: str | None = None) -> Vector:
        return Vector(f"word/{name}", "word", comment, {"payload": payload.hex()}, code)

    point, mac = bytes(BASE), secret("mac")
    for word in (
        MeetingWord("here", AT),
        MeetingWord("hello", point=point, work=bytes(8)),
        MeetingWord("reply", AT, point=point),
        MeetingWord("proof", AT, mac=mac),
        MeetingWord("found", AT, sealed=b"s" * 80),
        MeetingWord("wrong", AT),
        MeetingWord("void", AT),
    ):
        yield case(word.t, "a word of its type", write_word(word))
    yield case(
        "short-point", "31 bytes", encode({"v": 1, "t": "hello", "point": point[1:], "work": bytes(8)}), "bad-field"
    )
    yield case("no-work", "a hello without work", encode({"v": 1, "t": "hello", "point": point}), "bad-field")
    extra = encode({"v": 1, "t": "hello", "point": point, "work": bytes(8), "name": b"Ana"})
    yield case("extra-field", "a field too many", extra, "bad-field")
    yield case("unknown", "a type of tomorrow", encode({"v": 1, "t": "bye", "host": AT}), "unknown-type")
    yield case("version-2", "a version of tomorrow", encode({"v": 2, "t": "here", "host": AT}), "unknown-version")
    yield case("long", "more than any word takes", b"\xc4" * (MAX_WORD + 1), "too-long")


def _meetings() -> Iterator[Vector]:
    given: dict[str, Any] = {
        "code": SPOKEN,
        "run": RUN,
        "host": AT.hex(),
        "guest_secret": _wide("guest secret").hex(),
        "host_secret": _wide("host secret").hex(),
    }
    code = parse_code(SPOKEN)
    number = code.number
    context = meeting_context(code.number, RUN, AT)
    guest = Side(True, code.password, context, _wide("guest secret"))
    host = Side(False, code.password, context, _wide("host secret"))
    given["work"] = find_work(number, RUN, guest.point).hex()
    key = derive(guest.agree(host.point).key, "invite")
    nonce = b"m" * 24
    sealed = nonce + bindings.crypto_secretbox(INVITE.encode(), nonce, key)
    right = given | {"mac": guest.agree(host.point).guest_mac.hex(), "sealed": sealed.hex()}
    yield Vector("meeting/agreed", "meeting", "both know the code: the invite comes over", right)
    wrong = Side(True, parse_code("7-octopus-wasabi").password, context, _wide("guest secret"))
    guess = given | {"mac": wrong.agree(host.point).guest_mac.hex(), "sealed": sealed.hex()}
    yield Vector("meeting/wrong-words", "meeting", "a guess", guess, "bad-proof")
    other = Side(True, code.password, meeting_context(8, RUN, AT), _wide("guest secret"))
    elsewhere = given | {"mac": other.agree(host.point).guest_mac.hex(), "sealed": sealed.hex()}
    yield Vector("meeting/other-number", "meeting", "a proof for another number", elsewhere, "bad-proof")
    bent = right | {"sealed": (sealed[:-1] + bytes([sealed[-1] ^ 1])).hex()}
    yield Vector("meeting/flipped", "meeting", "a bit of the invite flipped", bent, "bad-seal")
    for name, comment, point in (
        ("identity", "the identity as a point", bytes(IDENTITY)),
        ("small-order", "a point of order 4", bytes(32)),
    ):
        work = find_work(number, RUN, point).hex()
        bad = right | {"guest_point": point.hex(), "work": work}
        yield Vector(f"meeting/{name}", "meeting", comment, bad, "bad-key")
    idle = right | {"work": bytes(8).hex()}
    yield Vector("meeting/no-work", "meeting", "a hello that nobody worked for", idle, "bad-proof")
    borrowed = right | {"work": find_work(number, base32(secret("other run")[:16]), guest.point).hex()}
    yield Vector("meeting/other-work", "meeting", "work for another run", borrowed, "bad-proof")


def books() -> list[Book]:
    codes = [Vector(f"code/{name}", "code", about, {"text": text}, code) for name, (about, text, code) in CODES.items()]
    comment = "spoken codes, and the meeting that leads from one to an invite"
    return [Book("meetings", comment, [*codes, *_words(), *_meetings()])]
