"""Private tables: everything follows from one secret, and watchers get a secret derived from it.

This module also seals data to one person: the invite for somebody who knocks.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from nacl import bindings
from nacl.exceptions import CryptoError

from wasabi_protocol.signed.envelope import MAX_PAYLOAD, SEAL_OVERHEAD
from wasabi_protocol.signed.identity import Identity, base32
from wasabi_protocol.verdicts import Code, Refused

SECRET_BYTES = 16
TICKET_BYTES = 10
EARLIER_BYTES = 32
"""Size of the secrets of tables opened by earlier versions; everything is derived from them in the same way."""
NONCE_BYTES = 24
BOX_BYTES = 32
NAME_LETTERS = 26


def new_play_key() -> bytes:
    """Return the secret of a new private table, from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def new_ticket_key() -> bytes:
    """Return the key for an invite to an open table; its holders are seated before strangers."""
    return secrets.token_bytes(TICKET_BYTES)


def derive(key: bytes, purpose: str) -> bytes:
    """Return KDF(key, purpose): 32 bytes that reveal nothing about the key."""
    return hmac.new(key, b"wsb1 kdf " + purpose.encode(), hashlib.sha256).digest()


def read_key(play_key: bytes) -> bytes:
    """Return k_read, which a watch invite carries; it is as long as the play key."""
    return derive(play_key, "read")[: len(play_key)]


def door_identity(invited: bytes) -> Identity:
    """Return the key that signs the ticket in a join, from a play key or ticket key; watchers cannot derive it."""
    return Identity(derive(invited, "join"))


class PrivateTable:
    """The abilities of everyone at a private table: naming its topics, sealing and opening its payloads."""

    __slots__ = ("_payload_key", "_read_key", "table")

    def __init__(self, read_key: bytes) -> None:
        if len(read_key) not in (SECRET_BYTES, EARLIER_BYTES):
            raise Refused(Code.BAD_KEY, "a table's secret has 16 bytes, or 32")
        self._read_key = read_key
        self._payload_key = derive(read_key, "payload")
        self.table = base32(derive(read_key, "table"))[:NAME_LETTERS]

    def __repr__(self) -> str:
        return "PrivateTable()"

    def author(self, key: bytes) -> str:
        """Return a key as a topic level here; outsiders cannot tell whose it is."""
        return base32(hmac.new(self._read_key, key, hashlib.sha256).digest())[:NAME_LETTERS]

    def seal(self, envelope: bytes) -> bytes:
        """Return the payload that carries an envelope."""
        return seal_with(self._payload_key, envelope)

    def open(self, payload: bytes) -> bytes:
        """Return the envelope in a payload; raise Refused if it was not sealed for this table."""
        return open_sealed(self._payload_key, payload)


def seal_with(key: bytes, plain: bytes) -> bytes:
    """Seal data so that only holders of this key can open it."""
    if len(plain) > MAX_PAYLOAD - SEAL_OVERHEAD:
        raise Refused(Code.TOO_LONG)
    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + bindings.crypto_secretbox(plain, nonce, key)


def open_sealed(key: bytes, payload: bytes) -> bytes:
    """Open data sealed with this key; raise Refused if it was not."""
    if len(payload) > MAX_PAYLOAD:
        raise Refused(Code.TOO_LONG)
    if len(payload) <= SEAL_OVERHEAD:
        raise Refused(Code.TOO_SHORT)
    try:
        return bindings.crypto_secretbox_open(payload[NONCE_BYTES:], payload[:NONCE_BYTES], key)
    except (CryptoError, ValueError):
        raise Refused(Code.BAD_SEAL) from None


class Box:
    """A key pair to which others seal data: a libsodium sealed box with a short-lived X25519 key."""

    __slots__ = ("_secret", "key")

    def __init__(self, seed: bytes | None = None) -> None:
        self.key, self._secret = bindings.crypto_box_seed_keypair(seed or secrets.token_bytes(BOX_BYTES))

    def __repr__(self) -> str:
        return "Box()"

    def open(self, sealed: bytes) -> bytes:
        """Open data sealed to this box; raise Refused if it was not."""
        try:
            return bindings.crypto_box_seal_open(sealed, self.key, self._secret)
        except (CryptoError, ValueError, TypeError, RuntimeError):
            raise Refused(Code.BAD_SEAL) from None


def seal_to(box: bytes, plain: bytes) -> bytes:
    """Seal data for the owner of this box alone, anonymously; raise Refused if the key is invalid."""
    try:
        return bindings.crypto_box_seal(plain, box)
    except (CryptoError, ValueError, TypeError, RuntimeError):
        raise Refused(Code.BAD_KEY) from None
