"""The inbox: events on their way from the thread or loop that receives them to the one that reads, bounded."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from itertools import count

from .transport import Arrived, TransportEvent

MOST = 8_192
MOST_BYTES = 8_000_000
MESSAGE_BYTES = 512
"""What a message takes besides its payload."""
MOST_CHANGES = 64
"""This many events of the connection are kept: only the newest matter to a reader that was slow."""

# In the order in which they are given up when the reader is too slow.
_LIVE, _RETAINED, _CONNECTION = range(3)


class Inbox:
    """Any thread puts, one reader takes in the same order. `dropped` counts what a slow reader has missed."""

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self.dropped = 0
        self._most = most
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._numbers = count()
        changes: deque[tuple[int, TransportEvent]] = deque(maxlen=MOST_CHANGES)
        self._lanes: tuple[deque[tuple[int, TransportEvent]], ...] = (deque(), deque(), changes)
        self._gate: int | None = None
        self._waiting = 0
        self._bytes = 0
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = asyncio.Event()

    def read_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """Names the reader's loop; what came before waits there for it."""
        with self._lock:
            self._loop = loop

    def hold(self) -> None:
        """A connection begins: what it brings is read after the event that announces it, or is lost."""
        with self._lock:
            self._gate = next(self._numbers)

    def put(self, event: TransportEvent) -> None:
        """Takes an event; if that is too much, the oldest live messages go first, then the oldest retained ones."""
        with self._lock:
            if self._closed:
                return
            number = next(self._numbers)
            if not isinstance(event, Arrived) and self._gate is not None:
                number, self._gate = self._gate, None
            self._lanes[_lane(event)].append((number, event))
            if isinstance(event, Arrived):
                self._waiting += 1
                self._bytes += len(event.payload) + MESSAGE_BYTES
                while self._waiting > self._most or self._bytes > self._most_bytes:
                    self._drop()
            self._wake()

    def close(self) -> None:
        """Ends the reading after what already waits."""
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

    def _wake(self) -> None:
        if self._loop is not None and not self._ready.is_set() and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ready.set)

    def _drop(self) -> None:
        lane = next(lane for lane in self._lanes if lane)
        self._counted(lane.popleft()[1])
        self.dropped += 1

    def _counted(self, event: TransportEvent) -> TransportEvent:
        if isinstance(event, Arrived):
            self._waiting -= 1
            self._bytes -= len(event.payload) + MESSAGE_BYTES
        return event


def _first_number(lane: deque[tuple[int, TransportEvent]]) -> int:
    return lane[0][0]


def _lane(event: TransportEvent) -> int:
    if not isinstance(event, Arrived):
        return _CONNECTION
    if event.retained:
        return _RETAINED
    return _LIVE
