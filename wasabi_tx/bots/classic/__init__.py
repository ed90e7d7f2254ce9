"""What a greedy bot knows about the first edition."""
