"""Changes to the board during one turn: tiles laid, lifted and exchanged, and the squares that count as changed.

A square has changed if it shows a tile laid this turn, also one that was exchanged to it, or another tile than when
the turn began. What is undone changes nothing: a tile stacked and lifted again, or an exchange of two equal tiles that
lay there before.
"""

from __future__ import annotations

from .board import TILE_BITS, TILE_MASK
from .position import Position


def begin_changes(after: Position) -> None:
    """Record in a fresh copy that a turn begins and nothing has changed yet."""
    after.changed = 0
    after.laid = ()
    after.before = after.board.stacks


def forget_changes(after: Position) -> None:
    """Record in a fresh copy that no more recipes can be completed this turn."""
    after.changed = 0
    after.laid = ()


def lay(after: Position, square: int, tile: int) -> None:
    """Lay a tile on top of a square, in a fresh copy."""
    board, laid = after.board, after.laid
    after.board = board.with_stack(square, board.stacks[square] << TILE_BITS | tile)
    after.laid = tuple(sorted((*laid, square))) if laid else (square,)
    after.changed |= 1 << square


def lift(after: Position, square: int) -> int:
    """Remove the top tile of a square, in a fresh copy, and return the tile."""
    board, laid = after.board, after.laid
    stack = board.stacks[square]
    after.board = board.with_stack(square, stack >> TILE_BITS)
    if square in laid:
        index = laid.index(square)
        after.laid = laid[:index] + laid[index + 1 :]
    _compare(after, square)
    return stack & TILE_MASK


def exchange(after: Position, one: int, other: int) -> None:
    """Exchange the whole contents of two squares, in a fresh copy."""
    after.board = after.board.with_exchanged(one, other)
    turned = {one: other, other: one}
    after.laid = tuple(sorted([turned.get(square, square) for square in after.laid]))
    _compare(after, one)
    _compare(after, other)


def find_changed(position: Position) -> int:
    """Return the changed squares, one bit each, computed afresh from the board."""
    pairs = enumerate(zip(position.board.stacks, position.before, strict=True))
    differing = (square for square, (now, then) in pairs if (now ^ then) & TILE_MASK)
    return sum(1 << square for square in {*position.laid, *differing})


def _compare(after: Position, square: int) -> None:
    """Update whether the square counts as changed."""
    if (after.board.stacks[square] ^ after.before[square]) & TILE_MASK or square in after.laid:
        after.changed |= 1 << square
    else:
        after.changed &= ~(1 << square)
