"""Packed positions: each is copied from the one before, plus new bytes. `pictures.mjs` reads them."""

from __future__ import annotations

from collections.abc import Iterable
from struct import pack

LEAST = 8
"""The fewest equal bytes that are worth copying."""
MOST_FRESH = 255


def packed(positions: Iterable[bytes]) -> bytes:
    """Return the positions as one block: for each the number of its parts, for each part a copy and new bytes."""
    found, before = [], b""
    for position in positions:
        parts = _parts(before, position)
        found.append(pack(">H", len(parts)) + b"".join(parts))
        before = position
    return b"".join(found)


def _parts(before: bytes, position: bytes) -> list[bytes]:
    parts: list[bytes] = []
    at = copied = length = 0
    fresh = bytearray()

    def close() -> None:
        parts.append(pack(">HHB", copied, length, len(fresh)) + fresh)
        fresh.clear()

    while at < len(position):
        found = before.find(position[at : at + LEAST]) if at + LEAST <= len(position) else -1
        if found < 0:
            if len(fresh) == MOST_FRESH:
                close()
                copied = length = 0
            fresh.append(position[at])
            at += 1
            continue
        if length or fresh:
            close()
        copied, length = found, _alike(before[found:], position[at:])
        at += length
    close()
    return parts


def _alike(one: bytes, other: bytes) -> int:
    """Return the length of the common prefix."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))
