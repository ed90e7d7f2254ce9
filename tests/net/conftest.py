"""Real brokers, one by one or each in turn, and transports that are closed when the test ends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from tests.brokers import KINDS, RealBroker, mosquitto_broker, nats_broker, realm
from wasabi_tx.net.address import Address
from wasabi_tx.net.mqtt import KEEPALIVE, MqttTransport

__all__ = ["mosquitto_broker", "nats_broker", "realm"]

Opener = Callable[..., MqttTransport]


@pytest.fixture(params=KINDS)
def broker(request: pytest.FixtureRequest) -> RealBroker:
    """Each kind of broker in turn."""
    found = request.getfixturevalue(f"{request.param}_broker")
    assert isinstance(found, RealBroker)
    return found


@pytest.fixture(params=KINDS)
def own_broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RealBroker]:
    """A broker of each kind in turn that the test may kill."""
    broker = RealBroker(request.param, tmp_path)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
async def transport() -> AsyncIterator[Opener]:
    """Makes transports."""
    made: list[MqttTransport] = []

    def make(*addresses: Address, keepalive: int = KEEPALIVE) -> MqttTransport:
        made.append(MqttTransport(addresses, keepalive))
        return made[-1]

    yield make
    for one in made:
        await one.close()
