"""Light clients: thousands of MQTT connections in one process, which replay recorded games and time deliveries."""

from __future__ import annotations

import asyncio
import os
import secrets
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from wasabi_protocol.table.topics import log_filters, table_filters

from tests.broker.raw import connect_packet, packet, text
from tests.lab.load.recording import Said
from wasabi_tx.net.address import Address

KEEPALIVE = 10.0
AT_ONCE = 32
"""Clients that join at the same time."""
AGAIN = 0.5
"""Seconds before a client that lost its connection tries again."""
REALM = "load"
WELCOME = 0
REFUSED = 0x80
CONNACK, PUBLISH, PUBACK, SUBACK = 2, 3, 4, 9
_TIME = struct.Struct(">d")


@dataclass
class Figures:
    """Figures from the light clients."""

    delays: list[float] = field(default_factory=list)
    """Seconds from a publication to each of its deliveries."""
    joins: list[float] = field(default_factory=list)
    """Seconds from connecting until everything is subscribed to."""
    copies: int = 0
    """Deliveries, including those already received through another carrier."""
    published: int = 0
    """Publications at a broker: one message is one at each carrier."""
    acknowledged: int = 0
    refused: int = 0
    """Connections and filters that players were refused."""
    watchers_refused: int = 0
    lost: int = 0
    stalls: list[float] = field(default_factory=list)
    """Seconds from the loss of a player's connection until it was back."""

    def forget(self) -> None:
        """Begin a new measurement."""
        self.delays.clear()
        self.copies = self.published = self.acknowledged = 0


class Light(asyncio.Protocol):
    """One connection; a watcher's is without a password. Connections of one client share what they have seen."""

    def __init__(self, address: Address, filters: list[str], figures: Figures, seen: set[bytes] | None) -> None:
        self.address = address
        self._seen = seen
        self.joined = asyncio.get_running_loop().create_future()
        self._filters = filters
        self._figures = figures
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self._packet = 1
        self._started = perf_counter()

    @property
    def watcher(self) -> bool:
        return not self.address.user

    @property
    def up(self) -> bool:
        return self._transport is not None and self.joined.done()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(connect_packet(self.address.user, self.address.password, name="load" + secrets.token_hex(8)))

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        start = 0
        while (found := _whole(data, start)) is not None:
            head, body, start = found
            self._take(head, data, body, start)
        self._rest = data[start:]

    def _take(self, head: int, data: bytes, body: int, end: int) -> None:
        kind = head >> 4
        if kind == PUBLISH:
            place = body + 2 + int.from_bytes(data[body : body + 2], "big")
            if not head & 1 and end - place >= _TIME.size:
                self._figures.copies += 1
                if self._first(data[place : min(end, place + 2 * _TIME.size)]):
                    self._figures.delays.append(perf_counter() - _TIME.unpack_from(data, place)[0])
        elif kind == PUBACK:
            self._figures.acknowledged += 1
        elif kind == CONNACK:
            if data[body + 1] != WELCOME:
                self._end(ConnectionRefusedError("no welcome"))
                return
            pairs = b"".join(text(pattern) + b"\x00" for pattern in self._filters)
            self._write(packet(0x82, b"\x00\x01" + pairs))
        elif kind == SUBACK:
            if REFUSED in data[body + 2 : end]:
                self._end(ConnectionRefusedError("a filter was refused"))
            elif not self.joined.done():
                self._figures.joins.append(perf_counter() - self._started)
                self.joined.set_result(None)

    def _first(self, beginning: bytes) -> bool:
        if self._seen is None:
            return True
        if beginning in self._seen:
            return False
        self._seen.add(beginning)
        return True

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if not self.joined.done():
            self.joined.set_exception(error or ConnectionResetError("before the welcome"))
            # Nobody may be waiting for it any more.
            self.joined.exception()

    def _end(self, error: OSError) -> None:
        if not self.joined.done():
            self.joined.set_exception(error)
        self.close()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def ping(self) -> None:
        self._write(b"\xc0\x00")

    def publish(self, topic: str, payload: bytes, retain: bool) -> None:
        """Publish at QoS 1."""
        self._packet = self._packet % 65_535 + 1
        body = text(topic) + self._packet.to_bytes(2, "big") + payload
        self._write(packet(0x32 | retain, body))
        self._figures.published += 1

    def _write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)


def _whole(data: bytes, start: int) -> tuple[int, int, int] | None:
    """Return the head of the packet that starts here, where its body starts, and where the next packet does."""
    length = shift = 0
    place = start + 1
    while place < len(data):
        byte = data[place]
        place += 1
        length |= (byte & 127) << shift
        if byte < 128:
            return (data[start], place, place + length) if place + length <= len(data) else None
        shift += 7
    return None


