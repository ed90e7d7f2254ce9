"""How people at a table are shown: by a name that cannot do harm, and by a fingerprint that cannot be forged."""

from __future__ import annotations

from wasabi_protocol.identity import fingerprint

from .talk import LONGEST_NAME, plain_line


def finger(key: bytes) -> str:
    """What two people compare to know that they mean the same person."""
    return fingerprint(key)


def shown_name(name: str, key: bytes) -> str:
    """A stranger's name made harmless, or the start of their fingerprint if nothing is left of it."""
    return plain_line(name, LONGEST_NAME) or fingerprint(key)[:9]
