"""Chance that is read from bytes: the fuzzer decides what would be random, and so learns what leads further."""

from __future__ import annotations

from random import Random


class Chosen(Random):
    """Every choice takes the next of the given bytes; after the last one all choices are the first one."""

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
        """What was not used."""
        return self._data[self._at :]
