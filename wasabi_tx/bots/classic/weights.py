"""The weights for judging positions of the first edition; tuned by letting variants play each other."""

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
    """The share of a drawn recipe's average value that counts before it is drawn."""
    lead: float = 2.0
    """The value of each point of a lead, or the cost of each point behind, as the board fills up."""
    win: float = 30.0
    """The value of ending the game as the winner."""
    cards: dict[str, float] = field(
        default_factory=lambda: {"wasabi": 0.8, "spicy": 0.8, "switch": 0.5, "stack": 0.6, "chop": 0.4}
    )
    """The value of an action card in hand, by effect.

    More than half of all cards that bots play are Wasabi!, but to like it less costs games: against 0.8 at two seats,
    0.65 won 49 % of 400, 0.5 won 40 % and 0.35 won 33 %; 0.65 won 32 % of 300 at three seats and 22 % of 300 at four.
    """
    taste: Taste = POINTS_ALONE
    exposure: float = 0.0
    """The weight of where rivals are likely to build, as a power of the chance that a window lasts."""
    doubt: float = 0.5
    """A beginner's error in points; it reduces an easy bot to half to two thirds of a normal one's score."""
