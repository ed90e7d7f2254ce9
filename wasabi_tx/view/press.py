"""A press: the meaning of a click or a choice, as a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PickNumber:
    """The digit of an item in hand or of a recipe length, or 0 for no."""

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
class Do:
    """A key's action, by name."""

    action: str


Press = PickNumber | PickCode | PickSquare | ChooseRow | Do

SUGGEST, CONFIRM, OFF = ENTERS = ("suggest", "confirm", "off")
"""The effect of Enter in a turn: accept a suggestion, confirm a choice, or only put down the held thing."""
