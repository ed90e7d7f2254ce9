"""What a transport promises to its users; the one in memory and the one over MQTT promise the same."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

MAX_PAYLOAD = 65_536
"""Larger messages are dropped unread."""
MAX_PUBLICATION = 65_000
"""Some brokers count their own headers as part of the 65,536 bytes that they carry."""
MAX_TOPIC = 256
MAX_FILTERS = 8
"""As many filters as any broker takes in one SUBSCRIBE."""


@dataclass(frozen=True, slots=True)
class Publication:
    """Bytes for a topic; an empty retained payload makes a broker forget what it kept there."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False
    can_wait: bool = False
    """Whether all that cannot goes first, and takes its place where there is no room for both.

    All publications under one topic are alike in this, so that they keep their order.
    """


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message; `retained` if the broker had kept it from before the subscription."""

    topic: str
    payload: bytes
    retained: bool


@dataclass(frozen=True, slots=True)
class Connected:
    """Connected, and every filter subscribed; what arrives over this connection comes later."""


@dataclass(frozen=True, slots=True)
class Lost:
    """No connection, and why; once for each change of reason, while the next attempt is on its way.

    | reason      | what happened                                            |
    | unreachable | no such host, no way to it, or nobody listens there      |
    | refused     | a broker answered, and will have neither us nor a filter |
    | password    | user or password are wrong                               |
    | certificate | the server did not prove to be the one we meant          |
    | timeout     | an answer did not come in time                           |
    | closed      | the other side ended a connection that had stood         |
    """

    reason: str
    detail: str = ""


TransportEvent = Arrived | Connected | Lost


Will = Callable[[], Publication]
"""Makes what a broker is to publish if it loses us; one for each connection, from any thread."""


class Transport(Protocol):
    """A connection to a broker that heals itself. Nothing here blocks, and nothing but programming errors is raised."""

    def open(self, will: Will | None = None) -> None:
        """Starts connecting, and reconnects for ever until `close`; the broker publishes the will if we vanish."""

    def subscribe(self, filters: Sequence[str]) -> None:
        """Subscribes at QoS 0, now and after every reconnect: what is lost on the way must be asked for."""

    def unsubscribe(self, filters: Sequence[str]) -> None: ...

    def publish(self, publication: Publication) -> None:
        """Best effort, in the order given, except that some can wait; while not connected it is dropped.

        A sender that needs an echo repeats it. This is the only thing that any thread may do.
        """

    def events(self) -> AsyncIterator[TransportEvent]:
        """What happens, for one reader on the loop that called `open`; ends with `close`."""

    async def close(self) -> None:
        """Sends what waits, as far as that works within seconds, and says goodbye: the will is not published."""


def check_publication(publication: Publication) -> None:
    """`ValueError` for what no broker could carry: that is a mistake of the caller, not of the network."""
    topic = publication.topic
    if not topic or len(topic.encode()) > MAX_TOPIC or set(topic) & set("+#\0"):
        raise ValueError(f"not a topic to publish under: {topic[:MAX_TOPIC]!r}")
    if len(publication.payload) > MAX_PUBLICATION:
        raise ValueError(f"{len(publication.payload)} bytes are more than the {MAX_PUBLICATION} that brokers carry")
    if publication.qos not in (0, 1):
        raise ValueError(f"QoS {publication.qos}: only 0 and 1 are used")


@lru_cache(maxsize=8_192)
def matches(pattern: str, topic: str) -> bool:
    """Whether an MQTT filter covers a topic; wildcards do not reach topics that begin with $."""
    levels, names = pattern.split("/"), topic.split("/")
    if names[0].startswith("$") and levels[0] in ("+", "#"):
        return False
    for number, level in enumerate(levels):
        if level == "#":
            return True
        if number >= len(names) or level not in ("+", names[number]):
            return False
    return len(levels) == len(names)
