"""A doorbell: one notification for all guests who come within a while to a table that a keeper holds."""

from __future__ import annotations

from ..view.online.call import Call

PAUSE = 600.0
"""Seconds between two notifications: strangers with ever new keys could otherwise ring without end."""
MOST = 64
"""Most guests counted, as many as a waiting room holds."""


class Doorbell:
    """The door of one table."""

    def __init__(self, seat: str) -> None:
        self._seat = seat
        self._asking: dict[bytes, str] = {}
        self._new = False
        """True if somebody has come since the last notification."""
        self._not_before = 0.0

    def came(self, key: bytes, name: str) -> None:
        """Note that somebody asks for a seat."""
        self._new = True
        self._asking[key] = name
        if len(self._asking) > MOST:
            del self._asking[next(iter(self._asking))]

    def gone(self, key: bytes) -> None:
        """Note that somebody no longer asks for a seat."""
        self._asking.pop(key, None)

    def forget_guests(self) -> None:
        """Forget all guests: somebody else sits here now, and sees who asks."""
        self._asking.clear()
        self._new = False

    def ring(self, now: float) -> Call | None:
        """Return the pending notification and mark it sent."""
        if not self._asking or not self._new or now < self._not_before:
            return None
        self._new, self._not_before = False, now + PAUSE
        return Call("guest", self._seat, (list(self._asking.values())[-1],), guests=len(self._asking))
