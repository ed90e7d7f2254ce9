"""Real brokers for the transport of a tab."""

from tests.brokers import mosquitto_broker, nats_broker, realm
from tests.net.conftest import broker, own_broker

__all__ = ["broker", "mosquitto_broker", "nats_broker", "own_broker", "realm"]
