"""The words of spoken codes: food that people of either language can read aloud and tell apart."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def code_words() -> tuple[str, ...]:
    """All of them, in alphabetical order; no two are alike enough for one slip to turn one into another."""
    return tuple(files(__package__).joinpath("code_words.txt").read_text(encoding="utf-8").split())


def nearest_word(heard: str) -> str | None:
    """The word that somebody meant, with at most one letter wrong, missing or too many; None if there is none."""
    words = code_words()
    if heard in words:
        return heard
    return next((word for word in words if _one_slip(heard, word)), None)


def _one_slip(left: str, right: str) -> bool:
    """Whether one letter changed, added or dropped makes one of the other."""
    if len(left) > len(right):
        left, right = right, left
    if len(right) - len(left) > 1:
        return False
    start = next((at for at, (one, other) in enumerate(zip(left, right, strict=False)) if one != other), len(left))
    return left[start + (len(left) == len(right)) :] == right[start + 1 :]
