"""Transcripts, of which a challenge is the hash: labelled and length-prefixed, so that no proof fits elsewhere."""

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
"""The deck's number in proofs that concern no single deck."""


class ProofTranscript:
    """A running hash; two agree only if the same labels took the same values in the same order."""

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
        """A copy that has absorbed the same."""
        twin = object.__new__(ProofTranscript)
        twin._hash = self._hash.copy()
        return twin

    def digest(self) -> bytes:
        """64 bytes that depend on everything absorbed so far."""
        return self._hash.digest()

    def challenge(self, label: bytes) -> Scalar:
        """A scalar that could not be known before everything above it was fixed."""
        self.absorb(b"challenge", label)
        return reduce_scalar(self._hash.digest())

    def challenges(self, label: bytes, count: int) -> list[Scalar]:
        """`count` independent challenges."""
        self.absorb(b"challenges", label, _length(count))
        seed = self._hash.digest()
        return [reduce_scalar(sha512(seed + _length(index)).digest()) for index in range(count)]


@dataclass(frozen=True, slots=True)
class Context:
    """Where a proof is made: the game, the moment, the author and all keys."""

    gid: bytes
    epoch: int
    slot: int
    prev: bytes
    seat: int
    identity: bytes
    keys: tuple[tuple[int, Point], ...] = ()
    total: Point | None = None

    def transcript(self, kind: bytes, deck: int = NO_DECK, index: Iterable[int] = ()) -> ProofTranscript:
        """The beginning of a proof of this kind about this deck and this card or shuffle."""
        transcript = _table(self.gid, self.keys, self.total).copy()
        numbers = (_number(number) for number in (self.epoch, self.slot, self.seat, deck))
        transcript.absorb(b"place", kind, self.prev, self.identity, *numbers)
        transcript.absorb(b"index", *map(_number, index))
        return transcript


@lru_cache(maxsize=64)
def _table(gid: bytes, keys: tuple[tuple[int, Point], ...], total: Point | None) -> ProofTranscript:
    """What all proofs begin with until the keys change; to be copied."""
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
