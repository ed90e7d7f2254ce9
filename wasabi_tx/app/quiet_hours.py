"""Quiet hours: the time of day in which nobody is notified, as a person writes it in `calls.toml`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import time


@dataclass(frozen=True)
class QuietHours:
    """A time of day, perhaps across midnight, in which no notification is sent; the ringer keeps them until its end."""

    begin: time
    end: time

    def cover(self, moment: time) -> bool:
        """Return whether no notification is sent at this moment."""
        if self.begin <= self.end:
            return self.begin <= moment < self.end
        return moment >= self.begin or moment < self.end


def parse_quiet_hours(found: object) -> QuietHours | None:
    """Parse hours like `22:30-07:00`, None for an empty text; raise `ValueError` if they are anything else."""
    if found == "":
        return None
    hours = re.fullmatch(r"(\d\d?):(\d\d)-(\d\d?):(\d\d)", found) if isinstance(found, str) else None
    if hours is None:
        raise ValueError(found)
    first, second, third, fourth = map(int, hours.groups())
    return QuietHours(time(first, second), time(third, fourth))
