"""Puzzles: positions with one best turn, the search that proves it, and the game in which they are solved."""
