"""The outbox: a bounded queue of orders to the thread that talks to the broker, filled only while connected."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from .transport import MAX_FILTERS, Publication

MOST = 4_096
MOST_BYTES = 8_000_000


@dataclass(frozen=True, slots=True)
class Subscribe:
    filters: tuple[str, ...]
    """At most as many as fit into one packet."""


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    filters: tuple[str, ...]


Order = Publication | Subscribe | Unsubscribe


class Outbox:
    """A queue that any thread may fill and the connection's loop empties; it knows every wanted filter."""

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self.dropped = 0
        """Publications dropped without a connection or for lack of room."""
        self._most = most
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._wanted: dict[str, None] = {}
        self._orders: deque[Order] = deque()
        self._can_wait: deque[Publication] = deque()
        self._bytes = 0
        self._standing = False
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._closing = asyncio.Event()

    def take_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """Set the loop that takes the orders."""
        with self._lock:
            self._loop = loop

    def publish(self, publication: Publication) -> None:
        """Queue a publication if there is room, dropping the oldest that can wait."""
        with self._lock:
            takes = self._standing and not self._closed
            while takes and self._can_wait and self._full(publication):
                self._bytes -= len(self._can_wait.popleft().payload)
                self.dropped += 1
            if not takes or self._full(publication):
                self.dropped += 1
                return
            self._bytes += len(publication.payload)
            self._put(publication)

    def _full(self, publication: Publication) -> bool:
        waiting = len(self._orders) + len(self._can_wait)
        return waiting >= self._most or self._bytes + len(publication.payload) > self._most_bytes

    def subscribe(self, filters: Sequence[str]) -> None:
        with self._lock:
            self._wanted.update(dict.fromkeys(filters))
            if self._standing:
                for order in _packets(filters):
                    self._put(order)

    def unsubscribe(self, filters: Sequence[str]) -> None:
        with self._lock:
            for pattern in filters:
                self._wanted.pop(pattern, None)
            if self._standing:
                for start in range(0, len(filters), MAX_FILTERS):
                    self._put(Unsubscribe(tuple(filters[start : start + MAX_FILTERS])))

    def begin(self) -> list[Subscribe]:
        """Start queueing orders for a new connection; return the subscriptions to make first."""
        with self._lock:
            self._standing = True
            return _packets(tuple(self._wanted))

    def end(self) -> None:
        """Drop every waiting order because the connection is gone."""
        with self._lock:
            self._standing = False
            self.dropped += sum(isinstance(order, Publication) for order in (*self._orders, *self._can_wait))
            self._orders.clear()
            self._can_wait.clear()
            self._bytes = 0

    def close(self) -> None:
        """Accept no more orders; those waiting can still be taken."""
        with self._lock:
            self._closed = True
            self._wake(self._closing)
            self._wake(self._changed)

    async def next_order(self) -> Order | None:
        """Return the next order, those that can wait last; None once closed and empty."""
        while True:
            with self._lock:
                if lane := self._orders or self._can_wait:
                    order: Order = lane.popleft()
                    if isinstance(order, Publication):
                        self._bytes -= len(order.payload)
                    return order
                if self._closed:
                    return None
                self._changed.clear()
            await self._changed.wait()

    async def closed(self) -> None:
        """Wait until `close` is called."""
        if not self._closed:
            await self._closing.wait()

    def _put(self, order: Order) -> None:
        if isinstance(order, Publication) and order.can_wait:
            self._can_wait.append(order)
        else:
            self._orders.append(order)
        self._wake(self._changed)

    def _wake(self, event: asyncio.Event) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(event.set)


def _packets(filters: Sequence[str]) -> list[Subscribe]:
    return [Subscribe(tuple(filters[start : start + MAX_FILTERS])) for start in range(0, len(filters), MAX_FILTERS)]
