"""The greedy bot's knowledge of the second edition."""
