"""Puzzles: how they are found, and the proof that each has exactly one best turn that is not the obvious one."""
