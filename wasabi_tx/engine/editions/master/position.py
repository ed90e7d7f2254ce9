"""The parts of a position that only the second edition has."""

from __future__ import annotations

from ...position import Position

PHASES = ("refill", "play", "serve", "gain", "discard", "restock", "exchange", "over")
"""Turn up a card; Step 1 until Serve or Prep is chosen; serve; take a card; discard one; draw recipes after serving;
draw recipes after an exchange; the end.
"""

ACTIONS = 1
"""The number of the action deck; no recipe is that short."""

RECIPES = ACTIONS + 1
"""The number of the first recipe deck."""


class MasterPosition(Position):
    """A position of the second edition; the blocked squares of the board are those with cups."""

    __slots__ = ("chef", "discards", "display", "finals", "moved", "owed", "pool", "serving", "trigger")

    chef: int
    """The seat whose turn it is, even while a card is turned up and nobody moves."""
    discards: bytes
    """Action cards played or discarded, by number."""
    display: tuple[int, ...]
    """Action cards that can be taken, sorted."""
    finals: int
    """Seats whose final turn has not begun, one bit each."""
    moved: int
    """Squares of the cups moved since the board last changed, one bit each."""
    owed: bool
    """True if this turn's tile must still be placed, provided that one can be."""
    pool: int
    serving: bool
    """True if Serve was chosen and serving continues."""
    trigger: str
    """The cause of the final round: `board`, `pantry` or `turns`; "" before it."""

    @property
    def due(self) -> bool:
        """True if a tile must be placed before Serve or Prep: it is owed, and there are a tile and a space for it."""
        return self.owed and any(self.board.free) and any(self.pantry)
