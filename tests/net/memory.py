"""A broker in memory: deterministic, with time passed in as a number, and faults from a seed."""

from __future__ import annotations

import asyncio
import heapq
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from random import Random

from wasabi_tx.net.address import Address
from wasabi_tx.net.inbox import Inbox
from wasabi_tx.net.transport import (
    Arrived,
    Connected,
    Lost,
    Publication,
    Screen,
    Screens,
    TransportEvent,
    Will,
    check_publication,
)


@dataclass(frozen=True, slots=True)
class Faults:
    """Faults on each of the two ways, to the broker and from it; different delays change the order."""

    drop: float = 0.0
    duplicate: float = 0.0
    delay: tuple[float, float] = (0.0, 0.0)
    """Range of the delay in seconds on the way from the broker."""


@dataclass(slots=True)
class _Client:
    will: Publication | None
    filters: dict[str, None] = field(default_factory=dict)


class MemoryBroker:
    """Carries messages between clients; the same calls with the same seed give the same deliveries."""

    def __init__(self, seed: int | str = 0, faults: Faults | None = None) -> None:
        self.faults = faults or Faults()
        self.retained: dict[str, bytes] = {}
        self.log: list[Publication] = []
        """Everything that reached the broker, wills included."""
        self._chance = Random(seed)
        self._clients: dict[str, _Client] = {}
        self._cut: set[str] = set()
        self._numbers = count()
        self._queue: list[tuple[float, int, str, Arrived]] = []
        self._pump: _Pump | None = None

    @property
    def pump(self) -> _Pump:
        """The object that delivers messages to the transports sharing this broker."""
        if self._pump is None:
            self._pump = _Pump(self)
        return self._pump

    def connect(self, client: str, will: Publication | None, now: float) -> None:
        """Connect without any subscription; a client's second connection replaces its first."""
        if client in self._clients:
            self.disconnect(client, now, clean=False)
        self._clients[client] = _Client(will)

    def disconnect(self, client: str, now: float, clean: bool) -> None:
        """Forget the client and all deliveries to it; without a clean goodbye, publish its will."""
        gone = self._clients.pop(client, None)
        self._queue = [entry for entry in self._queue if entry[2] != client]
        heapq.heapify(self._queue)
        if gone is not None and gone.will is not None and not clean:
            self._carry(gone.will, now)

    def subscribe(self, client: str, filters: Sequence[str], now: float) -> None:
        """Deliver matching messages from now on, and first the matching retained ones, sorted by topic."""
        if client in self._cut:
            return
        self._clients[client].filters.update(dict.fromkeys(filters))
        for topic in sorted(self.retained):
            if any(matches(pattern, topic) for pattern in filters):
                self._send(client, Arrived(topic, self.retained[topic], retained=True), now)

    def unsubscribe(self, client: str, filters: Sequence[str]) -> None:
        if client in self._cut:
            return
        for pattern in filters:
            self._clients[client].filters.pop(pattern, None)

    def publish(self, client: str, publication: Publication, now: float) -> None:
        """Deliver to all subscribers, the publisher included, once each even if several filters match."""
        check_publication(publication)
        if client not in self._clients or client in self._cut:
            return
        for _ in range(self._copies()):
            self._carry(publication, now)

    def cut(self, client: str) -> None:
        """Partition a client: nothing gets in or out, and neither side notices."""
        self._cut.add(client)

    def heal(self, client: str) -> None:
        self._cut.discard(client)

    def forget_retained(self) -> None:
        self.retained.clear()

    def next_time(self) -> float | None:
        """Return when the next delivery is due."""
        return self._queue[0][0] if self._queue else None

    def due(self, now: float) -> list[tuple[str, Arrived]]:
        """Take the deliveries due by now, in order, as (client, message)."""
        deliveries = []
        while self._queue and self._queue[0][0] <= now:
            _, _, client, message = heapq.heappop(self._queue)
            if client not in self._cut:
                deliveries.append((client, message))
        return deliveries

    def _copies(self) -> int:
        # Both numbers are always drawn, so that turning one fault off does not change the others.
        dropped, doubled = self._chance.random(), self._chance.random()
        return 0 if dropped < self.faults.drop else 1 + (doubled < self.faults.duplicate)

    def _carry(self, publication: Publication, now: float) -> None:
        self.log.append(publication)
        if publication.retain and publication.payload:
            self.retained[publication.topic] = publication.payload
        elif publication.retain:
            self.retained.pop(publication.topic, None)
        message = Arrived(publication.topic, publication.payload, retained=False)
        for name, client in self._clients.items():
            if any(matches(pattern, publication.topic) for pattern in client.filters):
                self._send(name, message, now)

    def _send(self, client: str, message: Arrived, now: float) -> None:
        for _ in range(self._copies()):
            due = now + self._chance.uniform(*self.faults.delay)
            heapq.heappush(self._queue, (due, next(self._numbers), client, message))


