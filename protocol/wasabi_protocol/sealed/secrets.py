"""Secrets: every secret number of a game follows from one secret and the number's purpose.

The same secret in the same place of the same game always gives the same bytes: after a crash, from a restored disk or
on a second machine, a message is repeated, never contradicted, and no nonce ever answers two challenges.
"""

from __future__ import annotations

import hmac
import os
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.group import ZERO, Scalar, reduce_scalar

if TYPE_CHECKING:
    from wasabi_protocol.sealed.transcript import ProofTranscript

SECRET_SIZE = 32


def new_game_secret() -> bytes:
    """Return 32 bytes from the operating system."""
    return os.urandom(SECRET_SIZE)


def next_secret(secret: bytes) -> bytes:
    """Return the secret of the following epoch; the step cannot be reversed."""
    return hmac.digest(secret, b"wsb1 next epoch", "sha512")[:SECRET_SIZE]


class Source:
    """Secret numbers for one statement, indistinguishable from random without the secret."""

    def __init__(self, secret: bytes, statement: ProofTranscript) -> None:
        self._key = hmac.digest(secret, b"wsb1 statement" + statement.digest(), "sha512")

    def scalar(self, purpose: bytes, index: int = 0) -> Scalar:
        """Return a uniform nonzero scalar."""
        attempt = 0
        while True:
            scalar = reduce_scalar(self._wide(purpose, index, attempt))
            if scalar != ZERO:
                return scalar
            attempt += 1

    def scalars(self, purpose: bytes, count: int) -> list[Scalar]:
        """Return `count` uniform nonzero scalars."""
        return [self.scalar(purpose, index) for index in range(count)]

    def permutation(self, purpose: bytes, count: int) -> list[int]:
        """Return a uniform permutation of 0 … count − 1."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            # With 512 bits and at most a few hundred places, the bias is below 2**-500.
            other = int.from_bytes(self._wide(purpose, last, 0), "big") % (last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def _wide(self, purpose: bytes, index: int, attempt: int) -> bytes:
        message = len(purpose).to_bytes(4, "big") + purpose + index.to_bytes(4, "big") + attempt.to_bytes(4, "big")
        return hmac.digest(self._key, message, "sha512")
