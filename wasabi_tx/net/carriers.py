"""Carriers: one connection over several brokers at once; any but one may fail, lie or be slow."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from .address import Address
from .inbox import Inbox
from .transport import (
    Arrived,
    Connected,
    Lost,
    Publication,
    Screens,
    Transport,
    TransportEvent,
    Will,
    check_publication,
)

MOST_REMEMBERED = 8_192
"""Most messages whose bringers are remembered."""
MOST_OF_A_TOPIC = 300
"""Most messages per second that one broker may deliver under one topic, so that noise leaves room for other copies."""
MOST_TOPICS = 1_024
MOST_KEPT = 1_024
"""Most retained publications stored for a broker that comes back."""


@dataclass(frozen=True, slots=True)
class CarrierState:
    """The state of one broker, for display; `lost` is the reason for a missing connection, else empty."""

    name: str
    up: bool
    lost: str = ""


class Carriers:
    """A `Transport` made of several: publications go to each, and the first copy of a message to arrive is used.

    It is connected while any of them is. A broker that comes back gets what it should retain; nobody else notices.
    """

    def __init__(self, parts: Mapping[str, Transport]) -> None:
        self.inbox = Inbox()
        self._parts = dict(parts)
        self._up: set[str] = set()
        self._lost: dict[str, str] = {}
        self._brought = Brought()
        self._shares = {name: TopicShares() for name in parts}
        self._retained = Retained()
        self._readers: list[asyncio.Task[None]] = []

    @property
    def states(self) -> tuple[CarrierState, ...]:
        """The state of each broker, in the order given."""
        return tuple(CarrierState(name, name in self._up, self._lost.get(name, "")) for name in self._parts)

    def open(self, will: Will | None = None, screens: Screens | None = None) -> None:
        self.inbox.read_on(asyncio.get_running_loop())
        for name, part in self._parts.items():
            part.open(will, screens)
            self._readers.append(asyncio.create_task(self._read(name, part)))

    def try_also(self, address: Address) -> None:
        # Only the first can be a broker of the host's own.
        next(iter(self._parts.values())).try_also(address)

    def subscribe(self, filters: Sequence[str]) -> None:
        for part in self._parts.values():
            part.subscribe(filters)

    def unsubscribe(self, filters: Sequence[str]) -> None:
        for part in self._parts.values():
            part.unsubscribe(filters)

    def publish(self, publication: Publication) -> None:
        check_publication(publication)
        self._retained.note(publication)
        for part in self._parts.values():
            part.publish(publication)

    def events(self) -> AsyncIterator[TransportEvent]:
        return self.inbox

    async def close(self) -> None:
        # A broker that does not answer must not delay the others' goodbyes.
        await asyncio.gather(*(part.close() for part in self._parts.values()))
        await asyncio.gather(*self._readers)
        self.inbox.close()

    async def _read(self, name: str, part: Transport) -> None:
        async for event in part.events():
            match event:
                case Arrived():
                    now = asyncio.get_running_loop().time()
                    if self._shares[name].has_room(event.topic, now) and self._brought.first(name, event):
                        self.inbox.put(event)
                case Connected():
                    self._connected(name, part)
                case Lost():
                    self._part_lost(name, event)

    def _connected(self, name: str, part: Transport) -> None:
        alone = not self._up
        self._up.add(name)
        self._lost.pop(name, None)
        if alone:
            self.inbox.put(Connected())
        for publication in self._retained.all():
            part.publish(publication)

    def _part_lost(self, name: str, lost: Lost) -> None:
        self._up.discard(name)
        self._lost[name] = lost.reason
        if len(self._lost) == len(self._parts):
            # The last connection to fail gives the reason; the others' earlier reasons no longer count.
            self.inbox.put(lost)


class TopicShares:
    """Counts the messages of one broker under each topic in the current second."""

    def __init__(self, most: int = MOST_OF_A_TOPIC) -> None:
        self._most = most
        self._second = 0
        self._counts: dict[str, int] = {}

    def has_room(self, topic: str, now: float) -> bool:
        """Count a message and return whether it is within its topic's share."""
        if int(now) != self._second:
            self._second = int(now)
            self._counts.clear()
        count = self._counts.get(topic, 0)
        if count >= self._most or (not count and len(self._counts) >= MOST_TOPICS):
            return False
        self._counts[topic] = count + 1
        return True


class Brought:
    """The brokers that have brought each message since it was last passed on, for the newest messages only."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._by: dict[bytes, set[str]] = {}

    def first(self, name: str, message: Arrived) -> bool:
        """Return whether to pass this on: it is new, or the same broker delivers it again.

        A message published twice is thus passed on twice, and no broker can suppress another's message without having
        brought it itself.
        """
        key = _name_of(message)
        known = self._by.pop(key, None)
        new = known is None or name in known
        self._by[key] = {name} if new or known is None else known | {name}
        if len(self._by) > self._most:
            del self._by[next(iter(self._by))]
        return new


class Retained:
    """The last publications to be retained, by topic; `note` may be called from any thread."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: dict[str, Publication] = {}
        self._lock = threading.Lock()

    def note(self, publication: Publication) -> None:
        """Remember a retained publication, even an empty one, since that makes a broker forget."""
        if not publication.retain:
            return
        with self._lock:
            self._kept.pop(publication.topic, None)
            self._kept[publication.topic] = publication
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]

    def all(self) -> list[Publication]:
        with self._lock:
            return list(self._kept.values())


def _name_of(message: Arrived) -> bytes:
    digest = hashlib.blake2b(message.payload, digest_size=16)
    digest.update(message.topic.encode())
    digest.update(b"\x01" if message.retained else b"\x00")
    return digest.digest()
