"""SPAKE2 per RFC 9382 over edwards25519 with SHA-256: two parties who share a weak password agree on a strong key.

Whoever carries their messages learns nothing about the password; an impostor can test one password per run.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import (
    Point,
    Scalar,
    add,
    import_point,
    multiply,
    multiply_base,
    public_scalar,
    reduce_scalar,
    subtract,
)
from wasabi_protocol.verdicts import Code, Refused

# The RFC's two constants for this curve; nobody knows their logarithms.
M = Point(bytes.fromhex("d048032c6ea0b6d697ddc2e86bda85a33adac920f1bf18e1b0c6d166a5cecdaf"))
N = Point(bytes.fromhex("d3bfb518f44f3430f29d0c92af503865a1ed3281dc69b35dd868ba85f886c4ab"))
COFACTOR = public_scalar(8)
SECRET_BYTES = 64
_HALF = 16


@dataclass(frozen=True, slots=True)
class Agreed:
    """One side's result once both points are known; both sides get the same only with the same password."""

    key: bytes
    guest_mac: bytes
    """The guest's proof that it knew the password."""


class Side:
    """One of the two parties: the guest's point is masked with M, the host's with N."""

    __slots__ = ("_context", "_guest", "_secret", "_weight", "point")

    def __init__(self, guest: bool, password: bytes, context: bytes, secret: bytes) -> None:
        """Create one side; `secret` is 64 random bytes for this run, `context` the data both must agree on."""
        self._guest = guest
        self._context = context
        self._secret = reduce_scalar(secret)
        self._weight = reduce_scalar(hashlib.sha512(b"wsb1 code" + password).digest())
        mask = multiply(self._weight, M if guest else N)
        self.point: Point = add(multiply_base(self._secret), mask)

    def agree(self, other: bytes) -> Agreed:
        """Combine with the other side's point; raise Refused if that is not a point of the group."""
        try:
            theirs = import_point(other)
        except SealRefused:
            raise Refused(Code.BAD_KEY, "no point of the group") from None
        unmasked = subtract(theirs, multiply(self._weight, N if self._guest else M))
        shared = multiply(COFACTOR, multiply(self._secret, unmasked))
        guest, host = (self.point, theirs) if self._guest else (theirs, self.point)
        return _keys(guest, host, shared, self._weight, self._context)


def _keys(guest: Point, host: Point, shared: Point, weight: Scalar, context: bytes) -> Agreed:
    """Derive the key and the guest's confirmation from the transcript of both sides."""
    parts = (b"wasabi guest", b"wasabi host", guest, host, shared, weight)
    transcript = b"".join(len(part).to_bytes(8, "little") + part for part in parts)
    digest = hashlib.sha256(transcript).digest()
    confirmation = _hkdf(digest[_HALF:], b"ConfirmationKeys" + context)
    return Agreed(digest[:_HALF], hmac.new(confirmation[:_HALF], transcript, hashlib.sha256).digest())


def _hkdf(key: bytes, info: bytes) -> bytes:
    """Return the first 32 bytes of HKDF-SHA-256 without a salt."""
    extracted = hmac.new(bytes(hashlib.sha256().digest_size), key, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()
