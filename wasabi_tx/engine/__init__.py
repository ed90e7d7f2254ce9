"""The rules of the game. Pure functions of values: no clock, no randomness, no files, no network."""
