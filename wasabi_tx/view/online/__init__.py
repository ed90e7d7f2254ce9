"""The views of an online table besides the game itself."""
