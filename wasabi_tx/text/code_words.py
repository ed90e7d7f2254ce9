"""The words of spoken codes: food that speakers of either language can read aloud and distinguish."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def code_words() -> tuple[str, ...]:
    """Return all words in alphabetical order; no single slip turns one into another."""
    return tuple(files(__package__).joinpath("code_words.txt").read_text(encoding="utf-8").split())


def nearest_word(heard: str) -> str | None:
    """Return the word that was meant, with at most one letter wrong, missing or extra, or None."""
    words = code_words()
    if heard in words:
        return heard
    return next((word for word in words if _one_slip(heard, word)), None)


def _one_slip(left: str, right: str) -> bool:
    """Return whether changing, adding or dropping one letter turns one word into the other."""
    if len(left) > len(right):
        left, right = right, left
    if len(right) - len(left) > 1:
        return False
    start = next((at for at, (one, other) in enumerate(zip(left, right, strict=False)) if one != other), len(left))
    return left[start + (len(left) == len(right)) :] == right[start + 1 :]
