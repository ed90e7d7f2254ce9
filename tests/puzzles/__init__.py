"""Puzzles: where they come from, and the proof that each has exactly one best turn that is not the obvious one."""
