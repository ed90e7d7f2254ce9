"""Errors of the sealed decks: refused input, and cards that do not add up."""

from __future__ import annotations


class SealedError(Exception):
    """The base of this package's errors; outside input raises nothing else."""


class UnsafeLibrary(SealedError):
    """The installed libsodium accepts points that it must refuse, so no real game may be played."""


class SealRefused(SealedError):
    """A message is invalid. `code` is stable; `where` gives details in small values."""

    def __init__(self, code: str, *, seat: int | None = None, **where: object) -> None:
        super().__init__(code)
        self.code = code
        self.seat = seat
        self.where = where

    def __str__(self) -> str:
        parts = [f"{name}={value!r}" for name, value in self.where.items()]
        if self.seat is not None:
            parts.insert(0, f"seat={self.seat}")
        return " ".join([self.code, *parts])


class SealsStopped(SealedError):
    """Every proof is valid and yet the cards do not add up: the game stops and nobody is blamed."""

    def __init__(self, code: str, **where: object) -> None:
        super().__init__(code)
        self.code = code
        self.where = where

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{name}={value!r}" for name, value in self.where.items())])
