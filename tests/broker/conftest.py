"""Real brokers, and transports that are closed when the test ends."""

from tests.brokers import mosquitto_broker, nats_broker, realm
from tests.net.conftest import broker, own_broker, transport

__all__ = ["broker", "mosquitto_broker", "nats_broker", "own_broker", "realm", "transport"]
