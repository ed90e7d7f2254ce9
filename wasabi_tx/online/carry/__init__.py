"""Message transport for a table: channels, outgoing messages, the offer."""
