"""How the words of a table are carried: channels, outgoing messages, the offer."""
