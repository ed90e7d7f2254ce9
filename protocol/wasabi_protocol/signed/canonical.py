"""The canonical encoding of a value: msgpack that equals its own shortest re-encoding, within fixed bounds."""

from __future__ import annotations

from typing import TypeAlias

import msgpack

from wasabi_protocol.verdicts import Code, Refused

Value: TypeAlias = int | bool | str | bytes | list["Value"] | dict[str, "Value"]

MAX_DEPTH = 6
MAX_ITEMS = 512
MAX_KEYS = 24
MAX_PARTS = 256
"""Most lists and maps in one value; each costs a reader far more than the byte it takes."""


def encode(value: Value) -> bytes:
    """Return the canonical bytes of a value; maps keep their insertion order."""
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


class _Parts:
    """Counts the lists and maps of one value during decoding, so that too many end it early."""

    def __init__(self) -> None:
        self._left = MAX_PARTS

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise ValueError("too many parts")

    def many(self, items: list[object]) -> list[object]:
        self._count()
        return items

    def named(self, pairs: list[tuple[object, object]]) -> dict[object, object]:
        self._count()
        fields = dict(pairs)
        if len(fields) != len(pairs):
            raise ValueError("a key twice")
        return fields


def _walk(value: object, depth: int) -> Value:
    if depth > MAX_DEPTH:
        raise Refused(Code.BAD_ENCODING, "too deep")
    if isinstance(value, (int, str, bytes)):
        return value
    if type(value) is list:
        return [_walk(item, depth + 1) for item in value]
    if type(value) is dict:
        if not all(type(name) is str for name in value):
            raise Refused(Code.BAD_ENCODING, "a key that is not text")
        return {name: _walk(item, depth + 1) for name, item in value.items()}
    raise Refused(Code.BAD_ENCODING, "a kind of value that is not used here")


def decode(data: bytes) -> Value:
    """Decode canonical bytes; refuse anything else, in time and memory linear in its length."""
    parts = _Parts()
    try:
        # Counts are checked before anything is allocated for them; lengths cannot exceed the given bytes.
        raw = msgpack.unpackb(
            data,
            raw=False,
            list_hook=parts.many,
            object_pairs_hook=parts.named,
            max_array_len=MAX_ITEMS,
            max_map_len=MAX_KEYS,
            max_ext_len=0,
        )
    except (ValueError, TypeError, OverflowError, msgpack.UnpackException):
        raise Refused(Code.BAD_ENCODING, "not msgpack within bounds") from None
    value = _walk(raw, 0)
    if encode(value) != data:
        raise Refused(Code.BAD_ENCODING, "not the shortest encoding")
    return value
