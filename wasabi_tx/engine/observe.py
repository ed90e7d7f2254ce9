"""Observations: all that a seat or watcher may know, the public position and the faces of the seat's own recipes.

Bots and screens get nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .card import Card, Faces
from .position import Position
from .rules import AnyRules
from .step import Step


@dataclass(frozen=True)
class Observation:
    rules: AnyRules
    position: Position
    seat: int | None
    """None is a watcher."""
    faces: dict[Card, int]
    """The recipes on this seat's own cards."""

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.position.mover == self.seat

    def legal(self) -> Sequence[Step]:
        """What this seat may do now; nothing if it is not to move."""
        return self.rules.legal(self.position, self.faces) if self.my_turn else []


def observe(rules: AnyRules, position: Position, seat: int | None, faces: Faces) -> Observation:
    """The seat's view of a position; faces that it must not know are left out."""
    held = () if seat is None else position.seats[seat].recipes
    return Observation(rules, position, seat, {card: faces[card] for card in held if card in faces})
