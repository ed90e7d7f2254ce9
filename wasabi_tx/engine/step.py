"""A step is the unit of the engine: one thing that a player does, or that chance supplies."""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """A verb and its numbers: tiles, squares, cards; compares and sorts like a tuple."""

    verb: str
    args: tuple[int, ...] = ()


class Bundle(NamedTuple):
    """The steps that one seat sends at once, up to where it learns something new or its turn ends."""

    seat: int
    steps: tuple[Step, ...]
