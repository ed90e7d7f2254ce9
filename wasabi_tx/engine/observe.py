"""Observations: what a seat or watcher may know, namely the public position and the faces of the seat's own recipes.

Bots and screens receive nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .position import Position
from .rules import AnyRules
from .sealed_card import Card, Faces
from .step import Step


@dataclass(frozen=True)
class Observation:
    rules: AnyRules
    position: Position
    seat: int | None
    """The observing seat, or None for a watcher."""
    faces: dict[Card, int]
    """The faces of this seat's own recipe cards."""

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.position.mover == self.seat

    def legal(self) -> Sequence[Step]:
        """Return the steps that this seat may take now; none if it is not to move."""
        return self.rules.legal(self.position, self.faces) if self.my_turn else []


def observe(rules: AnyRules, position: Position, seat: int | None, faces: Faces) -> Observation:
    """Return the seat's view of a position, without the faces that it must not know."""
    held = () if seat is None else position.seats[seat].recipes
    return Observation(rules, position, seat, {card: faces[card] for card in held if card in faces})
