"""A doorbell: guests at a table that a keeper holds, and one call for all who come within a while."""

from __future__ import annotations

from ..view.online.call import Call

PAUSE = 600.0
"""Seconds between two calls: strangers with ever new keys could otherwise ring without end."""
MOST = 64
"""Guests who are counted, as many as a waiting room holds."""


class Doorbell:
    """The door of one table."""

    def __init__(self, seat: str) -> None:
        self._seat = seat
        self._asking: dict[bytes, str] = {}
        self._new = False
        """Whether somebody has come since the last call."""
        self._not_before = 0.0

    def came(self, key: bytes, name: str) -> None:
        """Somebody asks for a seat."""
        self._new = True
        self._asking[key] = name
        if len(self._asking) > MOST:
            del self._asking[next(iter(self._asking))]

    def gone(self, key: bytes) -> None:
        """They ask no more."""
        self._asking.pop(key, None)

    def leave(self) -> None:
        """Somebody else sits here, and sees who asks."""
        self._asking.clear()
        self._new = False

    def ring(self, now: float) -> Call | None:
        """The call that is due, if one is; it is then done."""
        if not self._asking or not self._new or now < self._not_before:
            return None
        self._new, self._not_before = False, now + PAUSE
        return Call("guest", self._seat, (list(self._asking.values())[-1],), guests=len(self._asking))
