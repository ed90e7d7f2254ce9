"""The weights by which positions of the first edition are judged; found by letting variants play each other."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..prospects import Odds
from ..taste import POINTS_ALONE, Taste


@dataclass(frozen=True)
class Weights:
    odds: Odds = field(
        default_factory=lambda: Odds(patience=0.7, late=1.0, hazard=1.0, scarce=0.25, lying=0.2, hurry=2.0)
    )
    fresh: float = 0.7
    """How much of the value that a drawn recipe has on average counts beforehand."""
    lead: float = 2.0
    """What each point of a lead is worth as the board fills up, and costs if it is a lag."""
    win: float = 30.0
    """What ending the game as the winner is worth."""
    cards: dict[str, float] = field(
        default_factory=lambda: {"wasabi": 0.8, "spicy": 0.8, "switch": 0.5, "stack": 0.6, "chop": 0.4}
    )
    """What an action card in hand is worth, by effect."""
    taste: Taste = POINTS_ALONE
    exposure: float = 0.0
    """How much it matters where rivals are likely to build, as a power of the chance that a window lasts."""
    doubt: float = 0.5
    """How many points a beginner is wrong by; it leaves an easy bot half to two thirds of a normal one's score."""
