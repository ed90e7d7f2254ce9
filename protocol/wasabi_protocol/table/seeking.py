"""Seeking anybody to play with: what strangers say to everybody, and what one reader believes of it.

Bytes and time in, bytes out; no sockets and no clock. Whoever hears a seek knocks at its table, as at one of a lobby.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

from wasabi_protocol.meeting.work import NONCE_BYTES, find_nonce, is_worked_for
from wasabi_protocol.signed.codec import named_key, parse_as, signed_message, write_terms
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Seek, Terms
from wasabi_protocol.table.lobby import Checks
from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Collection

_T = TypeVar("_T")

MAX_SEEK = 300
"""Most bytes of a seek; a longer payload is dropped before anything else."""
SEEK_EVERY = 30.0
"""Least seconds between two seeks of one person."""
MOST_CHECKS_A_SECOND = 200
MOST_REMEMBERED = 4_096
"""Most keys and payloads that a reader remembers."""


def seek_terms(terms: Terms) -> bytes:
    """Return the hash that is equal for people who seek the same game."""
    return hashlib.sha256(b"wsb1 seek terms" + write_terms(terms)).digest()


def seek_payload(me: Identity, seek: Seek, day: str) -> bytes:
    """Return a seek with its work, to be published on this day; this is slow on purpose."""
    envelope = signed_message(me, seek)
    return work_for(envelope, day) + envelope


def work_for(envelope: bytes, day: str) -> bytes:
    """Return the work that comes before a seek on this day."""
    return find_nonce(_start(day, envelope))


def _start(day: str, envelope: bytes) -> bytes:
    return b"wsb1 seek" + day.encode() + envelope


def is_worth_reading(payload: bytes, day: str) -> bool:
    """Return whether a payload has the size and the work of a seek of this day: one hash, and no signature."""
    nonce, envelope = payload[:NONCE_BYTES], payload[NONCE_BYTES:]
    return len(payload) <= MAX_SEEK and is_worked_for(_start(day, envelope), nonce)


class Seekers:
    """The others who seek, as one reader hears them."""

    def __init__(self, me: bytes, terms: bytes, known: Collection[bytes] = ()) -> None:
        """Set up a reader with the key `me`, who plays by the terms with this hash only."""
        self._me = me
        self._terms = terms
        self._checks = Checks(known, MOST_CHECKS_A_SECOND)
        self._last: dict[bytes, int] = {}
        self._heard: dict[bytes, None] = {}

    def receive(self, payload: bytes, day: str, now: float) -> Seek | None:
        """Return a new seek of somebody else by our terms; raise Refused if it is not one of this day."""
        if len(payload) > MAX_SEEK:
            raise Refused(Code.TOO_LONG)
        if not is_worth_reading(payload, day):
            raise Refused(Code.BAD_PROOF)
        if payload in self._heard:
            return None
        _remember(self._heard, payload, None)
        envelope = payload[NONCE_BYTES:]
        key = named_key(envelope[SIGNATURE_BYTES:])
        if key is None:
            raise Refused(Code.WRONG_KEY)
        seek = parse_as(Seek, self._checks.open(key, envelope, now).body)
        if key == self._me or seek.n <= self._last.get(key, -1):
            return None
        _remember(self._last, key, seek.n)
        return seek if seek.terms == self._terms else None


def _remember(kept: dict[bytes, _T], key: bytes, value: _T) -> None:
    kept.pop(key, None)
    kept[key] = value
    if len(kept) > MOST_REMEMBERED:
        del kept[next(iter(kept))]
