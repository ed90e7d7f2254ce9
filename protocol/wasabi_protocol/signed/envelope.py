"""The envelope: a 64-byte signature, then the body; sizes are checked first, then the signature, then the body is
parsed.
"""

from __future__ import annotations

import hashlib

from wasabi_protocol.sealed.group import signature_holds
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.verdicts import Code, Refused

LABEL = b"wsb1 signed\x00"
BODY_LABEL = b"wsb1 body\x00"
SEAL_OVERHEAD = 40
MAX_PAYLOAD = 32_000
MAX_ENTRY = 28_000
MAX_ENVELOPE = MAX_PAYLOAD - SEAL_OVERHEAD

Item = tuple[bytes, bytes]
"""An author's key and one of its envelopes, as in files and answers."""


class Signed:
    """Bytes whose signature was checked against `key`; only `open_envelope` creates one.

    `body` contains the bytes as received; hashing and parsing use them, never a re-encoding.
    """

    __slots__ = ("body", "body_hash", "envelope", "key")
    key: bytes
    envelope: bytes
    body: bytes
    body_hash: bytes

    def __init__(self) -> None:
        raise TypeError("only open_envelope makes a Signed")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signed) and self.key == other.key and self.body == other.body

    def __hash__(self) -> int:
        return hash((self.key, self.body_hash))

    def __repr__(self) -> str:
        return f"Signed({self.body_hash.hex()[:12]}, {len(self.body)} bytes)"


def body_hash(body: bytes) -> bytes:
    """Return the hash that names a body, independent of its signatures."""
    return hashlib.sha256(BODY_LABEL + body).digest()


def sign(identity: Identity, body: bytes) -> bytes:
    """Return the envelope of a body; the same key and body always give the same envelope."""
    return identity.sign(LABEL + body) + body


def open_envelope(key: bytes, envelope: bytes, limit: int = MAX_ENVELOPE) -> Signed:
    """Verify an envelope; raise Refused otherwise. Nothing is parsed before the signature of `key` is checked."""
    if len(envelope) > limit:
        raise Refused(Code.TOO_LONG)
    if len(envelope) <= SIGNATURE_BYTES:
        raise Refused(Code.TOO_SHORT)
    body = envelope[SIGNATURE_BYTES:]
    if not signature_holds(key, envelope[:SIGNATURE_BYTES], LABEL + body):
        raise Refused(Code.BAD_SIGNATURE)
    signed = object.__new__(Signed)
    signed.key, signed.envelope, signed.body = key, envelope, body
    signed.body_hash = body_hash(body)
    return signed
