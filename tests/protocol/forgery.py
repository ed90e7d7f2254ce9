"""Forgeries within an attacker's reach: valid signatures with another nonce, and bent bytes."""

from __future__ import annotations

import hashlib

from nacl import bindings
from wasabi_protocol.signed.envelope import LABEL
from wasabi_protocol.signed.identity import Identity

from tests.protocol.sessions import secret

ORDER = 2**252 + 27742317777372353535851937790883648493


def expanded(seed: bytes) -> int:
    """Return the secret scalar of an Ed25519 seed."""
    digest = bytearray(hashlib.sha512(seed).digest()[:32])
    digest[0] &= 248
    digest[31] = (digest[31] & 127) | 64
    return int.from_bytes(digest, "little")


def sign_with_nonce(seed: bytes, nonce: int, message: bytes) -> bytes:
    """Return a valid signature that the same key would never make normally."""
    key = Identity(seed).key
    first = bindings.crypto_scalarmult_ed25519_base_noclamp((nonce % ORDER).to_bytes(32, "little"))
    challenge = int.from_bytes(hashlib.sha512(first + key + message).digest(), "little")
    second = (nonce + challenge * expanded(seed)) % ORDER
    return first + second.to_bytes(32, "little")


def signed_otherwise(name: object, nonce: int, body: bytes) -> bytes:
    """Return an envelope of this person, signed with a nonce of the attacker's choice."""
    return sign_with_nonce(secret("identity", name), nonce, LABEL + body) + body
