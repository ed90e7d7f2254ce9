"""The codec of messages: bodies from messages and messages from bodies, by the table in messages.py."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, TypeVar, get_args, get_origin, get_type_hints

import msgpack

from wasabi_protocol.signed.canonical import Value, decode, encode
from wasabi_protocol.signed.envelope import MAX_ENTRY, MAX_ENVELOPE, Signed, open_envelope, sign
from wasabi_protocol.signed.identity import KEY_BYTES
from wasabi_protocol.signed.messages import TYPES, Ballot, Entry, Message, Terms
from wasabi_protocol.verdicts import Code, Forbidden, Refused

if TYPE_CHECKING:
    from wasabi_protocol.signed.fields import Kind
    from wasabi_protocol.signed.identity import Identity

VERSION = 1
_PEEK_FIELDS = 4
"""Number of leading fields to search for the key: v, t, a table or game, key."""
_PEEK_BYTES = 160

_M = TypeVar("_M", bound=Message)
_T = TypeVar("_T")


def _kinds(cls: type) -> dict[str, Kind | None]:
    """Return the kind of each field in order; None for the terms, which are a map of their own."""
    hints = get_type_hints(cls, include_extras=True)
    found: dict[str, Kind | None] = {}
    for field in fields(cls):
        hint = hints[field.name]
        found[field.name] = get_args(hint)[1] if get_origin(hint) is Annotated else None
    return found


FIELDS: dict[type, dict[str, Kind | None]] = {Terms: _kinds(Terms)}
FIELDS.update({cls: _kinds(cls) for cls in TYPES.values()})


def _plain(value: object) -> Value:
    if isinstance(value, Terms):
        return {name: _plain(getattr(value, name)) for name in FIELDS[Terms]}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (int, str, bytes, dict)):
        return value
    raise Forbidden(Code.BAD_FIELD, f"a {type(value).__name__}")


def _read(cls: type[_T], found: dict[str, Value]) -> _T:
    kinds = FIELDS[cls]
    if list(found) != list(kinds):
        raise Refused(Code.BAD_FIELD, "the fields of the type, in their order")
    read: dict[str, object] = {}
    for name, kind in kinds.items():
        read[name] = read_terms(found[name]) if kind is None else kind.read(found[name])
    return cls(**read)


def write_terms(terms: Terms) -> bytes:
    """Return the canonical bytes of the terms alone, as hashed in a join."""
    return encode(_plain(terms))


def read_terms(value: Value) -> Terms:
    """Read terms and check each field's bounds; their combination is checked where they are used."""
    if not isinstance(value, dict):
        raise Refused(Code.BAD_FIELD, "terms are a map")
    return _read(Terms, value)


def write(message: Message) -> bytes:
    """Return the body of a message."""
    named = {name: _plain(getattr(message, name)) for name in FIELDS[type(message)]}
    return encode({"v": message.v, "t": message.t, **named})


def parse(body: bytes) -> Message:
    """Parse a message from canonical bytes; raise Refused if it is invalid."""
    found = decode(body)
    if not isinstance(found, dict) or list(found)[:2] != ["v", "t"]:
        raise Refused(Code.BAD_FIELD, "a map that starts with v and t")
    version, name = found.pop("v"), found.pop("t")
    cls = TYPES.get(name) if isinstance(name, str) else None
    if type(version) is not int or version != (VERSION if cls is None else cls.v):
        raise Refused(Code.UNKNOWN_VERSION)
    if cls is None:
        raise Refused(Code.UNKNOWN_TYPE)
    return _read(cls, found)


def named_key(body: bytes) -> bytes | None:
    """Return the `key` among the first fields of a body, or None; nothing after it is examined.

    Only this may be read before a signature is checked: where names are hidden, it determines whose signature to check.
    """
    if not body or not 0x83 <= body[0] <= 0x8F:
        return None
    unpacker = msgpack.Unpacker(raw=False, max_buffer_size=_PEEK_BYTES, max_ext_len=0, max_array_len=0, max_map_len=0)
    unpacker.feed(body[1:_PEEK_BYTES])
    try:
        for _ in range(_PEEK_FIELDS):
            name, value = unpacker.unpack(), unpacker.unpack()
            if name == "key":
                return value if isinstance(value, bytes) and len(value) == KEY_BYTES else None
    except (ValueError, TypeError, OverflowError, msgpack.UnpackException):
        return None
    return None


def parse_as(cls: type[_M], body: bytes) -> _M:
    """Parse a message of this one type; raise Refused otherwise."""
    message = parse(body)
    if not isinstance(message, cls):
        raise Refused(Code.WRONG_TYPE, f"not a {cls.t}")
    return message


def open_as(cls: type[_M], key: bytes, envelope: bytes) -> tuple[Signed, _M]:
    """Return the verified envelope and its message of this one type; raise Refused otherwise."""
    signed = open_envelope(key, envelope)
    return signed, parse_as(cls, signed.body)


def limit_of(kind: type[Message]) -> int:
    """Return the size limit of an envelope of this type; possible evidence must fit into the messages that carry it."""
    return MAX_ENTRY if issubclass(kind, (Entry, Ballot)) else MAX_ENVELOPE


def signed_message(identity: Identity, message: Message) -> bytes:
    """Return the envelope of a message, checked as its readers will check it."""
    body = write(message)
    try:
        parse(body)
    except Refused as refusal:
        raise Forbidden(refusal.code, refusal.detail) from None
    envelope = sign(identity, body)
    if len(envelope) > limit_of(type(message)):
        raise Forbidden(Code.TOO_LONG)
    return envelope
