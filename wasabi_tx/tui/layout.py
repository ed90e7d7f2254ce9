"""The layout of the table: which size of tile fits, and where each panel lies, chosen by the size of the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .draw.board_frame import label_width
from .tiles import HUGE, LARGE, MIDDLE, SMALL, SMALL_WIDE, TINY, Size

LEAST_WIDTH, LEAST_HEIGHT = 40, 15
RIGHT = 45
"""Columns that cards and players need beside a board with pictures."""
WIDEST = 90
"""Columns beside a board: further from its name nobody reads what a recipe is worth."""
PANTRY = 35
"""Columns of a pantry with its chips side by side."""
LEAST_RACE, RACE = 8, 100
"""Rows below which the score race tells nothing, and its columns at most."""
STORY = 8
"""Rows of a story that leaves some to others."""
LEAST_COMPLETED = 6
"""Rows below which there is no place for what everybody has completed."""
BESIDE = {"huge": 37, "large": 31, "small": 13}
"""Rows that everything beside a board needs, however few rows of squares that has."""
KITCHEN_AT = 28
"""The column of the cards to take, where they lie beside the own ones."""
SECTIONS = ("board", "pantry", "log")
"""What the smallest layout shows in turn."""


class Rect(NamedTuple):
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Layout:
    tiles: Size
    name: str
    """`huge`, `large`, `small` or `tiny`."""
    recipes: str
    """How each recipe is shown: as a card with `picture`s or with chips, in `two` rows or in a `line`."""
    rects: Mapping[str, Rect] = field(default_factory=dict)
    player_rows: int = 1


def choose_layout(
    width: int, height: int, columns: int, rows: int, seats: int, hand: bool, section: str
) -> Layout | None:
    """The largest layout that fits; None if not even the smallest does. `hand`: whether tiles are held."""
    board = {size: Rect(0, 1, label_width(size) + columns * size.width, 1 + rows * size.height) for size in _SIZES}
    if width >= max(190, board[HUGE].width + 90) and height >= _beside(board[HUGE], "huge") + 12:
        return _huge(width, height, board[HUGE], seats, hand)
    if width >= board[LARGE].width + 2 + RIGHT and height >= _beside(board[LARGE], "large") + 9:
        return _large(width, height, board[LARGE], seats, hand)
    for size in (MIDDLE, SMALL_WIDE, SMALL):
        if width >= max(80, board[size].width + 36) and height >= _beside(board[size], "small") + 11:
            return _small(width, height, size, board[size], seats, hand)
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return None
    return _tiny(width, height, board[TINY], seats, section)


_SIZES = (HUGE, LARGE, MIDDLE, SMALL_WIDE, SMALL, TINY)


def _beside(board: Rect, name: str) -> int:
    """Rows of a board and of what lies beside it."""
    return max(board.height, BESIDE[name])


def _huge(width: int, height: int, board: Rect, seats: int, hand: bool) -> Layout:
    below = _beside(board, "huge") + 1
    # Rows that are left over go to what lies beside the board, and the pantry goes down.
    foot = height - 4
    more = max(0, foot - below - 8)
    pantry = below + more
    first = board.width + 2
    under = min(75, first - 5)
    middle = min(56, (width - first) * 4 // 7)
    second = first + middle + 2
    right = width - second - 1
    players = 1 + 3 * seats
    # The race has what players, kitchen and talk leave between them; cards to take lie beside the own ones.
    talk = 4
    end = pantry - 12 if hand else pantry - 6
    race = min(16 + more if hand else 22 + more, end - players - 3)
    rects = {
        "header": Rect(0, 0, width, 1),
        "board": board,
        "recipes": Rect(first, 1, middle, 24),
        "asked": Rect(first, 25, middle, 1),
        "story": Rect(first, 26, middle, pantry - 27),
        "players": Rect(second, 1, right, players + 1),
        "race": Rect(second, players + 2, right, race),
        "kitchen": Rect(second, players + race + 3, right, 7) if hand else Rect(30, below, under - 27, 7),
        "talk": Rect(second, pantry - talk - 1, right, talk),
        "hand": Rect(3, below, under if hand else 26, 7),
        "pantry": Rect(80, pantry, width - 81, 7),
        "bar": Rect(0, foot, width, 3),
        "keys": Rect(0, height - 1, width, 1),
    }
    if more > LEAST_COMPLETED:
        rects["completed"] = Rect(3, below + 8, under, more - 1)
    return Layout(HUGE, "huge", "picture", rects, 3)


def _large(width: int, height: int, board: Rect, seats: int, hand: bool) -> Layout:
    below = _beside(board, "large") + 1
    left = board.width + 2
    right = min(width - left - 1, WIDEST)
    players = 1 + 2 * seats
    top = 17 + players
    # The bar gets higher where this costs nothing else its place.
    spare = height - 2 - below - 6
    bar = 3 if 3 <= spare <= LEAST_RACE or spare > LEAST_RACE + 2 else 1
    foot = height - 1 - bar
    rects = {
        "header": Rect(0, 0, width, 1),
        "board": board,
        "recipes": Rect(left, 1, right, 15),
        "asked": Rect(left, 16, right, 1),
        "players": Rect(left, 17, right, players + 1),
        "bar": Rect(0, foot, width, bar),
        "keys": Rect(0, height - 1, width, 1),
    }
    if hand:
        story = top + 6
        rects["pantry"] = Rect(left, top + 1, right, 5)
        rects["hand"] = Rect(3, below, board.width - 3, 6)
        if board.width >= 73:
            rects["hand"] = Rect(3, below, 56, 6)
            rects["kitchen"] = Rect(59, below, 15, 6)
        elif right >= PANTRY + 17:
            story = top + 7
            rects["pantry"] = Rect(left, top + 1, right - 17, 5)
            rects["kitchen"] = Rect(left + right - 15, top + 1, 15, 6)
        else:
            story = top + 7
            rects["kitchen"] = Rect(left, top + 6, right, 1)
        rects["story"] = Rect(left, story, right, foot - story)
    else:
        pantry = max(below, foot - 6)
        story = max(3, pantry - top - 2)
        if story > STORY + LEAST_COMPLETED + 1:
            rects["completed"] = Rect(left, top + 2 + STORY, right, story - STORY - 1)
            story = STORY
        rects["story"] = Rect(left, top + 1, right, story)
        rects["pantry"] = Rect(left, pantry, right, min(foot - pantry, 6))
        rects["hand"] = Rect(3, below, 24, 6)
        rects["kitchen"] = Rect(28, below, board.width - 28, 6)
    if foot - below - 7 >= LEAST_RACE:
        rects["race"] = Rect(3, below + 7, board.width - 4, foot - below - 8)
    return Layout(LARGE, "large", "card", rects, 2)


def _small(width: int, height: int, size: Size, board: Rect, seats: int, hand: bool) -> Layout:
    left = board.width if board.width >= 44 else board.width + 1
    right = min(width - left, WIDEST)
    below = _beside(board, "small") + 2
    # Beside a higher board each player has two rows, and the signs are explained.
    beside = below - 10
    rows = 2 if beside >= 1 + 2 * seats else 1
    top = below + 5
    story = height - 2 - top
    race = story - 2 * seats - 1
    bar = 3 if LEAST_RACE > race > 1 else 1
    rects = {
        "header": Rect(0, 0, width, 1),
        "board": board,
        "recipes": Rect(left, 1, right, 7),
        "players": Rect(left, 9, right, 1 + seats if rows == 1 else min(beside, 2 + 2 * seats)),
        "asked": Rect(0, below - 1, width, 1),
        "hand": Rect(0, below, width if hand else KITCHEN_AT, 2),
        "pantry": Rect(0, below + 2, width, 2),
        "kitchen": Rect(0, below + 4, 45, 1) if hand else Rect(KITCHEN_AT, below, width - KITCHEN_AT, 2),
        "decks": Rect(46 if hand else 0, below + 4, width - (46 if hand else 0), 1),
        "story": Rect(0, top, width, story + 1 - bar),
        "bar": Rect(0, height - 1 - bar, width, bar),
        "keys": Rect(0, height - 1, width, 1),
    }
    if race >= LEAST_RACE:
        rects["story"] = Rect(0, top, width, 2 * seats)
        rects["race"] = Rect(0, top + 2 * seats + 1, min(width, RACE), race - 1)
    return Layout(size, "small", "two", rects, rows)


def guided(layout: Layout, width: int, height: int) -> Layout:
    """The same layout with room for the guide of a lesson, which tells what others would read in the story."""
    rects = dict(layout.rects)
    story = rects.pop("story", None)
    if layout.name == "small":
        rects.pop("race", None)
    if layout.name == "tiny":
        for name in ("bar", "keys"):
            del rects[name]
        rects["guide"] = Rect(0, height - 4, width, 4)
    elif layout.name == "small":
        rects.pop("asked")
        for name in ("hand", "pantry", "kitchen", "decks"):
            rects[name] = rects[name]._replace(y=rects[name].y - 1)
        top = rects["decks"].y + 1
        rects["guide"] = Rect(0, top, width, rects["bar"].y - top)
    elif story is not None:
        rects["guide"] = story
    return replace(layout, rects=rects)


def _tiny(width: int, height: int, board: Rect, seats: int, section: str) -> Layout:
    side = board.width + 1
    rest = width - side - 1
    rects = {
        "header": Rect(0, 0, width, 1),
        "bar": Rect(0, height - 3, width, 2),
        "keys": Rect(0, height - 1, width, 1),
    }
    if section == "pantry":
        rects |= {
            "pantry": Rect(0, 1, width, height - 6),
            "kitchen": Rect(0, height - 5, width, 1),
            "decks": Rect(0, height - 4, width, 1),
        }
        return Layout(TINY, "tiny", "line", rects)
    if section == "log":
        return Layout(TINY, "tiny", "line", rects | {"story": Rect(0, 1, width, height - 4)})
    below = max(board.y + board.height, 8)
    rects |= {
        "board": board,
        "players": Rect(side, 1, rest, seats),
        "hand": Rect(side, 6, rest, 2),
        "recipes": Rect(0, below, width, 3),
        "story": Rect(0, below + 3, width, height - below - 6),
    }
    return Layout(TINY, "tiny", "line", rects)
