"""The time that the present turn has taken, by this machine's clock."""

from __future__ import annotations

HOUR = 3600
"""Limits from this number of seconds on are shown in hours."""
SHOWN_AFTER = 10
"""Seconds; a quick turn needs no clock."""


class TurnClock:
    """Starts again whenever a new turn begins or someone else has to move."""

    def __init__(self, limit: int = 0, since: float | None = None) -> None:
        """Set up the clock; `since` is the start of the present turn, None if it starts with the first `read`."""
        self.limit = limit
        """Seconds after which the others may vote; 0 is never."""
        self._moment: object = None
        self._since = since
        self._began = 0.0

    def read(self, moment: object, now: float, every: int = 1) -> str:
        """Format the time as `0:42`, or `0:42/1:30` with a limit, in steps of `every` seconds; "" at first."""
        if moment != self._moment:
            self._moment, self._began, self._since = moment, now if self._since is None else self._since, None
        seconds = int(now - self._began) // every * every
        if seconds < SHOWN_AFTER:
            return ""
        limit = f"{self.limit // HOUR} h" if self.limit >= HOUR else _minutes(self.limit)
        return _minutes(seconds) + (f"/{limit}" if self.limit else "")


def _minutes(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
