"""The weights for judging positions of the second edition; tuned by letting variants play each other."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..prospects import Odds
from ..taste import POINTS_ALONE, Taste


@dataclass(frozen=True)
class Weights:
    odds: Odds = field(
        default_factory=lambda: Odds(patience=0.7, late=0.0, hazard=1.0, scarce=0.25, lying=0.2, hurry=2.0)
    )
    drawing: Odds = field(
        default_factory=lambda: Odds(patience=0.9, late=0.0, hazard=0.5, scarce=0.25, lying=0.2, hurry=2.0)
    )
    """The same for recipes not drawn yet: their line can still be chosen, so they have more time."""
    fresh: float = 0.7
    """The share of a drawn recipe's average value that counts before it is drawn."""
    lead: float = 1.0
    """The value of each point of a lead, or the cost of each point behind, as the board fills up."""
    shared: float = 0.4
    """The cost of a cube that goes to the pool, since the next player can take it first."""
    cards: dict[str, float] = field(default_factory=lambda: {"spicy": 1.8, "stack": 1.3, "switch": 1.2, "chop": 1.0})
    """The value of an action card in hand, by effect."""
    taste: Taste = POINTS_ALONE
    exposure: float = 0.0
    """The weight of where rivals are likely to build, as a power of the chance that a window lasts."""
    doubt: float = 2.0
    """A beginner's error in points; it reduces an easy bot to half to two thirds of a normal one's score."""
