"""The transport through a real broker: MQTT 3.1.1 in its own thread, so that a busy screen never delays it."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import ssl
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

import aiomqtt
from paho.mqtt.client import MQTTMessage, WebsocketConnectionError
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

from .address import WEBSOCKET_PATH, Address
from .inbox import Inbox
from .outbox import Order, Outbox, Subscribe
from .pacing import LONGEST_PAUSE, LONGEST_PAUSE_OF_RELAYS, DaemonExecutor, Pace, Pause, SendWindow
from .packet_reader import read_packets
from .tls import client_context
from .transport import (
    MAX_PAYLOAD,
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

KEEPALIVE = 4
"""Seconds of silence after which we ping: brokers tell the others of a cut cable after one and a half of them, and
Mosquitto up to five seconds later.
"""
CHECKS = 4
"""Times per keepalive interval to check whether a ping is due."""
PUBLISH_TIMEOUT = 3.0
ANSWER_TIMEOUT = 5.0
GOODBYE_TIMEOUT = 1.0
TURN_TIMEOUT = 2.5
"""Seconds to wait for the welcome of one of several addresses before trying the next."""
OPENING_TIMEOUT = 10.0
"""Seconds for everything before MQTT: certificates, a websocket's headers."""
GRACE = 0.1
SWITCH_EVERY = 0.0005
"""Seconds after which a computing thread yields to others, so that noise cannot delay a seat's own thread."""

# Without its own handler, a warning would be printed across the screen.
_logger = logging.getLogger(__name__)
_logger.addHandler(logging.NullHandler())
# Detailed messages contain our client id, which somebody could use to disconnect us.
_library_logger = logging.getLogger(f"{__name__}.library")
_library_logger.setLevel(logging.WARNING)

# MQTT 5 reason codes; older return codes are translated into them.
_FAILURE, _BAD_USER, _NOT_AUTHORISED, _KEEPALIVE = 128, 134, 135, 141

_MOST_TELLING = ("password", "certificate", "refused", "closed", "timeout", "unreachable")
"""The order of reasons to report when the addresses of a broker fail for different ones."""


class _Goodbye(Exception):
    """`close` was called and everything has been sent."""


class _Refused(Exception):
    """The broker refuses a subscription."""


