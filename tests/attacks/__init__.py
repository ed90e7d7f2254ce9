"""Attacks on real programs and a real broker: under any of them, the honest game ends settled or waits."""
