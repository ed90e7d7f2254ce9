"""Long runs of what the tests try briefly, each from its seed."""