class MqttTransport:
    """A `Transport` to the broker at any of several addresses, tried in turn."""

    def __init__(self, addresses: Sequence[Address], keepalive: int = KEEPALIVE) -> None:
        self._addresses = tuple(addresses)
        self._at = 0
        self.inbox = Inbox()
        self.outbox = Outbox()
        self.oversize = 0
        """Messages dropped unread because they were too large."""
        self._screen: Screen | None = None
        self._keepalive = keepalive
        # All connections of a transport use one client id, so that a broker drops a dead one at once.
        self._identifier = "wsb" + secrets.token_hex(10)
        self._will: Will | None = None
        self._thread: threading.Thread | None = None
        self._ended = asyncio.Event()

    @property
    def address(self) -> Address:
        """The address of the current connection or attempt."""
        return self._addresses[self._at]

    def try_also(self, address: Address) -> None:
        if address not in self._addresses:
            # Only ever longer, so that the thread of the connection never looks for one that is gone.
            self._addresses = (*self._addresses, address)

    def open(self, will: Will | None = None, screens: Screens | None = None) -> None:
        if self._thread is not None:
            raise RuntimeError("a transport is opened once")
        self._will = will
        self._screen = None if screens is None else screens()
        sys.setswitchinterval(min(SWITCH_EVERY, sys.getswitchinterval()))
        reader = asyncio.get_running_loop()
        self.inbox.read_on(reader)
        # The platform's default does not work: the proactor loop of Windows cannot watch sockets that another library
        # reads.
        loop = asyncio.SelectorEventLoop()
        self.outbox.take_on(loop)
        self._thread = threading.Thread(target=self._run, args=(loop, reader), name="wasabi-net", daemon=True)
        self._thread.start()

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
        if self._thread is None:
            self.inbox.close()
            return
        await self._ended.wait()
        self._thread.join()

    def _run(self, loop: asyncio.SelectorEventLoop, reader: asyncio.AbstractEventLoop) -> None:
        loop.set_default_executor(DaemonExecutor())
        loop.set_exception_handler(_log_quietly)
        try:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(self._stay_connected())
        finally:
            self.inbox.close()
            if not reader.is_closed():
                reader.call_soon_threadsafe(self._ended.set)

    async def _stay_connected(self) -> None:
        """Connect, and reconnect whenever the connection is lost, until the outbox is closed."""
        closed = asyncio.create_task(self.outbox.closed())
        pause = Pause(Random(), longest=LONGEST_PAUSE_OF_RELAYS if self.address.relay else LONGEST_PAUSE)
        told = ""
        while not closed.done():
            stood, lost = await self._any_address(closed, pause, told)
            if lost is not None and (stood or lost.reason != told):
                told = lost.reason
                self.inbox.put(lost)
            await asyncio.wait({closed}, timeout=pause.after_loss())
        # A connection that was given up may still open its socket in a thread, and the library then begins a task for
        # it. The loop ends that task with all others, as long as it is open.
        await asyncio.get_running_loop().shutdown_default_executor()

    async def _any_address(self, closed: asyncio.Task[None], pause: Pause, told: str) -> tuple[bool, Lost | None]:
        """Run one connection to its end, over the first address that works, starting with the last that did."""
        failed: list[Lost] = []
        for _ in self._addresses:
            stood, lost = await self._connection(closed, pause)
            self.outbox.end()
            if lost is None:
                return stood, None
            level = logging.INFO if stood or lost.reason != told else logging.DEBUG
            _logger.log(level, "no connection to %s: %s, %s", self.address, lost.reason, lost.detail)
            if stood:
                return True, lost
            failed.append(lost)
            self._at = (self._at + 1) % len(self._addresses)
        return False, min(failed, key=lambda lost: _MOST_TELLING.index(lost.reason))

    async def _connection(self, closed: asyncio.Task[None], pause: Pause) -> tuple[bool, Lost | None]:
        """Run one connection to its end; return whether it was up, and why it was lost unless we ended it."""
        stood = asyncio.Event()
        try:
            client = self._client()
        except OSError as error:
            return False, Lost("certificate", f"{self.address.ca}: {error.strerror or error}")
        _logger.debug("connecting to %s", self.address)
        try:
            connecting = asyncio.create_task(client.__aenter__())
            ended = asyncio.create_task(_hung_up(client).wait())
            limit = TURN_TIMEOUT if len(self._addresses) > 1 else None
            await asyncio.wait({connecting, closed, ended}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if not (connecting.done() or closed.done() or ended.done()):
                connecting.cancel()
                ended.cancel()
                return False, Lost("timeout", "no welcome")
            if ended.done():
                # With a refusal both happen at once, and the refusal is more informative.
                await asyncio.wait({connecting}, timeout=GRACE)
            ended.cancel()
            if not connecting.done():
                connecting.cancel()
                return False, None if closed.done() else Lost("closed", "before its welcome")
            await connecting
            _send_at_once(client)
            self.inbox.pause()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._until_lost(client))
                group.create_task(self._serve(client, group, stood, pause))
        except ExceptionGroup as several:
            first = several.exceptions[0]
            if not isinstance(first, _Goodbye):
                return stood.is_set(), _lost(first)
            with suppress(aiomqtt.MqttError, TimeoutError):
                async with asyncio.timeout(GOODBYE_TIMEOUT):
                    await client.__aexit__(None, None, None)
        except Exception as error:
            return False, _lost(error)
        finally:
            _hang_up(client)
        return stood.is_set(), None

    def _client(self) -> aiomqtt.Client:
        address, will = self.address, None if self._will is None else self._will()
        if will is not None:
            check_publication(will)
        client = aiomqtt.Client(
            address.host,
            address.port,
            username=address.user or None,
            password=address.password or None,
            logger=_library_logger,
            identifier=self._identifier,
            protocol=aiomqtt.ProtocolVersion.V311,
            will=None if will is None else aiomqtt.Will(will.topic, will.payload, will.qos, will.retain),
            clean_session=True,
            transport="websockets" if address.websockets else "tcp",
            timeout=ANSWER_TIMEOUT,
            keepalive=self._keepalive,
            tls_context=client_context(address) if address.tls else None,
            tls_insecure=True if address.tls and address.fingerprint else None,
            websocket_path=(address.path or WEBSOCKET_PATH) if address.websockets else None,
            websocket_headers=_without_origin if address.websockets else None,
        )
        client.pending_calls_threshold = 1_000
        read_packets(client, self._arrived)
        _ping_rarely(client, self._keepalive / CHECKS)
        _open_in_time(client)
        client._client.on_message = self._acknowledged
        return client

    def _acknowledged(self, _client: object, _data: object, message: MQTTMessage) -> None:
        """Receive a message at QoS 1: we request none, but the library acknowledges any that a broker sends."""
        self._arrived(message._topic, bytes(message.payload), message.retain)

    def _arrived(self, name: bytes, payload: bytes, retained: bool) -> None:
        """Receive a message as soon as it is read; a queue before our inbox would be unbounded or out of order."""
        if len(payload) > MAX_PAYLOAD or len(name) > MAX_TOPIC:
            self.oversize += 1
            return
        topic = name.decode(errors="replace")
        if self._screen is None or self._screen(topic, payload):
            self.inbox.put(Arrived(topic, payload, retained))

    @staticmethod
    async def _until_lost(client: aiomqtt.Client) -> None:
        """Raise the error that ended the connection; messages do not arrive here."""
        async for _ in client.messages:
            pass

    async def _serve(
        self, client: aiomqtt.Client, group: asyncio.TaskGroup, stood: asyncio.Event, pause: Pause
    ) -> None:
        for packet in self.outbox.begin():
            await _perform(client, packet)
        _logger.info("connected to %s", self.address)
        pause.connected()
        stood.set()
        self.inbox.put(Connected())
        window, pace = SendWindow(), Pace() if self.address.relay else None
        while (order := await self.outbox.next_order()) is not None:
            if pace is not None and isinstance(order, Publication) and (due := pace.wait()):
                await asyncio.sleep(due)
            size = len(order.payload) if isinstance(order, Publication) else 0
            await window.enter(size)
            # Tasks start in the order of their creation, and each writes its packet before it first waits.
            task = group.create_task(_perform(client, order))
            task.add_done_callback(partial(_leave, window, size))
        await window.empty()
        raise _Goodbye


