"""A sample of what a theme looks like: a corner of a board, recipes, chips, and tiles for every kind of eyes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...app.colour import DEFICIENCIES, linear, seen_with
from ...engine.edition import Edition
from ...text.marks import mark
from ...turn.recipe_card import RecipeCard, RecipeChip
from ..canvas import BOLD, Canvas
from ..tiles import LARGE, SMALL_WIDE, Size
from ..views.board_view import GOLD, GREEN, BoardFrame, Square
from ..widgets.table.recipes import paint_recipes
from .board import paint_board
from .sheet import Means, Sheet

SQUARES = (
    "Sc", "Av", "", "Eg",
    "+", "+", "Sa", "",
    "Te", "Ma", "Tu", "Cu",
    "", "Ri", "", "Oc",
)  # fmt: skip
"""Tiles by code; what is held may go to those with a plus."""
COLUMNS, HELD, LINE = 4, 10, (8, 9, 10)
"""The square over which a tile is held, and the line that it would complete."""
NEAR, OPEN = "crunchy-tuna", "yellow-submarine"
"""Recipes of the sample."""
EYES = ("Tu", "Sa", "Ye", "Ee", "Sh", "Cr", "Av", "Cu", "Ca", "Eg")
ROOMY = (76, 30)
"""The smallest size of tiles with pictures."""


class Sample(NamedTuple):
    """The contents of the sample, whatever the theme."""

    edition: Edition
    means: Means


def paint_sample(sample: Sample, width: int, height: int) -> Canvas:
    """Paint as much of the sample as there is room for, the board first."""
    means = sample.means
    sheet = Sheet(means, width, height)
    large = width >= ROOMY[0] and height >= ROOMY[1]
    size = LARGE if large else SMALL_WIDE
    board = _board(sample, size)
    sheet.canvas.paste(board, 1, 0)
    cards = _cards(sample)
    if large:
        right = width - board.width - 4
        sheet.canvas.paste(paint_recipes(cards, means, right, 11, "card"), board.width + 3, 0)
        _chips(sheet, board.width + 3, 12, sample, right)
        y = board.height + 1
    else:
        y = board.height + 1
        sheet.canvas.paste(paint_recipes(cards, means, width - 2, 5, "two"), 1, y)
        y += 6
    _eyes(sheet, y)
    return sheet.canvas


def _board(sample: Sample, size: Size) -> Canvas:
    paints = sample.means.paints
    looks = [_look(sample, code, square == HELD) for square, code in enumerate(SQUARES)]
    frames = [BoardFrame(LINE, GOLD, "6"), BoardFrame((HELD,), GREEN)]
    return paint_board(looks, COLUMNS, size, paints, frames)


def _look(sample: Sample, code: str, held: bool) -> Square:
    one = sample.means.ingredients.get(code)
    if one is None:
        return Square(legal=code == "+")
    return Square.of(one, sample.means.texts.language, ghost=held)


def _cards(sample: Sample) -> tuple[RecipeCard, RecipeCard]:
    texts = sample.means.texts
    recipes = {one.id: one for one in sample.edition.recipes}

    def card(key: int, name: str, laid: int, state: str, status: str, short: str) -> RecipeCard:
        recipe = recipes[name]
        codes = [sample.edition.ingredients[tile - 1].code for tile in recipe.strip.tiles]
        chips = tuple(RecipeChip(code, number < laid, 0) for number, code in enumerate(codes))
        return RecipeCard(
            key, recipe.names[texts.language], recipe.points, recipe.style, "", True, chips, state, status, short
        )

    opening = texts.say("card.opening", tile=sample.means.name("Tu"), square="c3")
    return (
        card(6, NEAR, 2, "near", mark("points", opening), "Tu c3!"),
        card(7, OPEN, 0, "open", mark("muted", texts.say("card.not-begun")), texts.say("card.not-begun").lower()),
    )


def _chips(sheet: Sheet, x: int, y: int, sample: Sample, width: int) -> None:
    """Paint every tile of the edition as a chip with its code."""
    at = x
    for code in sample.means.ingredients:
        if at + 4 > x + width:
            at, y = x, y + 1
        at = sheet.chip(at, y, code, code) + 1


def _eyes(sheet: Sheet, y: int) -> None:
    """Paint the same tiles as people with different colour vision see them."""
    if not sheet.paints.pixels or y + 4 > sheet.height:
        return
    sheet.write(1, y, sheet.say("themes.eyes"), "text", BOLD)
    kinds: tuple[tuple[str, Callable[[int], int]], ...] = (
        ("themes.typical", lambda colour: colour),
        ("themes.red-green", lambda colour: _simulated("deuteranopia", colour)),
        ("themes.grey", _grey),
    )
    labels = [sheet.say(key) for key, _ in kinds]
    left = 3 + max(map(len, labels))
    for row, ((_, seen), label) in enumerate(zip(kinds, labels, strict=True), y + 1):
        sheet.write(1, row, label, "muted")
        x = left
        for code in EYES:
            paint = sheet.tile(code)
            if x + 4 <= sheet.width:
                ground = seen(paint.ground)
                x = sheet.canvas.text(x, row, f" {code} ", sheet.paints.ink_on(ground), BOLD, ground) + 1


def _simulated(eyes: str, colour: int) -> int:
    assert eyes in DEFICIENCIES
    return _number(seen_with(eyes, linear(f"#{colour:06x}")))


def _grey(colour: int) -> int:
    red, green, blue = linear(f"#{colour:06x}")
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return _number((light, light, light))


def _number(light: tuple[float, float, float]) -> int:
    """Convert linear light to a colour."""
    red, green, blue = (_channel(min(1.0, max(0.0, one))) for one in light)
    return red << 16 | green << 8 | blue


def _channel(value: float) -> int:
    return round(255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))
