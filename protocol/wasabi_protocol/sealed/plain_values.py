"""Reading plain values from outside: each function returns the value in its expected form or refuses it."""

from __future__ import annotations

from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import SIZE


def items(value: object, count: int | None = None, *, at_most: int | None = None) -> list[object]:
    """Return a list with exactly `count` items, or with at most `at_most`."""
    if not isinstance(value, list | tuple):
        raise SealRefused("encoding.shape", expected="list")
    if (count is not None and len(value) != count) or (at_most is not None and len(value) > at_most):
        raise SealRefused("encoding.shape", expected="list", count=len(value))
    return list(value)


def blob(value: object, size: int) -> bytes:
    """Return a byte string of exactly this size."""
    if not isinstance(value, bytes) or len(value) != size:
        raise SealRefused("encoding.shape", expected="bytes", size=size)
    return value


def number(value: object, below: int) -> int:
    """Return an unsigned number below the limit."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < below:
        raise SealRefused("encoding.shape", expected="number", below=below)
    return value


def cut(raw: bytes) -> list[bytes]:
    """Split a byte string into its 32-byte pieces."""
    return [raw[start : start + SIZE] for start in range(0, len(raw), SIZE)]
