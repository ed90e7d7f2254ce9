"""The inbox: a bounded queue of events from the thread or loop that receives them to the one that reads."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from itertools import count

from .transport import Arrived, TransportEvent

MOST = 8_192
MOST_BYTES = 8_000_000
MESSAGE_BYTES = 512
"""Bytes counted for a message besides its payload."""
MOST_CHANGES = 64
"""Most connection events kept; only the newest matter to a slow reader."""
TOPIC_BYTES = 1_000_000
"""Most bytes of live messages waiting under one topic, so that a flood there drowns no other topic."""

# Lanes, in the order in which they are dropped when the reader is too slow.
_LIVE, _RETAINED, _CONNECTION = range(3)


class Inbox:
    """A queue that any thread may fill and one reader empties in order. `dropped` counts what a slow reader missed."""

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES, topic_bytes: int = TOPIC_BYTES) -> None:
        self.dropped = 0
        self._most = most
        self._most_bytes = most_bytes
        self._topic_bytes = topic_bytes
        self._lock = threading.Lock()
        self._numbers = count()
        changes: deque[tuple[int, TransportEvent]] = deque(maxlen=MOST_CHANGES)
        self._lanes: tuple[deque[tuple[int, TransportEvent]], ...] = (deque(), deque(), changes)
        self._under: dict[str, int] = {}
        """Bytes of waiting live messages, by topic."""
        self._gate: int | None = None
        self._waiting = 0
        self._bytes = 0
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = asyncio.Event()

    def read_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """Set the reader's loop; earlier events wait for it."""
        with self._lock:
            self._loop = loop

    def pause(self) -> None:
        """Mark the start of a connection; its messages are read after the event that announces it, or lost with it."""
        with self._lock:
            self._gate = next(self._numbers)

    def put(self, event: TransportEvent) -> None:
        """Add an event, unless it exceeds its topic's limit.

        If the total is too large, the oldest live messages are dropped first, then the oldest retained ones.
        """
        with self._lock:
            if self._closed:
                return
            lane = _lane(event)
            if lane == _LIVE and isinstance(event, Arrived) and not self._has_room(event):
                self.dropped += 1
                return
            number = next(self._numbers)
            if lane == _CONNECTION and self._gate is not None:
                number, self._gate = self._gate, None
            self._lanes[lane].append((number, event))
            if isinstance(event, Arrived):
                self._waiting += 1
                self._bytes += len(event.payload) + MESSAGE_BYTES
                while self._waiting > self._most or self._bytes > self._most_bytes:
                    self._drop()
            self._wake()

    def close(self) -> None:
        """End reading after the events already waiting."""
        with self._lock:
            self._closed = True
            self._gate = None
            self._wake()

    def __aiter__(self) -> Inbox:
        return self

    async def __anext__(self) -> TransportEvent:
        while True:
            with self._lock:
                lane = min(filter(None, self._lanes), key=_first_number, default=None)
                if lane is not None and (self._gate is None or _first_number(lane) < self._gate):
                    return self._counted(lane.popleft()[1])
                if self._closed:
                    raise StopAsyncIteration
                self._ready.clear()
            await self._ready.wait()

    def _has_room(self, event: Arrived) -> bool:
        """Return whether the topic has room for a live message, and count it; a single one always fits."""
        before, size = self._under.get(event.topic, 0), len(event.payload) + MESSAGE_BYTES
        if before and before + size > self._topic_bytes:
            return False
        self._under[event.topic] = before + size
        return True

    def _wake(self) -> None:
        if self._loop is not None and not self._ready.is_set() and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ready.set)

    def _drop(self) -> None:
        lane = next(lane for lane in self._lanes if lane)
        self._counted(lane.popleft()[1])
        self.dropped += 1

    def _counted(self, event: TransportEvent) -> TransportEvent:
        if isinstance(event, Arrived):
            size = len(event.payload) + MESSAGE_BYTES
            self._waiting -= 1
            self._bytes -= size
            if not event.retained:
                left = self._under.pop(event.topic) - size
                if left:
                    self._under[event.topic] = left
        return event


def _first_number(lane: deque[tuple[int, TransportEvent]]) -> int:
    return lane[0][0]


def _lane(event: TransportEvent) -> int:
    if not isinstance(event, Arrived):
        return _CONNECTION
    if event.retained:
        return _RETAINED
    return _LIVE
