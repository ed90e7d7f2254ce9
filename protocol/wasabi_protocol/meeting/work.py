"""The work in a hello: it costs a guest a fraction of a second, and a host one hash to check.

A code is open to everyone who knows a number, so each attempt is charged to whoever makes it. The work is valid for one
number, one run and one point, so none serves for a second guess.
"""

from __future__ import annotations

import hashlib

WORK_BITS = 18
"""Leading zero bits of a hash with enough work."""
NONCE_BYTES = 8


def _start(number: int, run: str, point: bytes) -> hashlib._Hash:
    return hashlib.sha256(b"wsb1 work" + number.to_bytes(2, "big") + run.encode() + point)


def _is_enough(digest: bytes) -> bool:
    return int.from_bytes(digest, "big") >> (8 * len(digest) - WORK_BITS) == 0


def find_work(number: int, run: str, point: bytes) -> bytes:
    """Return the first nonce that makes the hash of a hello small enough; this is slow on purpose."""
    start = _start(number, run, point)
    for count in range(2 ** (8 * NONCE_BYTES)):
        nonce = count.to_bytes(NONCE_BYTES, "big")
        trial = start.copy()
        trial.update(nonce)
        if _is_enough(trial.digest()):
            return nonce
    raise AssertionError("among so many nonces one fits")


def holds_work(number: int, run: str, point: bytes, nonce: bytes) -> bool:
    """Return whether a hello's nonce contains enough work."""
    trial = _start(number, run, point)
    trial.update(nonce)
    return _is_enough(trial.digest())
