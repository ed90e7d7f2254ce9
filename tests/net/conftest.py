"""Fixtures: real brokers of each kind, and transports that are closed when the test ends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from tests.brokers import EACH_KIND, RealBroker, mosquitto_broker, nats_broker, realm
from wasabi_tx.net.address import Address
from wasabi_tx.net.mqtt import KEEPALIVE, MqttTransport

__all__ = ["mosquitto_broker", "nats_broker", "realm"]

Opener = Callable[..., MqttTransport]


@pytest.fixture(params=EACH_KIND)
def broker(request: pytest.FixtureRequest) -> RealBroker:
    """Provide a broker of each kind in turn."""
    found = request.getfixturevalue(f"{request.param}_broker")
    assert isinstance(found, RealBroker)
    return found


@pytest.fixture(params=EACH_KIND)
def own_broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RealBroker]:
    """Provide a broker of each kind in turn that the test may kill."""
    broker = RealBroker(request.param, tmp_path)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
async def transport() -> AsyncIterator[Opener]:
    """Provide a factory of transports."""
    made: list[MqttTransport] = []

    def make(*addresses: Address, keepalive: int = KEEPALIVE) -> MqttTransport:
        made.append(MqttTransport(addresses, keepalive))
        return made[-1]

    yield make
    for one in made:
        await one.close()
