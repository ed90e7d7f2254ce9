"""The shape of a table: the largest tiles that leave room for the rest, and which panels there is room for.

`table.tcss` places the panels by the classes of the shape.
"""

from __future__ import annotations

from typing import NamedTuple

from ...tiles import HUGE, LARGE, MIDDLE, SMALL, SMALL_WIDE, TINY, Size, label_width

LEAST_WIDTH, LEAST_HEIGHT = 40, 15
SECTIONS = ("board", "pantry", "log")
"""The sections that the smallest shape shows in turn."""
RIGHT = 45
"""Columns that cards and players need beside a board with pictures."""
WIDEST = 90
"""Most columns beside a board: nobody reads a recipe's worth far away from its name."""
PANTRY = 35
"""Columns of a pantry with its chips side by side."""
BESIDE_HAND = 73
"""Fewest columns of a board for the kitchen beside the hand."""
LEAST_RACE = 8
"""Fewest rows of a useful score race."""
STORY = 8
"""Rows of a story that leaves room for other panels."""
LEAST_COMPLETED = 6
"""Rows below which there is no place for what everybody has completed."""
BESIDE = {"huge": 37, "large": 31, "small": 13, "tiny": 0}
"""Rows that everything beside a board needs, however few rows of squares that has."""


class Room(NamedTuple):
    """The terminal, and what of a game decides how a table fits into it."""

    width: int
    height: int
    columns: int
    rows: int
    seats: int
    hand: bool
    """True if tiles are held."""


class Shape(NamedTuple):
    name: str
    """`huge`, `large`, `small` or `tiny`."""
    tiles: Size
    classes: frozenset[str]
    """The classes that `table.tcss` knows."""
    kitchen: str = ""
    """The neighbour of the kitchen: `hand` or `pantry`, or `below` for a row of its own."""
    deep: int = 1
    """Rows of each player."""
    most: int = 99
    """Rows of all players."""
    fits: bool = True
    """True if the terminal is large enough for any table."""


def choose_shape(room: Room) -> Shape:
    """Return the largest shape that fits."""
    width, height = room.width, room.height
    if width >= max(190, _wide(HUGE, room) + 90) and height >= _beside(HUGE, "huge", room) + 12:
        return _huge(room)
    if width >= _wide(LARGE, room) + 2 + RIGHT and height >= _beside(LARGE, "large", room) + 9:
        return _large(room)
    for size in (MIDDLE, SMALL_WIDE, SMALL):
        if width >= max(80, _wide(size, room) + 36) and height >= _beside(size, "small", room) + 11:
            return _small(size, room)
    fits = width >= LEAST_WIDTH and height >= LEAST_HEIGHT
    return Shape("tiny", TINY, frozenset({"-tiny"} if fits else {"-tiny", "-too-small"}), most=5, fits=fits)


def _wide(size: Size, room: Room) -> int:
    return label_width(size) + room.columns * size.width


def _beside(size: Size, name: str, room: Room) -> int:
    """Return the rows of a board and of the panels beside it."""
    return max(1 + room.rows * size.height, BESIDE[name])


def _named(name: str, room: Room, **classes: bool) -> frozenset[str]:
    chosen = {f"-{one.replace('_', '-')}" for one, given in classes.items() if given}
    return frozenset({f"-{name}", "-hand" if room.hand else "-no-hand", *chosen})


def _huge(room: Room) -> Shape:
    more = room.height - 4 - _beside(HUGE, "huge", room) - 1 - 8
    classes = _named("huge", room, high_bar=True, race=True, tight=more < 0, completed=more > LEAST_COMPLETED)
    return Shape("huge", HUGE, classes, "side" if room.hand else "hand", deep=3)


def _large(room: Room) -> Shape:
    wide, below = _wide(LARGE, room), _beside(LARGE, "large", room) + 1
    right = min(room.width - wide - 3, WIDEST)
    # The bar gets higher where this costs nothing else its place.
    spare = room.height - 2 - below - 6
    high = 3 <= spare <= LEAST_RACE or spare > LEAST_RACE + 2
    foot = room.height - (4 if high else 2)
    story = max(3, max(below, foot - 6) - 18 - 2 * room.seats - 2)
    kitchen = "hand"
    if room.hand and wide < BESIDE_HAND:
        kitchen = "pantry" if right >= PANTRY + 17 else "below"
    classes = _named(
        "large", room, high_bar=high, race=foot - below - 7 >= LEAST_RACE,
        completed=not room.hand and story > STORY + LEAST_COMPLETED + 1,
    )  # fmt: skip
    beside = {f"-kitchen-by-{kitchen}"} if room.hand else set()
    return Shape("large", LARGE, classes | beside, kitchen, deep=2)


def _small(size: Size, room: Room) -> Shape:
    beside = _beside(size, "small", room)
    race = room.height - 2 - (beside + 7) - 2 * room.seats - 1
    classes = _named(
        "small", room, high_bar=LEAST_RACE > race > 1, race=race >= LEAST_RACE, narrow_board=_wide(size, room) < 44
    )
    # Beside a higher board each player has two rows, and the signs are explained.
    deep = 2 if beside - 8 >= 1 + 2 * room.seats else 1
    return Shape("small", size, classes, "hand" if not room.hand else "piles", deep, beside - 8)
