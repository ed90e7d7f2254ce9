"""Attacks on real programs and a real broker: whatever somebody tries, the honest game ends settled, or waits."""
