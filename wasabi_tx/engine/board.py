"""The board: stacks of tiles on squares, and matching the top tiles against recipes.

A square is an int with five bits per tile, the top tile lowest, so 0 is an empty square and a single tile is its own
number (ingredients count from 1 here). `packed` holds the top tile of each square as a multiset of at most one: three
bits per ingredient, 0 where nothing can be matched. A window contains a recipe exactly if its sum equals the recipe's:
one comparison.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from itertools import compress
from typing import NamedTuple

from .geometry import Geometry
from .value import Value

TILE_BITS = 5
TILE_MASK = 31
MAX_INGREDIENTS = TILE_MASK
MOST_SQUARES = 64
"""The most squares a board may have: sets of squares are written in this many bits."""


def pack(tile: int) -> int:
    """Return the multiset that contains this one tile, or the empty one for 0."""
    return 1 << 3 * (tile - 1) if tile else 0


_SQUARES = tuple(range(MOST_SQUARES))
PACKED = tuple(pack(tile) for tile in range(TILE_MASK + 1))


def stack_tiles(stack: int) -> tuple[int, ...]:
    """Return the tiles of a square from bottom to top."""
    tiles = []
    while stack:
        tiles.append(stack & TILE_MASK)
        stack >>= TILE_BITS
    return tuple(reversed(tiles))


class Board(Value):
    """The squares of the play area; a blocked one (under a card or a cup) is neither free nor matched."""

    __slots__ = ("_empty", "_encoded", "blocked", "free", "packed", "stacks")

    stacks: list[int]
    packed: list[int]
    free: list[int]
    """True where a tile may be placed: empty and not blocked. Selecting steps by square is fastest with this list."""
    blocked: list[int]
    """The blocked squares, sorted."""
    _empty: list[int] | None
    """See `empty`."""
    _encoded: bytes | None
    """See `canonical`."""

    @property
    def empty(self) -> list[int]:
        """The squares where a tile may be placed, in order; computed once and then carried from board to board."""
        found = self._empty
        if found is None:
            found = self._empty = list(compress(_SQUARES, self.free))
        return found

    def with_stack(self, square: int, stack: int) -> Board:
        """Return a copy with another stack on one square, which must not be blocked."""
        board = Board()
        board._empty = board._encoded = None
        board.stacks = stacks = self.stacks.copy()
        board.packed = packed = self.packed.copy()
        board.free = free = self.free.copy()
        stacks[square] = stack
        packed[square] = PACKED[stack & TILE_MASK]
        board.blocked = self.blocked
        empty = self._empty
        if empty is not None and stack and free[square]:
            board._empty = empty = empty.copy()
            empty.remove(square)
        free[square] = not stack
        return board

    def with_exchanged(self, one: int, other: int) -> Board:
        """Return a copy in which two squares have exchanged their stacks and whatever blocks them."""
        stacks = self.stacks.copy()
        stacks[one], stacks[other] = stacks[other], stacks[one]
        exchanged = {one: other, other: one}
        return make_board(stacks, [exchanged.get(square, square) for square in self.blocked])

    def with_block_moved(self, source: int, target: int) -> Board:
        """Return a copy in which the block on one empty square has moved to another, free one."""
        board = Board()
        board._empty = board._encoded = None
        board.stacks, board.packed = self.stacks, self.packed
        board.free = free = self.free.copy()
        free[source], free[target] = True, False
        board.blocked = blocked = self.blocked.copy()
        blocked.remove(source)
        insort(blocked, target)
        empty = self._empty
        if empty is not None:
            board._empty = empty = empty.copy()
            empty.remove(target)
            insort(empty, source)
        return board

    def with_blocked(self, blocked: Iterable[int]) -> Board:
        return make_board(self.stacks, blocked)

    @property
    def full(self) -> bool:
        return not any(self.free)


def make_board(stacks: list[int], blocked: Iterable[int] = ()) -> Board:
    board = Board()
    board._empty = board._encoded = None
    board.blocked = squares = sorted(blocked)
    board.stacks = stacks
    board.packed = [0 if square in squares else PACKED[stack & TILE_MASK] for square, stack in enumerate(stacks)]
    board.free = [not stack and square not in squares for square, stack in enumerate(stacks)]
    return board


class Strip(NamedTuple):
    """The part of a recipe that is matched against the board."""

    tiles: tuple[int, ...]
    packed: int
    members: int
    """Like `packed`, with each ingredient once: shares a bit with every tile of the strip and with no other."""


def make_strip(tiles: tuple[int, ...]) -> Strip:
    return Strip(tiles, sum(PACKED[tile] for tile in tiles), sum(PACKED[tile] for tile in set(tiles)))


class Match(NamedTuple):
    window: slice
    styled: bool


def lying(board: Board, changed: int) -> int:
    """Return the tiles on the changed squares, one bit each; a strip with none of them cannot match."""
    packed = board.packed
    found = 0
    while changed:
        square = changed.bit_length() - 1
        changed ^= 1 << square
        found |= packed[square]
    return found


def find_match(grid: Geometry, board: Board, changed: int, strip: Strip) -> Match | None:
    """Return the best window for the strip through a changed square, preferring one in the strip's own order."""
    tiles, wanted, members = strip
    every = members * 7
    packed = board.packed
    windows = grid.windows[len(tiles)]
    best = None
    while changed:
        lowest = changed & -changed
        changed ^= lowest
        square = lowest.bit_length() - 1
        if not packed[square] & members:
            continue
        # Most tiles have no neighbour that the strip needs, so no window through them can match.
        if not sum(grid.beside[square](packed)) & every:
            continue
        for window in windows[square]:
            if sum(packed[window]) == wanted:
                tops = tuple([stack & TILE_MASK for stack in board.stacks[window]])
                if tops == tiles or tops[::-1] == tiles:
                    return Match(window, True)
                best = best or Match(window, False)
    return best
