"""Wasabi TX: the sushi board game in the terminal."""

__version__ = "0.9.0"
