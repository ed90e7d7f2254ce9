"""The brokers and programs of the shorter tests."""

from tests.brokers import mosquitto_broker
from tests.peers.conftest import own_broker, programs

__all__ = ["mosquitto_broker", "own_broker", "programs"]
