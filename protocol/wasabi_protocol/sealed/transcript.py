"""Transcripts, whose hashes are the challenges: labelled and length-prefixed, so that no proof fits elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha512
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.group import Point, Scalar, reduce_scalar

if TYPE_CHECKING:
    from collections.abc import Iterable

SUITE = b"wsb1 sealed edwards25519 sha512"
NO_DECK = 2**32 - 1
"""The deck number in proofs that concern no single deck."""


class ProofTranscript:
    """A running hash; two are equal only if they absorbed the same values under the same labels in the same order."""

    def __init__(self, label: bytes) -> None:
        self._hash = sha512()
        self.absorb(b"transcript", label)

    def absorb(self, label: bytes, *values: bytes) -> None:
        """Absorb a list of byte strings under a label."""
        parts = [_length(len(label)), label, _length(len(values))]
        for value in values:
            parts += (_length(len(value)), value)
        self._hash.update(b"".join(parts))

    def copy(self) -> ProofTranscript:
        """Return a copy that has absorbed the same values."""
        twin = object.__new__(ProofTranscript)
        twin._hash = self._hash.copy()
        return twin

    def digest(self) -> bytes:
        """Return 64 bytes that depend on everything absorbed so far."""
        return self._hash.digest()

    def challenge(self, label: bytes) -> Scalar:
        """Return a scalar that could not be known before everything absorbed so far was fixed."""
        self.absorb(b"challenge", label)
        return reduce_scalar(self._hash.digest())

    def challenges(self, label: bytes, count: int) -> list[Scalar]:
        """Return `count` independent challenges."""
        self.absorb(b"challenges", label, _length(count))
        seed = self._hash.digest()
        return [reduce_scalar(sha512(seed + _length(index)).digest()) for index in range(count)]


@dataclass(frozen=True, slots=True)
class Context:
    """The place of a proof: the game, the moment, the author and all keys."""

    gid: bytes
    epoch: int
    slot: int
    prev: bytes
    seat: int
    identity: bytes
    keys: tuple[tuple[int, Point], ...] = ()
    total: Point | None = None

    def transcript(self, kind: bytes, deck: int = NO_DECK, index: Iterable[int] = ()) -> ProofTranscript:
        """Return the start of a proof of this kind about this deck and this card or shuffle."""
        transcript = _table(self.gid, self.keys, self.total).copy()
        numbers = (_number(number) for number in (self.epoch, self.slot, self.seat, deck))
        transcript.absorb(b"place", kind, self.prev, self.identity, *numbers)
        transcript.absorb(b"index", *map(_number, index))
        return transcript


@lru_cache(maxsize=64)
def _table(gid: bytes, keys: tuple[tuple[int, Point], ...], total: Point | None) -> ProofTranscript:
    """Return the common start of all proofs until the keys change; copy it before use."""
    transcript = ProofTranscript(SUITE)
    transcript.absorb(b"game", gid)
    transcript.absorb(b"seats", *(_number(seat) for seat, _ in keys))
    transcript.absorb(b"keys", *(key for _, key in keys))
    transcript.absorb(b"joint key", *(() if total is None else (total,)))
    return transcript


def _number(number: int) -> bytes:
    return number.to_bytes(8, "big")


@cache
def _length(number: int) -> bytes:
    return number.to_bytes(4, "big")
