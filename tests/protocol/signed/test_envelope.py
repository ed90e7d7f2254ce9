"""Identity, envelope and encoding: each message has one spelling, and its signature is checked before it is read."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wasabi_protocol.game.chain import read_header
from wasabi_protocol.sealed.group import signature_holds
from wasabi_protocol.signed.canonical import MAX_DEPTH, MAX_ITEMS, Value, decode, encode
from wasabi_protocol.signed.codec import parse, signed_message, write
from wasabi_protocol.signed.envelope import LABEL, MAX_ENTRY, MAX_ENVELOPE, Signed, open_envelope, sign
from wasabi_protocol.signed.identity import Identity, fingerprint, key_text, parse_key
from wasabi_protocol.signed.messages import TYPES, Entry, Keys, Message, Shares
from wasabi_protocol.verdicts import Code, Forbidden, Refused

from tests.protocol.forgery import ORDER, sign_with_nonce
from tests.protocol.samples import GID, HEADER, ME, SAMPLES
from tests.protocol.sessions import identity, secret


def refusal(data: bytes) -> Code:
    with pytest.raises(Refused) as verdict:
        parse(data)
    assert verdict.value.seat is None
    return verdict.value.code


# Identity


def test_a_key_has_one_spelling_and_a_short_fingerprint() -> None:
    who = identity("anybody")
    text = key_text(who.key)
    assert parse_key(text) == who.key
    assert len(text) == 52
    assert len(fingerprint(who.key)) == 19
    for wrong in (text.upper(), text[:-1], text + "a", text[:-1] + "b", "!" * 52, "é" * 52):
        with pytest.raises(Refused):
            parse_key(wrong)


def test_the_same_body_always_gets_the_same_signature() -> None:
    assert sign(ME, b"body") == sign(Identity(secret("identity", "sample")), b"body")


def test_signatures_are_judged_as_libsodium_judges_them() -> None:
    message = b"message"
    good = ME.sign(message)
    assert signature_holds(ME.key, good, message)
    other = sign_with_nonce(secret("identity", "sample"), 99, message)
    assert other != good
    assert signature_holds(ME.key, other, message)
    s = int.from_bytes(good[32:], "little")
    assert not signature_holds(ME.key, good[:32] + (s + ORDER).to_bytes(32, "little"), message)
    for small in (bytes(32), b"\x01" + bytes(31), b"\xec" + b"\xff" * 30 + b"\x7f"):
        assert not signature_holds(small, bytes(64), message)
    assert not signature_holds(b"short", good, message)
    assert not signature_holds(ME.key, good[:63], message)


# Envelope


def test_a_signed_body_cannot_be_made_by_hand() -> None:
    with pytest.raises(TypeError):
        Signed()


def test_sizes_come_before_the_signature() -> None:
    for size, code in ((MAX_ENVELOPE + 1, Code.TOO_LONG), (64, Code.TOO_SHORT), (0, Code.TOO_SHORT)):
        with pytest.raises(Refused) as verdict:
            open_envelope(ME.key, bytes(size))
        assert verdict.value.code is code


def test_a_signature_covers_the_label_and_every_bit_of_the_body() -> None:
    envelope = sign(ME, b"body")
    assert open_envelope(ME.key, envelope).body == b"body"
    assert not signature_holds(ME.key, envelope[:64], b"body")
    assert signature_holds(ME.key, envelope[:64], LABEL + b"body")
    for place in range(len(envelope) * 8):
        bent = bytearray(envelope)
        bent[place // 8] ^= 1 << place % 8
        with pytest.raises(Refused) as verdict:
            open_envelope(ME.key, bytes(bent))
        assert verdict.value.code is Code.BAD_SIGNATURE


def test_what_is_too_long_to_send_is_not_signed() -> None:
    with pytest.raises(Forbidden):
        signed_message(ME, Shares(*HEADER, "x" * MAX_ENTRY))


# Messages


def test_there_is_a_sample_of_every_type() -> None:
    assert {message.t for message in SAMPLES} == set(TYPES)


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: message.t)
def test_every_message_comes_back_as_it_was_sent(message: Message) -> None:
    body = write(message)
    assert parse(body) == message
    assert write(parse(body)) == body
    assert (read_header(body) is not None) == isinstance(message, Entry)


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: message.t)
def test_a_flipped_bit_in_any_field_is_refused_or_says_something_else(message: Message) -> None:
    body = write(message)
    for place in range(0, len(body) * 8, 3):
        bent = bytearray(body)
        bent[place // 8] ^= 1 << place % 8
        try:
            found = parse(bytes(bent))
        except Refused:
            continue
        assert found != message
        assert write(found) == bytes(bent)


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: message.t)
def test_a_missing_a_repeated_a_moved_or_an_unknown_field_is_refused(message: Message) -> None:
    fields = decode(write(message))
    assert isinstance(fields, dict)
    names = list(fields)
    for name in names:
        assert refusal(encode({key: value for key, value in fields.items() if key != name}))
    moved = {name: fields[name] for name in reversed(names)}
    assert refusal(encode(moved)) is Code.BAD_FIELD
    assert refusal(encode({**fields, "more": 1})) is Code.BAD_FIELD
    packed = [encode(name) + encode(fields[name]) for name in names]
    twice = bytes([0x80 | len(names) + 1]) + b"".join(packed) + packed[-1]
    assert refusal(twice) in (Code.BAD_ENCODING, Code.BAD_FIELD)


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: message.t)
def test_every_field_refuses_a_value_of_another_kind(message: Message) -> None:
    fields = decode(write(message))
    assert isinstance(fields, dict)
    for name, value in fields.items():
        if name in ("work", "seals", "hand"):
            continue
        others: list[Value] = [2**63, -(2**40), True, "x" * 900, b"y" * 29_000, [1] * 70, {"a": 1}]
        for other in others:
            if type(other) is not type(value) or name in ("v", "t"):
                assert refusal(encode({**fields, name: other}))


def test_versions_and_types_that_are_not_known_are_refused_with_a_code() -> None:
    assert refusal(encode({"v": 2, "t": "accept", "gid": GID, "seat": 0})) is Code.UNKNOWN_VERSION
    assert refusal(encode({"v": True, "t": "accept", "gid": GID, "seat": 0})) is Code.UNKNOWN_VERSION
    assert refusal(encode({"v": 1, "t": "nonsense"})) is Code.UNKNOWN_TYPE
    assert refusal(encode({"v": 1, "t": 7})) is Code.UNKNOWN_TYPE
    assert refusal(encode({"t": "accept", "v": 1})) is Code.BAD_FIELD
    assert refusal(encode([1])) is Code.BAD_FIELD


# Hostile msgpack

ACCEPT: dict[str, Value] = {"v": 1, "t": "accept", "gid": GID, "seat": 1}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        encode(ACCEPT) + b"\x00",
        encode(ACCEPT)[:-1],
        b"\xde\x00\x04" + encode(ACCEPT)[1:],
        encode(ACCEPT)[:-1] + b"\xcc\x01",
        encode(ACCEPT)[:-1] + b"\xd3" + bytes(7) + b"\x01",
        encode(ACCEPT).replace(b"\xa1v", b"\xd9\x01v"),
        encode(ACCEPT).replace(b"\xc4\x20", b"\xc5\x00\x20"),
        encode(ACCEPT)[:-1] + b"\xcb" + bytes(8),
        encode(ACCEPT)[:-1] + b"\xca" + bytes(4),
        encode(ACCEPT)[:-1] + b"\xc0",
        encode(ACCEPT)[:-1] + b"\xc1",
        encode(ACCEPT)[:-1] + b"\xd4\x01\x00",
        encode(ACCEPT)[:-1] + b"\xd6\xff" + bytes(4),
        encode(ACCEPT)[:-1] + b"\xa2\xff\xfe",
        b"\x81\x01\x02",
        b"\x82\xa1v\x01\xa1v\x01",
        b"\x91" * 20_000 + b"\x90",
        b"\x81\xa1v" * 8_000 + b"\x01",
        b"\xdd\xff\xff\xff\xff",
        b"\xdd\x00\x00\x6d\x60" * 5_000,
        b"\xdf\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xc9\xff\xff\xff\xff\x01",
        b"\xdc\x02\x01" + b"\x01" * (MAX_ITEMS + 1),
    ],
)
def test_hostile_encodings_are_refused(data: bytes) -> None:
    assert refusal(data) in (Code.BAD_ENCODING, Code.BAD_FIELD)


def test_depth_is_bounded_also_where_any_value_may_stand() -> None:
    work: list[object] = []
    for _ in range(MAX_DEPTH):
        work = [work]
    names = ("gid", "epoch", "slot", "seat", "prev")
    body = msgpack.packb({"v": 1, "t": "shares", **dict(zip(names, HEADER, strict=True)), "work": work})
    assert refusal(body) is Code.BAD_ENCODING


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused_or_canonical(data: bytes) -> None:
    read_header(data)
    try:
        value = decode(data)
    except Refused:
        return
    assert encode(value) == data


# The header


def test_a_header_is_read_whatever_follows_it_and_only_in_its_one_form() -> None:
    body = write(Keys(*HEADER, [secret("x"), b"p" * 64], b""))
    header = read_header(body)
    assert header is not None
    assert (header.type, header.gid, header.epoch, header.slot, header.seat, header.prev) == ("keys", *HEADER)
    start = body[: body.index(b"\xa4work")]
    assert read_header(start) == header
    assert read_header(start + b"\xc1\xc1\xc1") == header
    assert read_header(start[:-1]) is None
    assert read_header(body.replace(b"\xa4slot\x07", b"\xa4slot\xcc\x07")) is None
    assert read_header(body.replace(b"\xa1v\x01", b"\xa1v\x02")) is None
    assert read_header(b"\xde\x00\x09" + body[1:]) is None
    assert read_header(body.replace(b"\xa4seat\x02", b"\xa4seat\xff")) is None
