"""An identity is an Ed25519 key: signing, checking, and the short forms for people and topics."""

from __future__ import annotations

import base64
import binascii
import hashlib
from functools import lru_cache

from nacl import bindings

from wasabi_protocol.verdicts import Code, Refused

KEY_BYTES = 32
SEED_BYTES = 32
SIGNATURE_BYTES = 64


class Identity:
    """A signing key; the same message always gets the same signature."""

    __slots__ = ("_secret", "key")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise Refused(Code.BAD_KEY, "a seed has 32 bytes")
        self.key, self._secret = bindings.crypto_sign_seed_keypair(seed)

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of the signature alone."""
        return bindings.crypto_sign(message, self._secret)[:SIGNATURE_BYTES]

    def __repr__(self) -> str:
        return f"Identity({fingerprint(self.key)})"


def base32(data: bytes) -> str:
    """Encode in lower-case base32 without padding, as used in topics and table ids."""
    return base64.b32encode(data).decode("ascii").rstrip("=").lower()


@lru_cache(maxsize=1_024)
def key_text(key: bytes) -> str:
    """Return a key as a topic level of 52 characters."""
    return base32(key)


def parse_key(text: str) -> bytes:
    """Parse the key in a topic level; each key has only one spelling."""
    if len(text) != 52:
        raise Refused(Code.BAD_KEY, "a key has 52 characters")
    try:
        key = base64.b32decode(text.upper() + "====")
    except (binascii.Error, ValueError):
        raise Refused(Code.BAD_KEY, "not base32") from None
    if key_text(key) != text:
        raise Refused(Code.BAD_KEY, "another spelling of a key")
    return key


def fingerprint(key: bytes) -> str:
    """Return 16 characters in four groups for people to compare: 80 bits of a hash of the key."""
    text = base32(hashlib.sha256(b"wsb1 fingerprint" + key).digest()[:10])
    return "-".join(text[start : start + 4] for start in range(0, 16, 4))
