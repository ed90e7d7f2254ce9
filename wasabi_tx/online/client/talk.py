"""Talk at a table: short lines, signed, with limits for each key and for all."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from wasabi_protocol.signed.identity import fingerprint as fingerprint
from wasabi_protocol.signed.messages import Join

from ...games.game import Player
from ...text.foreign import NAME, clean

MOST_LINES = 5
MOST_LINES_OF_ALL = 20
IN_SECONDS = 10.0
MOST_SPEAKERS = 64


class TalkFilter:
    """Decides which lines are heard. A line whose counter does not grow is a repeat."""

    def __init__(self, last: Iterable[tuple[bytes, int]] = ()) -> None:
        self._last = dict(last)
        self._heard: deque[tuple[float, bytes]] = deque()

    def last(self, key: bytes) -> int:
        """Return the counter of this key's last line."""
        return self._last.get(key, 0)

    def hear(self, key: bytes, n: int, now: float, seated: bool = False) -> bool:
        """Return whether to pass on this line; strangers cannot drown out those who have a seat."""
        while self._heard and self._heard[0][0] <= now - IN_SECONDS:
            self._heard.popleft()
        if n <= self._last.get(key, -1):
            return False
        own = sum(speaker == key for _, speaker in self._heard)
        if own >= MOST_LINES or (len(self._heard) >= MOST_LINES_OF_ALL and not seated):
            return False
        if key not in self._last and len(self._last) >= MOST_SPEAKERS:
            self._last.pop(next(iter(self._last)))
        self._last[key] = n
        self._heard.append((now, key))
        return True


def shown_name(name: str, key: bytes) -> str:
    """Return a stranger's cleaned name, or the start of their fingerprint if the name is empty."""
    return clean(name, NAME) or fingerprint(key)[:9]


def player_of(join: Join) -> Player:
    """Return the player who joined, as everybody may see them; a join with a runner is a bot."""
    return Player(shown_name(join.name, join.key), "bot" if join.runner else None)