class _Pump:
    """Delivers one broker's due messages to its transports on the running loop."""

    def __init__(self, broker: MemoryBroker) -> None:
        self.receivers: dict[str, Callable[[Arrived], None]] = {}
        self._broker = broker
        self._timer: asyncio.TimerHandle | asyncio.Handle | None = None

    def wake(self) -> None:
        """Schedule the next delivery; call this after anything that may have queued one."""
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            self._timer.cancel()
        due = self._broker.next_time()
        if due is None:
            self._timer = None
        elif due <= loop.time():
            self._timer = loop.call_soon(self._deliver)
        else:
            self._timer = loop.call_at(due, self._deliver)

    def _deliver(self) -> None:
        # A timer may fire a clock tick early.
        now = max(asyncio.get_running_loop().time(), self._broker.next_time() or 0.0)
        for client, message in self._broker.due(now):
            receiver = self.receivers.get(client)
            if receiver is not None:
                receiver(message)
        self.wake()


class MemoryTransport:
    """A `Transport` through a memory broker, on the running loop and its clock."""

    def __init__(
        self, broker: MemoryBroker, client: str, may_publish: Callable[[str], bool] = lambda _topic: True
    ) -> None:
        """Create a transport; `may_publish` returns whether the broker accepts this client's messages under a topic."""
        self.inbox = Inbox()
        self._broker = broker
        self._client = client
        self._may_publish = may_publish
        self._will: Will | None = None
        self._screen: Screen | None = None
        self._wanted: dict[str, None] = {}
        self._connected = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.get_ident()

    def open(self, will: Will | None = None, screens: Screens | None = None) -> None:
        self._will = will
        self._screen = None if screens is None else screens()
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        self.inbox.read_on(self._loop)
        self._broker.pump.receivers[self._client] = self._arrived
        self._connect()

    def try_also(self, address: Address) -> None:
        """Do nothing: everybody is in this process."""

    def _arrived(self, message: Arrived) -> None:
        if self._screen is None or self._screen(message.topic, message.payload):
            self.inbox.put(message)

    def subscribe(self, filters: Sequence[str]) -> None:
        self._wanted.update(dict.fromkeys(filters))
        if self._connected:
            self._broker.subscribe(self._client, filters, self._now)
            self._broker.pump.wake()

    def unsubscribe(self, filters: Sequence[str]) -> None:
        for pattern in filters:
            self._wanted.pop(pattern, None)
        if self._connected:
            self._broker.unsubscribe(self._client, filters)

    def publish(self, publication: Publication) -> None:
        check_publication(publication)
        if threading.get_ident() == self._thread:
            self._publish(publication)
        elif self._loop is not None:
            self._loop.call_soon_threadsafe(self._publish, publication)

    def _publish(self, publication: Publication) -> None:
        if self._connected and self._may_publish(publication.topic):
            self._broker.publish(self._client, publication, self._now)
            self._broker.pump.wake()

    def events(self) -> AsyncIterator[TransportEvent]:
        return self.inbox

    async def close(self) -> None:
        if self._connected:
            self._broker.disconnect(self._client, self._now, clean=True)
            self._broker.pump.wake()
        self._connected = False
        self._broker.pump.receivers.pop(self._client, None)
        self.inbox.close()

    def cut(self) -> None:
        """Lose the connection like a torn cable; the broker publishes the will."""
        if self._connected:
            self._connected = False
            self._broker.disconnect(self._client, self._now, clean=False)
            self._broker.pump.wake()
            self.inbox.put(Lost("closed"))

    def heal(self) -> None:
        """Reconnect, with every filter subscribed."""
        if not self._connected:
            self._connect()

    def _connect(self) -> None:
        self._broker.connect(self._client, None if self._will is None else self._will(), self._now)
        self._connected = True
        self.inbox.put(Connected())
        self._broker.subscribe(self._client, list(self._wanted), self._now)
        self._broker.pump.wake()

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()


@lru_cache(maxsize=8_192)
def matches(pattern: str, topic: str) -> bool:
    """Return whether an MQTT filter covers a topic; wildcards do not reach topics that begin with $."""
    levels, names = pattern.split("/"), topic.split("/")
    if names[0].startswith("$") and levels[0] in ("+", "#"):
        return False
    for number, level in enumerate(levels):
        if level == "#":
            return True
        if number >= len(names) or level not in ("+", names[number]):
            return False
    return len(levels) == len(names)
