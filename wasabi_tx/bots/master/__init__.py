"""What a greedy bot knows about the second edition."""
