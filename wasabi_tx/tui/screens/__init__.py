"""Screens: home, the table, and pages on top of it."""
