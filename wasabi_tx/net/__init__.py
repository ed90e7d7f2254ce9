"""What carries messages: transports, the embedded broker, and brokers on the local network."""
