"""A flash: what has just happened, as a table shows it at one beat of its motion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Flash:
    seat: int
    """The seat that moves, from 0."""
    squares: tuple[int, ...] = ()
    """The framed squares: those that changed, or the line of a completed recipe."""
    told: tuple[str, ...] = ()
    """Another's move in the action bar: a marked sentence, then shorter ones."""
    remaining: float = 0.0
    """The share of the time that is left."""
    gained: int = 0
    """Points and cubes that the seat has just gained."""
    counted: int = 0
    """The points that its total already includes."""
    card: int = 0
    """The number of our own recipe that was completed."""
    recipe: str = ""
    worth: str = ""
    """The recipe's name and worth, for the banner beside its line."""
    feat: str = ""
    """What makes it stand out, if anything does."""
    grade: int = 0
    """How much larger than usual its celebration is, up to 3."""
    sparks: int = 0
    """The frame of the sparks; 0 for none."""
    landing: tuple[int, ...] = ()
    """Squares whose tile has not settled yet."""
    settled: float = 1.0
    """The share of the way that it has settled."""
