"""Randomness read from bytes: the fuzzer makes the random choices, and so learns what leads further."""

from __future__ import annotations

from random import Random


class Chosen(Random):
    """Takes the next of the given bytes for every choice; after the last one, always makes the first choice."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._data = data
        self._at = 0

    def getrandbits(self, k: int) -> int:
        size = (k + 7) // 8
        taken = self._data[self._at : self._at + size]
        self._at += size
        return int.from_bytes(taken.ljust(size, b"\0"), "big") & ((1 << k) - 1)

    def random(self) -> float:
        return self.getrandbits(16) / 65_536

    @property
    def rest(self) -> bytes:
        """Return the unused bytes."""
        return self._data[self._at :]
