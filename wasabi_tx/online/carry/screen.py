"""The screen of one connection: noise costs the connection's own thread little, and wakes nobody."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence

from wasabi_protocol.table.channel import Channel
from wasabi_protocol.verdicts import Verdict

from .budget import Budget

VISIT_PAUSE = 1.0
"""Least seconds between two words that somebody has come to the lobby: a host renews its offer less often."""
MOST_REMEMBERED = 8_192
"""Most messages of one second that are remembered."""


class SeatScreen:
    """Decides what is worth reading: messages of the table's shape and, in a game, those that a seat has signed.

    Anybody who plays on the broker may publish under a seat's topic. Each connection has a screen of its own, so that
    noise through one broker uses up nothing of another one's. What a seat has said already does nothing when it is said
    again, so within a second it is dropped before its signature is checked: seats wait longer before they repeat
    anything.
    """

    def __init__(self, channel: Channel, visitors: str) -> None:
        """Set up a screen; `visitors` is the prefix of the topics on which people in the lobby announce themselves."""
        self._channel = channel
        self._visitors = visitors
        self._visited = -VISIT_PAUSE
        self._seats: frozenset[str] = frozenset()
        self._budget = Budget(lambda _sender: True)
        self._second = 0
        self._passed: set[bytes] = set()
        """Digests of what passed in this second."""

    def learn(self, keys: Sequence[bytes]) -> None:
        """Note the keys of the seats, once there are any; any thread may call this."""
        self._seats = frozenset(self._channel.author(key) for key in keys)

    def __call__(self, topic: str, payload: bytes) -> bool:
        """Return whether a message goes on to the client."""
        if topic.startswith(self._visitors):
            return self._is_new_visit(time.monotonic())
        if not self._channel.worth_reading(topic, payload):
            return False
        try:
            place = self._channel.place(topic, payload)
            if place.author not in self._seats:
                return True
            now = time.monotonic()
            name = hashlib.blake2b(topic.encode() + payload, digest_size=16).digest()
            if self._is_repeated(name, now):
                return False
            if not self._budget.check(f"{place.author}/{place.kind}", len(payload), now):
                return False
            self._channel.verify(place, payload)
        except Verdict:
            return False
        self._passed.add(name)
        return True

    def _is_new_visit(self, now: float) -> bool:
        if now - self._visited < VISIT_PAUSE:
            return False
        self._visited = now
        return True

    def _is_repeated(self, name: bytes, now: float) -> bool:
        """Return whether this message has passed in this second."""
        if int(now) != self._second or len(self._passed) >= MOST_REMEMBERED:
            self._second = int(now)
            self._passed.clear()
        return name in self._passed
