"""The rules as the protocol needs them, and the meaning of its log for a game."""