def _without_origin(headers: dict[str, str]) -> dict[str, str]:
    """Remove the origin header: it names the page in a browser, and this is not one."""
    return {name: value for name, value in headers.items() if name != "Origin"}


def _leave(window: SendWindow, size: int, _done: asyncio.Task[None]) -> None:
    window.exit(size)


async def _perform(client: aiomqtt.Client, order: Order) -> None:
    """Send an order and wait for its acknowledgement."""
    if isinstance(order, Publication):
        await client.publish(order.topic, order.payload, order.qos, order.retain, timeout=PUBLISH_TIMEOUT)
    elif isinstance(order, Subscribe):
        # Use QoS 0, because brokers keep a queue on disk for each QoS 1 subscription and allow few of them.
        granted = await client.subscribe([(pattern, 0) for pattern in order.filters], timeout=ANSWER_TIMEOUT)
        _logger.debug("subscribed to %s", ", ".join(order.filters))
        for pattern, code in zip(order.filters, granted, strict=True):
            if _number(code) >= _FAILURE:
                raise _Refused(pattern)
    else:
        _logger.debug("unsubscribed from %s", ", ".join(order.filters))
        await client.unsubscribe(list(order.filters), timeout=ANSWER_TIMEOUT)


def _ping_rarely(client: aiomqtt.Client, pause: float) -> None:
    """Check for a due ping less often than the library, which does so every second for each connection.

    A broker waits one and a half times the keepalive.
    """

    async def look() -> None:
        while client._client.loop_misc() == MQTTErrorCode.MQTT_ERR_SUCCESS:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(pause)

    vars(client)["_misc_loop"] = look


