"""The parts of a position that only the first edition has."""

from __future__ import annotations

from ...position import NO_CARD, Position

PHASES = ("give", "draw", "play", "restock", "over")
"""Starting tiles for the neighbour, first recipes, Step 1, Step 2, the end."""


class ClassicPosition(Position):
    __slots__ = ("covers", "extra", "kitchen", "owed", "passes", "played", "rewards", "stacking")

    covers: tuple[int, ...]
    """The top left squares of the Wasabi! cards on the board, sorted."""
    kitchen: bytes
    """Copies of each action card in the kitchen, by number."""
    owed: bool
    """True if this turn's tile must still be placed."""
    extra: bool
    """True if Spicy! still allows a second tile."""
    stacking: bool
    """True if Stack! lets this turn's tile go on top of another."""
    played: int
    """The action card played this turn, or `NO_CARD`."""
    rewards: int
    """Action cards earned this turn and not yet taken."""
    passes: int
    """Consecutive turns passed."""

    @property
    def untouched(self) -> bool:
        """True if nothing has been done in Step 1 yet."""
        return self.owed and not self.changed and self.played == NO_CARD
