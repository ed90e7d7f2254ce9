"""What only the second edition's position has."""

from __future__ import annotations

from ...position import Position

PHASES = ("refill", "play", "serve", "gain", "discard", "restock", "exchange", "over")
"""A card is to be turned up; Step 1 until Serve or Prep is chosen; serving; a card to take; one to give away;
recipes to draw after serving; after an exchange; the end."""

ACTIONS = 1
"""The number of the deck of action cards: no recipe is that short."""

RECIPES = ACTIONS + 1
"""Where the decks of recipes begin."""


class MasterPosition(Position):
    """The cups are what blocks squares of the board."""

    __slots__ = ("chef", "discards", "display", "finals", "moved", "owed", "pool", "serving", "trigger")

    chef: int
    """Whose turn it is, also while a card is turned up and nobody moves."""
    discards: bytes
    """Action cards played or thrown away, by number."""
    display: tuple[int, ...]
    """Action cards that can be taken, sorted."""
    finals: int
    """Seats whose final turn has not begun, one bit each."""
    moved: int
    """Squares of the cups moved since the board last changed, one bit each."""
    owed: bool
    """Whether this turn's tile has still to be placed, if one can be."""
    pool: int
    serving: bool
    """Whether Serve was chosen, and serving goes on."""
    trigger: str
    """What started the final round: `board`, `pantry` or `turns`; nothing before."""

    @property
    def due(self) -> bool:
        """Whether a tile must be placed before Serve or Prep: it is owed, and there are a tile and a space for it."""
        return self.owed and any(self.board.free) and any(self.pantry)