class Place:
    """The place of one light client, which returns to it after a lost connection."""

    def __init__(
        self, addresses: list[Address], filters: list[str], figures: Figures, seen: set[bytes] | None = None
    ) -> None:
        self._addresses = addresses
        self._filters = filters
        self._figures = figures
        self._seen = seen
        self._tries = 0
        self.client: Light | None = None

    async def join(self) -> None:
        """Connect and subscribe; raise `OSError` if the broker refuses."""
        address = self._addresses[self._tries % len(self._addresses)]
        self._tries += 1
        loop = asyncio.get_running_loop()
        made: Callable[[], Light] = lambda: Light(address, self._filters, self._figures, self._seen)  # noqa: E731
        _, client = await loop.create_connection(made, address.host, address.port)
        await asyncio.wait_for(client.joined, 30)
        self.client = client

    async def come(self) -> None:
        """Join, and count a refusal."""
        try:
            await self.join()
        except OSError:
            if self._addresses[0].user:
                self._figures.refused += 1
            else:
                self._figures.watchers_refused += 1

    async def come_back(self) -> None:
        """Retry until it is back: another node may be up if this one is not."""
        started = perf_counter()
        self._figures.lost += 1
        while True:
            try:
                await self.join()
                break
            except OSError:
                await asyncio.sleep(AGAIN)
        if self._addresses[0].user:
            self._figures.stalls.append(perf_counter() - started)


class Crowd:
    """All tables and watchers. Seats are spread over the addresses, and move to the next one when theirs is gone.

    If the addresses are carriers, everybody is at all of them at once.
    """

    def __init__(
        self, addresses: list[Address], recording: list[Said], figures: Figures, carriers: bool = False
    ) -> None:
        self._addresses = addresses
        self._carriers = carriers
        self._recording = recording
        self._figures = figures
        self._tables: list[tuple[str, list[str], list[list[Place]]]] = []
        self._places: list[Place] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False

    async def join(self, tables: int, seats: int, watchers: int) -> None:
        """Connect everybody, a few at a time; players first."""
        for number in range(tables):
            table = f"{number:026d}"
            authors = [secrets.token_hex(26).translate(_BASE32) for _ in range(seats)]
            filters = table_filters(REALM, table, authors)
            places = [self._client(self._from(number + seat), filters) for seat in range(seats)]
            self._tables.append((table, authors, places))
            self._places += [place for client in places for place in client]
        for number in range(watchers):
            table = self._tables[number % tables][0]
            filters = [*table_filters(REALM, table, None), *log_filters(REALM, table, None)]
            nobody = [Address(one.host, one.port) for one in self._from(number)]
            self._places += self._client(nobody, filters)
        waiting = iter(self._places)

        async def usher() -> None:
            for place in waiting:
                await place.come()

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(usher())
        self._tasks.append(asyncio.create_task(self._keep()))

    def _client(self, addresses: list[Address], filters: list[str]) -> list[Place]:
        """Return the places of one client: one, or one at each carrier."""
        if not self._carriers:
            return [Place(addresses, filters, self._figures)]
        seen: set[bytes] = set()
        return [Place([one], filters, self._figures, seen) for one in addresses]

    def _from(self, number: int) -> list[Address]:
        first = number % len(self._addresses)
        return self._addresses[first:] + self._addresses[:first]

    def play(self, seed: str = "pace") -> None:
        """Let every table replay the recorded game from its own moment, again and again."""
        chance = Random(seed)
        for table, authors, places in self._tables:
            self._tasks.append(asyncio.create_task(self._replay(table, authors, places, chance.random())))

    async def _replay(self, table: str, authors: list[str], places: list[list[Place]], phase: float) -> None:
        loop = asyncio.get_running_loop()
        length = self._recording[-1].at + 1.0
        begun = loop.time() - phase * length
        first = next((n for n, said in enumerate(self._recording) if begun + said.at >= loop.time()), 0)
        while True:
            for said in self._recording[first:]:
                if said.seat >= len(places):
                    continue
                await asyncio.sleep(begun + said.at - loop.time())
                # The time is in the first bytes, and two messages of one moment differ in the next ones.
                payload = _TIME.pack(perf_counter()) + os.urandom(max(0, said.size - _TIME.size))
                for place in places[said.seat]:
                    if place.client is not None and place.client.up:
                        place.client.publish(_topic(table, authors[said.seat], said), payload, said.retain)
            first, begun = 0, begun + length

    async def _keep(self) -> None:
        """Ping, as clients do, and reconnect those who lost their connection."""
        parts, returning = int(KEEPALIVE * 2), dict[Place, asyncio.Task[None]]()
        part = 0
        try:
            while True:
                await asyncio.sleep(0.5)
                part = (part + 1) % parts
                for number, place in enumerate(self._places):
                    if place.client is None:
                        continue
                    if not place.client.up:
                        if place not in returning or returning[place].done():
                            returning[place] = asyncio.create_task(place.come_back())
                    elif number % parts == part:
                        place.client.ping()
        finally:
            for task in returning.values():
                task.cancel()

    @property
    def up(self) -> int:
        return sum(place.client is not None and place.client.up for place in self._places)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for place in self._places:
            if place.client is not None:
                place.client.close()


_BASE32 = str.maketrans("01289", "abcde")


def _topic(table: str, author: str, said: Said) -> str:
    if said.kind == "lobby":
        return f"wsb1/{REALM}/lobby/{author}"
    last = f"/{said.number}" if said.kind == "log" else ""
    return f"wsb1/{REALM}/t/{table}/{said.kind}/{author}{last}"
