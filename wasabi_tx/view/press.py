"""A press: what a click or a choice stands for, as a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PickNumber:
    """The digit of something in hand, of a length of recipes, or 0 for no."""

    number: int


@dataclass(frozen=True, slots=True)
class PickCode:
    """A tile of the pantry or an action card, by its number in the edition."""

    number: int


@dataclass(frozen=True, slots=True)
class PickSquare:
    """A square of the board."""

    square: int


@dataclass(frozen=True, slots=True)
class ChooseRow:
    """A row of a list."""

    row: int


@dataclass(frozen=True, slots=True)
class TurnValue:
    """The value before or after the one that a row shows."""

    row: int
    by: int


@dataclass(frozen=True, slots=True)
class SortBy:
    """The title of a column of a list."""

    column: str


@dataclass(frozen=True, slots=True)
class Do:
    """What a key does, by the name of its action."""

    action: str


Press = PickNumber | PickCode | PickSquare | ChooseRow | TurnValue | SortBy | Do
