"""Vectors of the encoding, of envelopes and of every message's fields."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import count

from nacl import bindings
from wasabi_protocol.signed.canonical import Value, decode, encode
from wasabi_protocol.signed.codec import write
from wasabi_protocol.signed.envelope import LABEL, MAX_ENTRY, MAX_ENVELOPE, sign
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.signed.messages import Message, Off

from tests.protocol.forgery import ORDER, expanded, sign_with_nonce
from tests.protocol.samples import ME, SAMPLES
from tests.protocol.sessions import secret
from tests.protocol.vectors.vector import Book, Vector

BAD = "bad-encoding"
SEED = secret("identity", "sample")
ORDER_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
IDENTITY = bytes([1]) + bytes(31)
FIELD = 2**255 - 19
BODY = write(Off(ME.key, b"n" * 16))


def _nested(levels: int) -> bytes:
    return b"\x91" * levels + b"\x01"


GOOD = {
    "empty-map": ("an empty map", "80"),
    "order-kept": ("keys stay in the order of the bytes, sorted or not", "82a17a01a16102"),
    "small-integers": ("0, 127, -1, -32 in one byte each", "94007fffe0"),
    "wider-integers": ("128, 256, 65536, 2^32, -33, -129 in the shortest form of each", None),
    "long-text": ("32 bytes of text need the one-byte length", "d920" + "61" * 32),
    "bytes": ("binary data is bin, here of length 2", "c4020001"),
    "true-and-false": ("flags", "92c3c2"),
    "six-lists": ("a value inside six lists", _nested(6).hex()),
    "most-items": ("a list of 512", "dc0200" + "00" * 512),
    "most-parts": ("256 lists, this one included", "dc00ff" + "90" * 255),
}
WRONG = {
    "too-many-parts": ("257 lists and maps, this one included", "dc0100" + "90" * 128 + "80" * 128),
    "integer-u8": ("1 in two bytes", "cc01"),
    "integer-u16": ("255 in three bytes", "cd00ff"),
    "integer-u32": ("65535 in five bytes", "ce0000ffff"),
    "integer-u64": ("1 in nine bytes", "cf0000000000000001"),
    "integer-i8": ("-1 in two bytes", "d0ff"),
    "integer-signed": ("128 as a signed number", "d10080"),
    "text-8": ("short text with a one-byte length", "d90161"),
    "text-16": ("short text with a two-byte length", "da000161"),
    "bytes-16": ("short bytes with a two-byte length", "c5000161"),
    "bytes-as-text": ("text that is not UTF-8", "a1ff"),
    "text-overlong": ("UTF-8 longer than it need be", "a2c0af"),
    "text-surrogate": ("half of a surrogate pair", "a3eda080"),
    "list-16": ("a short list with a two-byte length", "dc000101"),
    "map-16": ("a short map with a two-byte length", "de0001a16101"),
    "key-twice": ("a key twice", "82a16101a16101"),
    "key-number": ("a key that is not text", "810101"),
    "key-bytes": ("a key that is bytes", "81c4016101"),
    "trailing": ("a byte after the value", "0100"),
    "cut": ("the end is missing", "92 01"),
    "empty": ("nothing at all", ""),
    "nil": ("nil has no use here", "c0"),
    "float": ("a float", "ca3f800000"),
    "double": ("a double, even a whole one", "cb3ff0000000000000"),
    "extension": ("an extension type", "d40561"),
    "timestamp": ("the timestamp extension", "d6ff00000001"),
    "reserved": ("the byte that msgpack never uses", "c1"),
    "seven-lists": ("a value inside seven lists", _nested(7).hex()),
    "too-many-items": ("a list of 513", "dc0201" + "00" * 513),
    "too-many-keys": ("a map of 25", "de0019" + "".join(f"a1{0x61 + n:02x}00" for n in range(25))),
    "claimed-length": ("a list that claims four billion items", "ddffffffff"),
}


def encoding() -> Book:
    wider = encode([128, 256, 65536, 2**32, -33, -129]).hex()
    vectors = [
        Vector(f"encoding/{name}", "decode", comment, {"bytes": text or wider})
        for name, (comment, text) in GOOD.items()
    ]
    vectors += [
        Vector(f"encoding/{name}", "decode", comment, {"bytes": text.replace(" ", "")}, BAD)
        for name, (comment, text) in WRONG.items()
    ]
    return Book("encoding", "bytes that are, or are not, the one encoding of a value", vectors)


# Envelopes


def _mixed_nonce() -> bytes:
    """Return a signature whose R has a part of order 8; a cofactored equation would accept it."""
    first = bindings.crypto_scalarmult_ed25519_base_noclamp((77).to_bytes(32, "little"))
    mixed = bindings.crypto_core_ed25519_add(first, ORDER_8)
    challenge = int.from_bytes(hashlib.sha512(mixed + ME.key + LABEL + BODY).digest(), "little")
    second = (77 + challenge * expanded(SEED)) % ORDER
    return mixed + second.to_bytes(32, "little")


def _mixed_key(lucky: bool) -> tuple[bytes, bytes]:
    """Return a key with a part of order 8 and a signature; it is valid if the challenge is a multiple of 8."""
    key = bindings.crypto_core_ed25519_add(ME.key, ORDER_8)
    body = write(Off(key, b"n" * 16))
    nonce = 1
    while True:
        first = bindings.crypto_scalarmult_ed25519_base_noclamp(nonce.to_bytes(32, "little"))
        challenge = int.from_bytes(hashlib.sha512(first + key + LABEL + body).digest(), "little") % ORDER
        if (challenge % 8 == 0) == lucky:
            second = (nonce + challenge * expanded(SEED)) % ORDER
            return key, first + second.to_bytes(32, "little") + body
        nonce += 1


def _no_nonce() -> bytes:
    """Return a signature with nonce 0: the equation is satisfied, with the identity as R."""
    challenge = int.from_bytes(hashlib.sha512(IDENTITY + ME.key + LABEL + BODY).digest(), "little")
    return IDENTITY + (challenge * expanded(SEED) % ORDER).to_bytes(32, "little")


def _small_nonce() -> tuple[bytes, bytes]:
    """Return a signature under a key with a part of order 8, with an R of order 8 that compensates for it."""
    key = bindings.crypto_core_ed25519_add(ME.key, ORDER_8)
    first = bindings.crypto_core_ed25519_sub(IDENTITY, ORDER_8)
    for number in count():
        body = write(Off(key, number.to_bytes(16, "big")))
        challenge = int.from_bytes(hashlib.sha512(first + key + LABEL + body).digest(), "little") % ORDER
        if challenge % 8 == 1:
            break
    return key, first + (challenge * expanded(SEED) % ORDER).to_bytes(32, "little") + body


def _long(limit: int) -> bytes:
    """Return a signed envelope that is one byte too long; nobody needs to look inside."""
    return sign(ME, bytes(limit + 1 - 64))


def _envelopes() -> Iterator[tuple[str, str, bytes, bytes, str | None]]:
    good = sign(ME, BODY)
    plus = good[:32] + (int.from_bytes(good[32:64], "little") + ORDER).to_bytes(32, "little") + BODY
    zero = bytes(32)
    bad = "bad-signature"
    yield "good", "a signature over the label and the body", ME.key, good, None
    other = sign_with_nonce(SEED, 99, LABEL + BODY) + BODY
    yield "second-signature", "another valid signature: the same body, the same name", ME.key, other, None
    yield "other-key", "signed by somebody else", Identity(secret("other")).key, good, bad
    yield "flipped-body", "a bit of the body", ME.key, good[:-1] + bytes([good[-1] ^ 1]), bad
    yield "flipped-signature", "a bit of R", ME.key, bytes([good[0] ^ 1]) + good[1:], bad
    yield "no-label", "the body signed without the label", ME.key, ME.sign(BODY) + BODY, bad
    yield "s-plus-l", "S + L: the same equation, another spelling", ME.key, plus, bad
    yield "small-order-key", "a key of order 8, with R = S = 0 made to fit", ORDER_8, IDENTITY + zero + BODY, bad
    yield "identity-key", "the identity as key: everything would hold", IDENTITY, IDENTITY + zero + BODY, bad
    loose = (FIELD + 1).to_bytes(32, "little")
    yield "non-canonical-key", "the identity with y = p + 1", loose, IDENTITY + zero + BODY, bad
    yield (
        "mixed-order-nonce",
        "R with a part of order 8: no cofactor here",
        ME.key,
        _mixed_nonce() + BODY,
        bad,
    )
    key, envelope = _mixed_key(lucky=False)
    yield "mixed-order-key", "a key with a part of order 8", key, envelope, bad
    key, envelope = _mixed_key(lucky=True)
    yield "mixed-order-key-lucky", "the same key where the part cancels out: it holds", key, envelope, None
    yield "no-nonce", "R is the identity: the equation holds", ME.key, _no_nonce() + BODY, bad
    key, envelope = _small_nonce()
    yield "small-order-nonce", "R of order 8, under a key of mixed order: the equation holds", key, envelope, bad
    yield "short-key", "a key of 31 bytes", ME.key[:31], good, bad
    yield "no-body", "a signature alone", ME.key, good[:64], "too-short"
    yield "too-long", "31,961 bytes", ME.key, _long(MAX_ENVELOPE), "too-long"
    for name, comment, body, code in _bodies():
        yield name, comment, ME.key, sign(ME, body), code


def _bodies() -> Iterator[tuple[str, str, bytes, str]]:
    fields = decode(BODY)
    assert isinstance(fields, dict)
    yield "version-2", "a version that is not known", encode(fields | {"v": 2}), "unknown-version"
    yield "version-true", "true is not 1", encode(fields | {"v": True}), "unknown-version"
    yield "unknown-type", "a type that is not known", encode(fields | {"t": "teleport"}), "unknown-type"
    turned: dict[str, Value] = {"t": "off", "v": 1, "key": ME.key, "nonce": b"n" * 16}
    yield "type-first", "t before v", encode(turned), "bad-field"
    swapped: dict[str, Value] = {"v": 1, "t": "off", "nonce": b"n" * 16, "key": ME.key}
    yield "swapped-fields", "fields in another order", encode(swapped), "bad-field"
    yield "extra-field", "a field too many", encode(fields | {"x": 1}), "bad-field"
    yield "missing-field", "a field too few", encode({name: fields[name] for name in ("v", "t", "key")}), "bad-field"
    yield "not-a-map", "a list", encode([1, "off"]), "bad-field"
    yield "loose-body", "signed, and not canonical", BODY.replace(b"\x01", b"\xcc\x01", 1), "bad-encoding"


def envelopes() -> Book:
    vectors = [
        Vector(
            f"envelope/{name}",
            "envelope",
            comment,
            {"key": key.hex(), "envelope": envelope.hex(), "limit": "message"},
            code,
        )
        for name, comment, key, envelope, code in _envelopes()
    ]
    given = {"key": ME.key.hex(), "envelope": _long(MAX_ENTRY).hex(), "limit": "entry"}
    vectors.append(Vector("envelope/entry-too-long", "envelope", "an entry of 28,001 bytes", given, "too-long"))
    text = key_text(ME.key)
    texts = {
        "good": ("a key as a topic level", text, None),
        "upper-case": ("one spelling only", text.upper(), "bad-key"),
        "spare-bits": ("the last character has bits to spare: they are zero", text[:-1] + "b", "bad-key"),
        "short": ("51 characters", text[:-1], "bad-key"),
        "not-base32": ("a character outside base32", "1" + text[1:], "bad-key"),
    }
    vectors += [
        Vector(f"key/{name}", "key-text", comment, {"text": spelled}, code)
        for name, (comment, spelled, code) in texts.items()
    ]
    return Book("envelopes", "signatures, sizes, and the first fields of a body", vectors)


# Messages


BENT: tuple[tuple[str, str, str, Value, str], ...] = (
    ("offer-table-short", "offer", "table", "abc", "a table's name has 26 characters"),
    ("offer-n-negative", "offer", "n", -1, "a counter below 0"),
    ("offer-door-16", "offer", "door", bytes(16), "a door is a key or nothing"),
    ("say-too-long", "say", "text", "x" * 501, "501 bytes of chat"),
    ("join-name-too-long", "join", "name", "x" * 65, "65 bytes of name"),
    ("join-ticket-short", "join", "ticket", bytes(63), "a ticket of 63 bytes"),
    ("genesis-attempt-0", "genesis", "attempt", 0, "attempts count from 1"),
    ("genesis-one-seat", "genesis", "joins", [[bytes(32), bytes(90)]], "one seat is no game"),
    ("accept-seat-4", "accept", "seat", 4, "seats are 0 to 3"),
    ("accept-seat-true", "accept", "seat", True, "true is not a number"),
    ("keys-slot-0", "keys", "slot", 0, "slots count from 1"),
    ("keys-prev-short", "keys", "prev", bytes(31), "31 bytes are no hash"),
    ("keys-nonce-31", "keys", "nonce", bytes(31), "a nonce has 32 bytes, or none"),
    ("bundle-steps-65", "bundle", "steps", ["pass"] * 65, "65 steps"),
    ("bundle-step-bytes", "bundle", "steps", [b"pass"], "a step is text"),
    ("bundle-wishes-4", "bundle", "wishes", [b"w"] * 4, "one cannot quote more than the others"),
    ("end-score-text", "end", "scores", ["3"], "a score is a number"),
    ("end-open-1", "end", "open", 1, "1 is not true"),
    ("wish-other", "wish", "want", "win", "leave or rematch"),
    ("ballot-round-0", "ballot", "round", 0, "rounds count from 1"),
    ("ballot-held-65", "ballot", "held", [[bytes(32), b"e"]] * 65, "65 envelopes attached"),
    ("blame-empty", "blame", "entries", [], "blame without evidence"),
    ("head-run-15", "head", "run", bytes(15), "a run id has 16 bytes"),
    ("terms-options", "offer", "terms", "as you like", "terms are a map"),
)


def _bent(name: str, field: str, value: Value) -> bytes:
    sample: Message = next(message for message in SAMPLES if message.t == name)
    fields = decode(write(sample))
    assert isinstance(fields, dict)
    return encode(fields | {field: value})


def _bent_edition() -> bytes:
    """Return an offer whose edition would set a terminal's title."""
    sample: Message = next(message for message in SAMPLES if message.t == "offer")
    fields = decode(write(sample))
    assert isinstance(fields, dict)
    terms = fields["terms"]
    assert isinstance(terms, dict)
    return encode(fields | {"terms": terms | {"edition": "\x1b]0;mine\x07"}})


def messages() -> Book:
    vectors = [
        Vector(f"message/{sample.t}", "message", f"a {sample.t} within its bounds", {"body": write(sample).hex()})
        for sample in SAMPLES
    ]
    vectors += [
        Vector(f"message/{name}", "message", comment, {"body": _bent(kind, field, value).hex()}, "bad-field")
        for name, kind, field, value, comment in BENT
    ]
    comment = "an edition is named in small letters"
    vectors.append(Vector("message/terms-edition", "message", comment, {"body": _bent_edition().hex()}, "bad-field"))
    return Book("messages", "every type once, and fields out of their bounds", vectors)


def books() -> list[Book]:
    return [encoding(), envelopes(), messages()]
