"""The current run of each person in a waiting room: only its latest messages count, and old ones cannot be replayed."""

from __future__ import annotations

from dataclasses import dataclass, field

from wasabi_protocol.game.doings import GONE
from wasabi_protocol.signed.messages import Doing

MOST_KEYS = 128
MOST_RUNS = 64
"""Most finished runs remembered for one person."""


@dataclass
class _Heard:
    """The run heard last and its last number; empty after a goodbye."""

    run: bytes = b""
    n: int = -1
    over: dict[bytes, None] = field(default_factory=dict)

    def end(self) -> None:
        """Remember the present run as over."""
        if self.run:
            self.over[self.run] = None
            self.run = b""
        if len(self.over) > MOST_RUNS:
            del self.over[next(iter(self.over))]


class RoomRuns:
    """Tells new messages from old ones: a number grows within a run, and a run that ended never begins again."""

    def __init__(self) -> None:
        self._heard: dict[bytes, _Heard] = {}

    def is_new(self, key: bytes, doing: Doing) -> bool:
        """Record a message, and return whether its author can have sent it just now.

        A goodbye counts only in the run that was heard last.
        """
        known = self._heard.get(key)
        if known is None:
            if len(self._heard) >= MOST_KEYS:
                del self._heard[next(iter(self._heard))]
            known = self._heard[key] = _Heard()
        if doing.run == known.run:
            if doing.n <= known.n:
                return False
        elif doing.what == GONE or doing.run in known.over:
            return False
        else:
            known.end()
            known.run = doing.run
        known.n = doing.n
        if doing.what == GONE:
            known.end()
        return True
