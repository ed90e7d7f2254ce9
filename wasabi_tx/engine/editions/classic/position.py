"""What only the first edition's position has."""

from __future__ import annotations

from ...position import NO_CARD, Position

PHASES = ("give", "draw", "play", "restock", "over")
"""Starting tiles for the neighbour; first recipes; Step 1; Step 2; the end."""


class ClassicPosition(Position):
    __slots__ = ("covers", "extra", "kitchen", "owed", "passes", "played", "rewards", "stacking")

    covers: tuple[int, ...]
    """Top left squares of the Wasabi! cards on the board, sorted."""
    kitchen: bytes
    """How many action cards are there, by number."""
    owed: bool
    """Whether this turn's tile has still to be placed."""
    extra: bool
    """Whether Spicy! still allows a second tile."""
    stacking: bool
    """Whether Stack! lets this turn's tile go on top of another."""
    played: int
    """The action card of this turn, or `NO_CARD`."""
    rewards: int
    """Action cards earned this turn and not yet taken."""
    passes: int
    """Turns passed in a row."""

    @property
    def untouched(self) -> bool:
        """Whether nothing has been done in Step 1 yet."""
        return self.owed and not self.changed and self.played == NO_CARD
