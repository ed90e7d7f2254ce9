"""Real brokers for commands that need one."""

from tests.brokers import mosquitto_broker, nats_broker

__all__ = ["mosquitto_broker", "nats_broker"]
