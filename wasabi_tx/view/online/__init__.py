"""What a screen shows of an online table besides the game."""
