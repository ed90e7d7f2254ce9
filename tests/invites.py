"""Invites to a table nobody has opened, for tests of joining."""

from __future__ import annotations

from wasabi_protocol.table.invite import Carrier, Invite
from wasabi_protocol.table.invite_text import format_invite


def open_invite(host: str, port: int = 1883, table: str = "a" * 26, password: str = "") -> str:
    """Return the invite to an open table on this broker."""
    return format_invite(Invite((Carrier(((host, port),), password=password),), "main", table))
