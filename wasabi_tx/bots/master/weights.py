"""The weights by which positions of the second edition are judged; found by letting variants play each other."""

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
    """The same for recipes that are not drawn yet: their line can still be chosen, so there is more time for them."""
    fresh: float = 0.7
    """How much of the value that a drawn recipe has on average counts beforehand."""
    lead: float = 1.0
    """What each point of a lead is worth as the board fills up, and costs if it is a lag."""
    shared: float = 0.4
    """What a cube that goes to the pool costs, since it is the next player who can take it first."""
    cards: dict[str, float] = field(default_factory=lambda: {"spicy": 1.8, "stack": 1.3, "switch": 1.2, "chop": 1.0})
    """What an action card in hand is worth, by effect."""
    taste: Taste = POINTS_ALONE
    exposure: float = 0.0
    """How much it matters where rivals are likely to build, as a power of the chance that a window lasts."""
    doubt: float = 2.0
    """How many points a beginner is wrong by; it leaves an easy bot half to two thirds of a normal one's score."""
