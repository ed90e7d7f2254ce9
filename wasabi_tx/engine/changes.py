"""Changes of the board in one turn: tiles laid, lifted and exchanged, and the squares that therefore count as changed.

A square is changed if the tile that it shows was laid this turn, or was not there at the start of it. So what
is undone leaves nothing changed: two equal tiles exchanged, a tile stacked and lifted again.
"""

from __future__ import annotations

from .board import TILE_BITS, TILE_MASK
from .position import Position


def begin_changes(after: Position) -> None:
    """Fills into a fresh copy that a turn begins: nothing is changed yet."""
    after.changed = 0
    after.laid = ()
    after.before = after.board.stacks


def forget_changes(after: Position) -> None:
    """Fills into a fresh copy that no recipe can be completed any more this turn."""
    after.changed = 0
    after.laid = ()


def lay(after: Position, square: int, tile: int) -> None:
    """Fills into a fresh copy that a tile is laid on a square, on top of what is there."""
    board, laid = after.board, after.laid
    after.board = board.with_stack(square, board.stacks[square] << TILE_BITS | tile)
    after.laid = tuple(sorted((*laid, square))) if laid else (square,)
    after.changed |= 1 << square


def lift(after: Position, square: int) -> int:
    """Fills into a fresh copy that the top tile of a square is taken away, and returns the tile."""
    board, laid = after.board, after.laid
    stack = board.stacks[square]
    after.board = board.with_stack(square, stack >> TILE_BITS)
    if square in laid:
        index = laid.index(square)
        after.laid = laid[:index] + laid[index + 1 :]
    _compare(after, square)
    return stack & TILE_MASK


def exchange(after: Position, one: int, other: int) -> None:
    """Fills into a fresh copy that two squares exchange all that they hold."""
    after.board = after.board.with_exchanged(one, other)
    turned = {one: other, other: one}
    after.laid = tuple(sorted([turned.get(square, square) for square in after.laid]))
    _compare(after, one)
    _compare(after, other)


def find_changed(position: Position) -> int:
    """The changed squares, one bit each, worked out again from what is on the board."""
    pairs = enumerate(zip(position.board.stacks, position.before, strict=True))
    differing = (square for square, (now, then) in pairs if (now ^ then) & TILE_MASK)
    return sum(1 << square for square in {*position.laid, *differing})


def _compare(after: Position, square: int) -> None:
    """Finds out whether the square still counts as changed."""
    if (after.board.stacks[square] ^ after.before[square]) & TILE_MASK or square in after.laid:
        after.changed |= 1 << square
    else:
        after.changed &= ~(1 << square)
