"""Secrets: every secret number of a game follows from one secret and from what the number is for.

The same secret in the same place of the same game always gives the same bytes: a crash, a restored disk or a
second machine repeats a message and never contradicts it, and no nonce ever answers two challenges.
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
    """32 bytes from the operating system."""
    return os.urandom(SECRET_SIZE)


def next_secret(secret: bytes) -> bytes:
    """The secret of the following epoch; nothing leads back."""
    return hmac.digest(secret, b"wsb1 next epoch", "sha512")[:SECRET_SIZE]


class Source:
    """Secret numbers for one statement: nobody without the secret can tell them from random."""

    def __init__(self, secret: bytes, statement: ProofTranscript) -> None:
        self._key = hmac.digest(secret, b"wsb1 statement" + statement.digest(), "sha512")

    def scalar(self, purpose: bytes, index: int = 0) -> Scalar:
        """A uniform scalar other than zero."""
        attempt = 0
        while True:
            scalar = reduce_scalar(self._wide(purpose, index, attempt))
            if scalar != ZERO:
                return scalar
            attempt += 1

    def scalars(self, purpose: bytes, count: int) -> list[Scalar]:
        """As many of them as asked for."""
        return [self.scalar(purpose, index) for index in range(count)]

    def permutation(self, purpose: bytes, count: int) -> list[int]:
        """A uniform order of 0 … count − 1."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            # 512 bits against at most a few hundred places: the bias is below 2**-500.
            other = int.from_bytes(self._wide(purpose, last, 0), "big") % (last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def _wide(self, purpose: bytes, index: int, attempt: int) -> bytes:
        message = len(purpose).to_bytes(4, "big") + purpose + index.to_bytes(4, "big") + attempt.to_bytes(4, "big")
        return hmac.digest(self._key, message, "sha512")
