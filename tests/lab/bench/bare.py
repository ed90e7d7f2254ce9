"""A bare MQTT client that listens to itself: the cost of the broker and the library without us."""

from __future__ import annotations

import secrets
import socket
from time import perf_counter
from types import TracebackType

import aiomqtt

from wasabi_tx.net.address import Address

PAYLOAD = bytes(600)
"""A payload as large as a signed move."""


class Echo:
    """Publishes at QoS 1 to a topic to which it is subscribed at QoS 0, as games do."""

    def __init__(self, address: Address) -> None:
        name = "bare" + secrets.token_hex(6)
        self._topic = f"wsb1/{name}"
        self._client = aiomqtt.Client(
            address.host, address.port, username=address.user, password=address.password, identifier=name
        )

    async def __aenter__(self) -> Echo:
        await self._client.__aenter__()
        connection = self._client._client.socket()
        assert isinstance(connection, socket.socket)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await self._client.subscribe(self._topic, qos=0)
        self._messages = aiter(self._client.messages)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    async def trip(self) -> float:
        """Return the seconds from the call to the message's arrival."""
        started = perf_counter()
        await self._client.publish(self._topic, PAYLOAD, qos=1)
        await anext(self._messages)
        return perf_counter() - started
