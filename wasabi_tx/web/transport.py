"""The transport of a browser tab: MQTT over the browser's own websockets, in the one loop that there is."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Protocol

from ..net.address import WEBSOCKET_PATH, Address
from ..net.inbox import Inbox
from ..net.outbox import Order, Outbox, Subscribe
from ..net.pacing import LONGEST_PAUSE, LONGEST_PAUSE_OF_RELAYS, Pace, Pause
from ..net.transport import (
    MAX_TOPIC,
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
from .packets import (
    GOODBYE,
    PING,
    Acknowledged,
    BadPacket,
    Message,
    PacketReader,
    Welcome,
    acknowledge_packet,
    connect_packet,
    publish_packet,
    subscribe_packet,
    unsubscribe_packet,
)

_logger = logging.getLogger(__name__)

KEEPALIVE = 60
"""Seconds of silence that a broker accepts; browsers wake a tab in the background only once a minute."""
ANSWER_TIMEOUT = 10.0
TURN_TIMEOUT = 2.5
"""Seconds to wait for one of several addresses before trying the next."""
MOST_UNANSWERED = 16
_BAD_USER, _NOT_AUTHORISED = 4, 5
_MOST_TELLING = ("password", "refused", "closed", "timeout", "unreachable")


class Socket(Protocol):
    """An open websocket; `receive` raises `ConnectionError` once it is closed."""

    def send(self, data: bytes) -> None: ...

    async def receive(self) -> bytes: ...

    def close(self) -> None: ...


Dial = Callable[[str], Awaitable[Socket]]
"""Opens a websocket to a URL, or raises `OSError`."""
Saved = Callable[[], Awaitable[None]]
"""Returns when everything that was written to files before has been saved."""


class _Refused(Exception):
    """The broker refuses us; the argument is the reason."""


class TabTransport:
    """A `Transport` to the broker at any of several addresses, tried in turn, as far as a page can reach them.

    Nothing leaves before `saved` returns: a tab may be closed at any moment, and must never forget what it has signed.
    """

    def __init__(self, addresses: Sequence[Address], dial: Dial, saved: Saved) -> None:
        self._addresses = tuple(one for one in addresses if one.websockets)
        self._dial = dial
        self._saved = saved
        self._at = 0
        self.inbox = Inbox()
        self.outbox = Outbox()
        self._screen: Screen | None = None
        self._will: Will | None = None
        self._identifier = "wsb" + secrets.token_hex(10)
        self._task: asyncio.Task[None] | None = None

    def open(self, will: Will | None = None, screens: Screens | None = None) -> None:
        if self._task is not None:
            raise RuntimeError("a transport is opened once")
        self._will, self._screen = will, None if screens is None else screens()
        loop = asyncio.get_running_loop()
        self.inbox.read_on(loop)
        self.outbox.take_on(loop)
        self._task = loop.create_task(self._stay_connected())

    def try_also(self, address: Address) -> None:
        if address.websockets and address not in self._addresses:
            self._addresses = (*self._addresses, address)

    def subscribe(self, filters: Sequence[str]) -> None:
        self.outbox.subscribe(filters)

    def unsubscribe(self, filters: Sequence[str]) -> None:
        self.outbox.unsubscribe(filters)

    def publish(self, publication: Publication) -> None:
        check_publication(publication)
        self.outbox.publish(publication)

    def events(self) -> AsyncIterator[TransportEvent]:
        return self.inbox

    async def close(self) -> None:
        self.outbox.close()
        if self._task is not None:
            await self._task
        self.inbox.close()

    async def _stay_connected(self) -> None:
        closed = asyncio.create_task(self.outbox.closed())
        relay = any(one.relay for one in self._addresses)
        pause = Pause(Random(), longest=LONGEST_PAUSE_OF_RELAYS if relay else LONGEST_PAUSE)
        told = ""
        while not closed.done():
            stood, lost = await self._any_address(closed, pause)
            if lost is not None and (stood or lost.reason != told):
                told = lost.reason
                self.inbox.put(lost)
            await asyncio.wait({closed}, timeout=pause.after_loss())

    async def _any_address(self, closed: asyncio.Task[None], pause: Pause) -> tuple[bool, Lost | None]:
        """Run one connection to its end, over the first address that works, starting with the last that did."""
        failed = [Lost("unreachable", "no websockets")]
        for _ in self._addresses:
            address = self._addresses[self._at]
            connection = _Connection(self, address, pause)
            running = asyncio.create_task(connection.run())
            await asyncio.wait({running, closed}, return_when=asyncio.FIRST_COMPLETED)
            if not running.done() and not connection.stood:
                running.cancel()
            lost = None
            with suppress(asyncio.CancelledError):
                lost = await running
            self.outbox.end()
            if lost is None or connection.stood:
                return connection.stood, lost
            _logger.info("no connection to %s: %s, %s", address, lost.reason, lost.detail)
            failed.append(lost)
            self._at = (self._at + 1) % len(self._addresses)
        return False, min(failed, key=lambda lost: _MOST_TELLING.index(lost.reason))


class _Connection:
    """One connection of a transport, from its websocket to its end."""

    def __init__(self, transport: TabTransport, address: Address, pause: Pause) -> None:
        self._transport = transport
        self._address = address
        self._pause = pause
        self._reader = PacketReader()
        self._unanswered: set[int] = set()
        self._answered = asyncio.Event()
        self._heard = True
        self._number = 0
        self.stood = False
        """True once it was up."""

    async def run(self) -> Lost | None:
        """Run the connection; return the reason why it was lost, or None if we ended it."""
        one = self._address
        host = f"[{one.host}]" if ":" in one.host else one.host
        url = f"{'wss' if one.tls else 'ws'}://{host}:{one.port}{one.path or WEBSOCKET_PATH}"
        several = len(self._transport._addresses) > 1
        try:
            async with asyncio.timeout(TURN_TIMEOUT if several else ANSWER_TIMEOUT):
                socket = await self._transport._dial(url)
        except TimeoutError:
            return Lost("timeout", "no websocket")
        except OSError as error:
            return Lost("unreachable", str(error))
        try:
            await self._welcomed(socket)
            self._transport.inbox.pause()
            async with asyncio.TaskGroup() as group:
                reading = group.create_task(self._read(socket))
                pinging = group.create_task(self._ping(socket))
                await self._write(socket)
                reading.cancel()
                pinging.cancel()
            socket.send(GOODBYE)
        except ExceptionGroup as faults:
            return _lost(faults.exceptions[0])
        except (_Refused, BadPacket, OSError) as fault:
            return _lost(fault)
        finally:
            socket.close()
        return None

    async def _welcomed(self, socket: Socket) -> None:
        will = None if self._transport._will is None else self._transport._will()
        if will is not None:
            check_publication(will)
        user, password = self._address.user, self._address.password
        socket.send(connect_packet(self._transport._identifier, user, password, KEEPALIVE, will))
        async with asyncio.timeout(ANSWER_TIMEOUT):
            while True:
                for packet in self._reader.feed(await socket.receive()):
                    if isinstance(packet, Welcome):
                        if packet.code:
                            wrong = packet.code in (_BAD_USER, _NOT_AUTHORISED)
                            raise _Refused("password" if wrong else "refused", f"code {packet.code}")
                        return

    async def _read(self, socket: Socket) -> None:
        while True:
            data = await socket.receive()
            self._heard = True
            for packet in self._reader.feed(data):
                if isinstance(packet, Message):
                    if packet.number:
                        socket.send(acknowledge_packet(packet.number))
                    self._arrived(packet)
                elif isinstance(packet, Acknowledged):
                    if packet.refused:
                        raise _Refused("refused", "a filter")
                    self._unanswered.discard(packet.number)
                    self._answered.set()

    def _arrived(self, message: Message) -> None:
        transport = self._transport
        if message.oversize or len(message.topic) > MAX_TOPIC:
            return
        topic = message.topic.decode(errors="replace")
        if transport._screen is None or transport._screen(topic, message.payload):
            transport.inbox.put(Arrived(topic, message.payload, message.retained))

    async def _ping(self, socket: Socket) -> None:
        while True:
            socket.send(PING)
            self._heard = False
            await asyncio.sleep(KEEPALIVE / 2)
            if not self._heard:
                raise TimeoutError

    async def _write(self, socket: Socket) -> None:
        """Perform the orders of the outbox until it is closed."""
        transport = self._transport
        for first in transport.outbox.begin():
            await self._perform(socket, first)
        await self._fewer_unanswered_than(1)
        self._pause.connected()
        self.stood = True
        _logger.info("connected to %s", self._address)
        transport.inbox.put(Connected())
        pace = Pace() if self._address.relay else None
        while (order := await transport.outbox.next_order()) is not None:
            if isinstance(order, Publication):
                if pace is not None and (due := pace.wait()):
                    await asyncio.sleep(due)
                await transport._saved()
            await self._perform(socket, order)
        await self._fewer_unanswered_than(1)

    async def _perform(self, socket: Socket, order: Order) -> None:
        """Send an order; wait while too many are unanswered."""
        await self._fewer_unanswered_than(MOST_UNANSWERED)
        self._number = self._number % 65_535 + 1
        if not isinstance(order, Publication) or order.qos:
            self._unanswered.add(self._number)
        if isinstance(order, Publication):
            socket.send(publish_packet(order, self._number))
        elif isinstance(order, Subscribe):
            socket.send(subscribe_packet(order.filters, self._number))
        else:
            socket.send(unsubscribe_packet(order.filters, self._number))

    async def _fewer_unanswered_than(self, most: int) -> None:
        while len(self._unanswered) >= most:
            self._answered.clear()
            async with asyncio.timeout(ANSWER_TIMEOUT):
                await self._answered.wait()


def _lost(fault: Exception) -> Lost:
    match fault:
        case _Refused():
            return Lost(*fault.args)
        case TimeoutError():
            return Lost("timeout", "no answer")
        case BadPacket() | OSError():
            return Lost("closed", str(fault))
    raise fault
