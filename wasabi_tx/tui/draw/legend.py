"""A legend with pictures: squares in every state, chips, cards and signs as they look at the table, each with words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...engine.edition import Edition
from ...text.cells import wrap
from ...view.table.table import HandCard
from ..canvas import BOLD, Canvas, stacked
from ..tiles import LARGE, SMALL_WIDE, Size, label_width
from ..views.board_view import GOLD, GREEN, BoardFrame, Square, ingredients
from ..widgets.table.hand import paint_card
from ..widgets.tall_picture import TallPicture
from .board import paint_board
from .sheet import Means, Sheet

ROOMY = 92
"""Fewest columns for pictures of tiles."""
GROUND = "background"
"""The colour of the page below."""
TWO = 64
"""Fewest columns for two pictures side by side."""


class Shown(NamedTuple):
    """A picture, and the sentence beside it."""

    picture: Canvas
    key: str


class LegendPicture(TallPicture[Edition]):
    """Paints what lies on the board of an edition and around it, each with a sentence."""

    def __init__(self, edition: Edition, keys: Mapping[str, str]) -> None:
        """Make the picture; the sentences name these `keys`."""
        super().__init__(edition)
        self._keys = keys

    def paint_tall(self, view: Edition, width: int) -> Canvas:
        means = Means(self.app.paints, self.app.texts, ingredients(view), {}, self._keys)
        return paint_legend(view, means, width)


def paint_legend(edition: Edition, means: Means, width: int) -> Canvas:
    """Paint the legend of the board and its surroundings; the sentences name the keys of `means`."""
    size = LARGE if width >= ROOMY and means.paints.depth else SMALL_WIDE
    columns = 2 if width >= TWO else 1
    title = Sheet(means, width, 1, GROUND)
    title.title(0, title.say("help.board"))
    shown = [*_squares(edition, means, size), *_cards(edition, means)]
    around = Sheet(means, width, 1, GROUND)
    around.title(0, around.say("help.signs"))
    ground = title.ground
    parts = [title.canvas, *_grid(shown, means, width, columns), around.canvas, *_signs(edition, means, width)]
    return stacked([*parts, Canvas(width, 1, ground)], width, ground)


def _grid(shown: Sequence[Shown], means: Means, width: int, columns: int) -> list[Canvas]:
    """Arrange pictures with their words in this number of columns."""
    each = width // columns
    rows = []
    for first in range(0, len(shown), columns):
        row = [_beside(one, means, each - 1) for one in shown[first : first + columns]]
        canvas = Canvas(width, max(one.height for one in row), means.paints[GROUND])
        for number, one in enumerate(row):
            canvas.paste(one, number * each, 0)
        rows.append(canvas)
    return rows


def _beside(shown: Shown, means: Means, width: int) -> Canvas:
    picture = shown.picture
    room = width - picture.width - 2
    words = wrap(means.texts.say(f"help.{shown.key}", **means.keys), room)
    sheet = Sheet(means, width, max(picture.height, len(words)), GROUND)
    sheet.canvas.paste(picture, 0, 0)
    top = max(0, (picture.height - len(words)) // 2)
    for y, line in enumerate(words, top):
        sheet.write(picture.width + 2, y, line)
    return sheet.canvas


def _squares(edition: Edition, means: Means, size: Size) -> list[Shown]:
    first, second, *_ = _examples(edition)
    tile, other = _look(means, first), _look(means, second)
    shown = [
        Shown(_square((tile,), means, size), "tile"),
        Shown(_square((Square(legal=True, cursor=False),), means, size), "legal"),
        Shown(_square((_look(means, first, ghost=True, cursor=True),), means, size, GREEN), "ghost"),
        Shown(_square((other,), means, size, GOLD, "6"), "line"),
        Shown(_square((_look(means, second, author=2),), means, size), "author"),
        Shown(_square((_look(means, first, below=(second,)),), means, size), "stack"),
    ]
    if any(action.effect == "wasabi" for action in edition.actions):
        four = (Square(cover="wasabi"),) * 4
        shown.append(Shown(_square(four, means, SMALL_WIDE, columns=2), "wasabi"))
    else:
        shown.append(Shown(_square((Square(cover="cup"),), means, size), "cup"))
    return shown


def _examples(edition: Edition) -> list[str]:
    """Return tiles to show; the common ones of the base come last."""
    return [one.code for one in sorted(edition.ingredients, key=lambda one: one.category == "base")]


def _look(
    means: Means, code: str, *, ghost: bool = False, cursor: bool = False, author: int = 0, below: tuple[str, ...] = ()
) -> Square:
    one, language = means.ingredients[code], means.texts.language
    return Square.of(one, language, below=below, author=author, cursor=cursor, ghost=ghost)


def _square(
    looks: tuple[Square, ...], means: Means, size: Size, frame: str = "", digit: str = "", columns: int = 1
) -> Canvas:
    """Paint squares without the board's letters and numbers, with the gaps in which a frame is drawn."""
    paints = means.paints
    frames = [BoardFrame((0,), frame, digit)] if frame else []
    board = paint_board(looks, columns, size, paints, frames)
    left = label_width(size)
    picture = Canvas(board.width - left + 1, board.height, paints[GROUND])
    picture.paste(board, 1 - left, 0)
    # Only the frame is left in the row of letters, and in the column of numbers.
    picture.blank(0, 0, picture.width, 1)
    picture.blank(0, 1, 1, picture.height - 1)
    if not frame:
        picture.ground(0, 0, picture.width, 1, paints[GROUND])
    elif paints.pixels:
        picture.fill(0, 0, picture.width, 1, paints[GROUND])
    return picture


def _cards(edition: Edition, means: Means) -> list[Shown]:
    """Paint an action card on paper."""
    one = edition.actions[0]
    name = one.names[means.texts.language].partition(" (")[0]
    sheet = Sheet(means, 12, 5, GROUND)
    paint_card(sheet, 0, 0, HandCard(4, one.code, name, means.texts.say(f"does.{one.effect}")), 11, 5)
    return [Shown(sheet.canvas, "card")]


def _signs(edition: Edition, means: Means, width: int) -> list[Canvas]:
    """Paint chips and signs, one a row."""
    first, second, *_ = _examples(edition)
    say = means.texts.say
    rows: list[Canvas] = []

    def row(key: str, sheet: Sheet, end: int) -> None:
        x = max(end + 2, 12)
        lines = wrap(say(f"help.{key}", **means.keys), width - x)
        tall = Sheet(means, width, len(lines), GROUND)
        tall.canvas.paste(sheet.canvas, 0, 0)
        for y, line in enumerate(lines):
            tall.write(x, y, line)
        rows.append(tall.canvas)

    def one_row() -> Sheet:
        return Sheet(means, width, 1, GROUND)

    sheet = one_row()
    row("laid", sheet, sheet.chip(0, 0, first))
    sheet = one_row()
    row("needed", sheet, sheet.chip(0, 0, second, needed=True))
    if edition.hand_tiles:
        sheet = one_row()
        row("in-hand", sheet, sheet.chip(0, 0, second, needed=True, key="1"))
    sheet = one_row()
    row("cube", sheet, sheet.write(0, 0, "2■", "accent", BOLD))
    if edition.tokens:
        sheet = one_row()
        row("tokens", sheet, sheet.write(sheet.write(0, 0, "●●", "points"), 0, "○○", "faint"))
    sheet = one_row()
    row("leader", sheet, sheet.write(sheet.write(0, 0, "17", "points", BOLD), 0, "▴", "points"))
    sheet = one_row()
    row("wanted", sheet, sheet.write(0, 0, "▸", "text", BOLD))
    return rows
