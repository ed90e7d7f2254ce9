"""Carrying messages: transports, relays, and brokers on the local network."""
