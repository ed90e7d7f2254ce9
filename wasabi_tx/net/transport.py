"""The interface of a transport; the one in memory and the one over MQTT behave the same."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from .address import Address

MAX_PAYLOAD = 65_536
"""Largest payload read; larger messages are dropped unread."""
MAX_PUBLICATION = 65_000
"""Largest payload published; some brokers count their own headers as part of the 65,536 bytes they carry."""
MAX_TOPIC = 256
MAX_FILTERS = 8
"""Most filters that every broker accepts in one SUBSCRIBE."""


@dataclass(frozen=True, slots=True)
class Publication:
    """Bytes for a topic; an empty retained payload makes a broker forget what it retained there."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False
    can_wait: bool = False
    """True to send all other publications first, and to be dropped before them when space runs out.

    All publications under one topic have the same value, so that they stay in order.
    """


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message; `retained` if the broker had stored it before the subscription."""

    topic: str
    payload: bytes
    retained: bool


@dataclass(frozen=True, slots=True)
class Connected:
    """Connected, with every filter subscribed; this connection's messages follow."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is lost; reported once for each change of reason, while reconnecting.

    | reason      | meaning                                                  |
    | unreachable | no such host, no route to it, or nobody listens there    |
    | refused     | a broker answered, but refuses us or a filter            |
    | password    | user or password are wrong                               |
    | certificate | the server is not the expected one                       |
    | timeout     | an answer did not come in time                           |
    | closed      | the other side ended an established connection           |
    """

    reason: str
    detail: str = ""


TransportEvent = Arrived | Connected | Lost


Will = Callable[[], Publication]
"""Returns the publication for the broker to send if it loses us; called for each connection, from any thread."""

Screen = Callable[[str, bytes], bool]
"""Returns, after a quick look at topic and payload, whether a message is worth reading; called in one thread."""

Screens = Callable[[], Screen]
"""Returns a screen for the connection to one broker."""


class Transport(Protocol):
    """A self-healing connection to a broker. Nothing here blocks, and only programming errors raise."""

    def open(self, will: Will | None = None, screens: Screens | None = None) -> None:
        """Start connecting, and reconnect until `close`; the broker publishes the will if we vanish.

        A message that its broker's screen rejects costs only that call and does not appear among the events.
        """

    def try_also(self, address: Address) -> None:
        """Try one more address of the same broker whenever there is no connection."""

    def subscribe(self, filters: Sequence[str]) -> None:
        """Subscribe at QoS 0, now and after every reconnect; lost messages must be asked for."""

    def unsubscribe(self, filters: Sequence[str]) -> None: ...

    def publish(self, publication: Publication) -> None:
        """Publish at best effort, in order except for those that can wait; while not connected, drop it.

        A sender that needs an echo repeats it. This is the only method that any thread may call.
        """

    def events(self) -> AsyncIterator[TransportEvent]:
        """Iterate over the events, for one reader on the loop that called `open`; ends with `close`."""

    async def close(self) -> None:
        """Send what is queued, as far as that works within seconds, and disconnect cleanly, so no will is published."""


def check_publication(publication: Publication) -> None:
    """Raise `ValueError` for a publication no broker could carry: a mistake of the caller, not of the network."""
    topic = publication.topic
    if not topic or len(topic.encode()) > MAX_TOPIC or set(topic) & set("+#\0"):
        raise ValueError(f"not a topic to publish under: {topic[:MAX_TOPIC]!r}")
    if len(publication.payload) > MAX_PUBLICATION:
        raise ValueError(f"{len(publication.payload)} bytes are more than the {MAX_PUBLICATION} that brokers carry")
    if publication.qos not in (0, 1):
        raise ValueError(f"QoS {publication.qos}: only 0 and 1 are used")
