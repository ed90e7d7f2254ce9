"""The greedy bot's knowledge of the first edition."""
