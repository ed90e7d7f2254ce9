"""Widgets: the board, and panels of lines."""