def _open_in_time(client: aiomqtt.Client) -> None:
    """Abort a connection that does not open in time; the library reads a websocket's headers however long they are."""
    paho = client._client
    connect, create = paho._create_socket_connection, paho._create_socket
    opening: list[socket.socket] = []

    def connect_and_note() -> socket.socket:
        found = connect()
        # The duplicate can still shut it down after TLS has detached the socket itself.
        opening.extend([found, found.dup()])
        return found

    def create_in_time() -> object:
        timer = threading.Timer(OPENING_TIMEOUT, _cut, [opening])
        timer.daemon = True
        timer.start()
        try:
            return create()
        except BaseException:
            _cut(opening)
            for one in opening:
                one.close()
            raise
        finally:
            timer.cancel()
            for twin in opening[1:]:
                twin.close()
            opening.clear()

    vars(paho).update(_create_socket_connection=connect_and_note, _create_socket=create_in_time)


def _cut(sockets: list[socket.socket]) -> None:
    """Shut down a connection in both directions, even while a thread waits for its next byte."""
    for one in list(sockets):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def _send_at_once(client: aiomqtt.Client) -> None:
    """Disable Nagle's algorithm; with it a round trip on loopback takes 88 ms instead of one."""
    # The client's own socket options do not reach a websocket, whose socket is wrapped.
    wrapped = client._client.socket()
    if wrapped is not None:
        with socket.fromfd(wrapped.fileno(), socket.AF_INET, socket.SOCK_STREAM) as same:
            same.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _hung_up(client: aiomqtt.Client) -> asyncio.Event:
    """Return an event set when the peer ends the connection, even before its welcome, which the client overlooks."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    paho = client._client
    known = paho.on_disconnect

    def on_disconnect(*args: Any) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(ended.set)
        if known is not None:
            known(*args)

    paho.on_disconnect = on_disconnect
    return ended


def _hang_up(client: aiomqtt.Client) -> None:
    """Close the socket if it is still open, without waiting; one that opens later is rejected."""
    paho = client._client
    # The socket is removed from the loop, which may close before the socket is discarded.
    paho.on_socket_open = _too_late
    paho.on_socket_close = None
    paho.on_socket_unregister_write = None
    wrapped = paho.socket()
    if wrapped is not None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(wrapped.fileno())
        loop.remove_writer(wrapped.fileno())
        wrapped.close()


def _too_late(*_args: object) -> None:
    raise ConnectionAbortedError("nobody waits for this connection any more")


def _lost(error: BaseException) -> Lost:
    """Derive the reason why a connection failed from the errors of both libraries."""
    cause = error.__cause__ or error.__context__ or error
    detail = str(error)
    if isinstance(error, _Refused):
        return Lost("refused", detail)
    if isinstance(error, aiomqtt.exceptions.MqttConnectError):
        return Lost("password" if _number(error.rc) in (_BAD_USER, _NOT_AUTHORISED) else "refused", detail)
    if isinstance(cause, ssl.SSLError):
        return Lost("certificate", detail)
    if isinstance(cause, TimeoutError):
        return Lost("timeout", detail)
    if isinstance(cause, WebsocketConnectionError):
        return Lost("refused", detail)
    if isinstance(cause, ConnectionRefusedError | socket.gaierror):
        return Lost("unreachable", detail)
    if isinstance(cause, aiomqtt.MqttCodeError):
        return Lost("timeout" if _number(cause.rc) == _KEEPALIVE else "closed", str(cause))
    if isinstance(cause, ConnectionError):
        return Lost("closed", detail)
    if isinstance(cause, OSError):
        return Lost("unreachable", detail)
    return Lost("closed", detail)


def _number(code: object) -> int:
    value = code.value if isinstance(code, ReasonCode) else code
    return value if isinstance(value, int) else 0


def _log_quietly(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    _logger.warning("%s", context.get("message"), exc_info=context.get("exception"))
