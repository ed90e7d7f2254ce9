"""The numbers by which the first edition's expert judges; found by letting variants play each other."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Weights:
    patience: float = 0.75
    """What is left of a recipe's value for every turn that it still needs."""
    late: float = 1.0
    """So much of a turn is lost if none of the tiles that a recipe lacks is at hand."""
    hazard: float = 1.0
    """How likely another player's tile is to hit a square that a window needs; 1 is pure chance."""
    second: float = 0.0
    """How much of the second best window counts as a reserve."""
    scarce: float = 0.25
    """The risk that the last tile of a kind in the pantry is taken by another; two share it, three a third."""
    lying: float = 0.2
    """The part of its value that a recipe has which lies complete and needs a square changed anew."""
    hurry: float = 2.0
    """How steeply a recipe loses value when the board will be full before it is done."""
    fresh: float = 1.0
    """How much of the value that a drawn recipe has on average counts beforehand."""
    tenth: float = 0.0
    """What coming near the last token is worth: all of this with none left, less and less before."""
    lead: float = 2.0
    """What each point of a lead is worth as the board fills up, and costs if it is a lag."""
    win: float = 30.0
    """What ending the game as the winner is worth."""
    cards: dict[str, float] = field(
        default_factory=lambda: {"wasabi": 1.0, "spicy": 0.8, "switch": 0.5, "stack": 0.6, "chop": 0.4}
    )
    """What an action card in hand is worth, by effect."""
