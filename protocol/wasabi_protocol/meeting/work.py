"""The work that strangers pay with: it costs whoever speaks a fraction of a second, and a reader one hash to check.

What anybody may say to everybody is charged to whoever says it: a hello to a code, and a seek. In a hello the work is
valid for one number, one run and one point, so none serves for a second guess.
"""

from __future__ import annotations

import hashlib

WORK_BITS = 18
"""Leading zero bits of a hash with enough work."""
NONCE_BYTES = 8


def _hello(number: int, run: str, point: bytes) -> bytes:
    return b"wsb1 work" + number.to_bytes(2, "big") + run.encode() + point


def _is_enough(digest: bytes) -> bool:
    return int.from_bytes(digest, "big") >> (8 * len(digest) - WORK_BITS) == 0


def find_nonce(start: bytes) -> bytes:
    """Return the first nonce that makes the hash of `start` and nonce small enough; this is slow on purpose."""
    begun = hashlib.sha256(start)
    for count in range(2 ** (8 * NONCE_BYTES)):
        nonce = count.to_bytes(NONCE_BYTES, "big")
        trial = begun.copy()
        trial.update(nonce)
        if _is_enough(trial.digest()):
            return nonce
    raise AssertionError("among so many nonces one fits")


def is_worked_for(start: bytes, nonce: bytes) -> bool:
    """Return whether a nonce contains enough work for `start`."""
    return _is_enough(hashlib.sha256(start + nonce).digest())


def find_work(number: int, run: str, point: bytes) -> bytes:
    """Return the nonce of a hello."""
    return find_nonce(_hello(number, run, point))


def holds_work(number: int, run: str, point: bytes, nonce: bytes) -> bool:
    """Return whether a hello's nonce contains enough work."""
    return is_worked_for(_hello(number, run, point), nonce)
