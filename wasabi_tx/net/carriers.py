"""Carriers: one connection over several brokers at once, of which any but one may fail, lie or be slow."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from .inbox import Inbox
from .transport import Arrived, Connected, Lost, Publication, Transport, TransportEvent, Will, check_publication

MOST_REMEMBERED = 8_192
"""Messages of which it is known who has brought them."""
MOST_KEPT = 1_024
"""Retained publications that are kept for a broker that comes back."""


@dataclass(frozen=True, slots=True)
class CarrierState:
    """One of the brokers, for people: `lost` says why there is no connection to it, and is empty if there is one."""

    name: str
    up: bool
    lost: str = ""


class Carriers:
    """A `Transport` made of several: what we publish goes to each, what arrives is taken from the first to bring it.

    It is connected while any of them is. A broker that comes back gets what it should retain; nobody else notices.
    """

    def __init__(self, parts: Mapping[str, Transport]) -> None:
        self.inbox = Inbox()
        self._parts = dict(parts)
        self._up: set[str] = set()
        self._lost: dict[str, str] = {}
        self._brought = Brought()
        self._retained = Retained()
        self._readers: list[asyncio.Task[None]] = []

    @property
    def states(self) -> tuple[CarrierState, ...]:
        """How each of them is, in the order in which they were given."""
        return tuple(CarrierState(name, name in self._up, self._lost.get(name, "")) for name in self._parts)

    def open(self, will: Will | None = None) -> None:
        self.inbox.read_on(asyncio.get_running_loop())
        for name, part in self._parts.items():
            part.open(will)
            self._readers.append(asyncio.create_task(self._read(name, part)))

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
        # One that does not answer must not take the others' time to say goodbye.
        await asyncio.gather(*(part.close() for part in self._parts.values()))
        await asyncio.gather(*self._readers)
        self.inbox.close()

    async def _read(self, name: str, part: Transport) -> None:
        async for event in part.events():
            match event:
                case Arrived():
                    if self._brought.first(name, event):
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
            # The last one to go says why: what the others said before no longer counts.
            self.inbox.put(lost)


class Brought:
    """Which brokers have brought a message since it was last passed on; the newest messages alone are remembered."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._by: dict[bytes, set[str]] = {}

    def first(self, name: str, message: Arrived) -> bool:
        """Whether to pass this on: nobody has brought it yet, or the same broker brings it again.

        A message that is published twice is so passed on twice, and no broker can make another one's be missed
        without having brought it itself.
        """
        key = _name_of(message)
        known = self._by.pop(key, None)
        new = known is None or name in known
        self._by[key] = {name} if new or known is None else known | {name}
        if len(self._by) > self._most:
            del self._by[next(iter(self._by))]
        return new


class Retained:
    """What we last asked brokers to retain, by topic; any thread may note something."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: dict[str, Publication] = {}
        self._lock = threading.Lock()

    def note(self, publication: Publication) -> None:
        """Keeps it in mind if it is to be retained; an empty one, too, since it makes a broker forget."""
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
