"""The rules as the protocol asks for them, and what its log means for a game."""
