"""The recipes in our hand as cards: name, worth, tiles, and what each still needs, in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rich.cells import cell_len
from textual.message import Message

from ....text.cells import cut
from ....text.foreign import clean
from ....text.marks import pieces_of
from ....turn.recipe_card import RecipeCard
from ....view.press import PickNumber, Press
from ....view.table.table import DeckView
from ...canvas import BOLD, STRIKE, Canvas, mix
from ...draw.board import square_canvas
from ...draw.sheet import Means, Sheet, fits
from ...tiles import LARGE
from ...views.board_view import Square
from ...views.panel_views import RecipesView
from .completed import paint_completed, recipes_title
from .panel import TablePanel

ROWS = {"picture": 8, "card": 5, "two": 2, "line": 1}
"""Rows that one recipe takes, the gap below it included."""
LEAST_ROWS = {"picture": 24, "card": 15, "two": 7}
"""Rows of a panel in which recipes are shown like this."""
ROOMY = 50
"""Columns above which the worth of a recipe is written out."""
SHADOW = 0.6
"""The share by which the picture of a missing tile fades."""


class Recipes(TablePanel[RecipesView]):
    """Shows the recipes of the person here; each can be picked. A watcher sees what everybody has completed."""

    LEAST = (26, 3)

    class Picked(Message):
        """Posted when a recipe is clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def paint(self, view: RecipesView, width: int, height: int) -> Canvas:
        style = style_for(height, pixels=self.app.paints.pixels)
        # A lower panel has one for the decks beside it.
        decks = view.decks if style in ("picture", "card") else ()
        if not view.cards and style != "line":
            return paint_completed(view.completed, self.means, width, height, decks)
        return paint_recipes(view.cards, self.means, width, height, style, decks, view.won)

    def press(self, press: Press) -> None:
        if isinstance(press, PickNumber):
            self.post_message(self.Picked(press.number))


def style_for(height: int, *, pixels: bool) -> str:
    """Return how each of three recipes is shown in this many rows."""
    styles = ("picture", "card", "two") if pixels else ("card", "two")
    return next((style for style in styles if height >= LEAST_ROWS[style]), "line")


def paint_recipes(
    cards: Sequence[RecipeCard],
    means: Means,
    width: int,
    height: int,
    style: str,
    decks: Sequence[DeckView] = (),
    won: int = 0,
) -> Canvas:
    """Paint all recipes below their title; `style` says how much room each has, `won` which was just completed."""
    sheet = Sheet(means, width, height)
    y = 0
    if style != "line":
        recipes_title(sheet, "panel.recipes", decks)
        y = 1
    rows = ROWS[style] - (1 if style in ("picture", "card") else 0)
    for card in cards:
        if y >= height:
            break
        if card.key == won:
            _won(sheet, y, card, rows)
        elif style == "line":
            _line(sheet, y, card)
        elif style == "two":
            _two(sheet, y, card)
        else:
            sheet.canvas.paste(_card(card, means, width, rows), 0, y)
        sheet.canvas.click(0, y, width, rows, PickNumber(card.key))
        y += ROWS[style]
    return sheet.canvas


def _won(sheet: Sheet, y: int, card: RecipeCard, rows: int) -> None:
    """Paint a recipe all in gold while it is celebrated."""
    paints = sheet.paints
    gold = paints["points-shape"]
    ink = paints.ink_on(gold) if paints.pixels else paints["points"]
    sheet.canvas.ground(0, y, sheet.width, rows, gold if paints.pixels else sheet.ground)
    words = sheet.say("card.won")
    at = sheet.width - cell_len(words) - 1
    sheet.canvas.text(2 if rows > 2 else 0, y, cut(f"✓ {clean(card.name)}", at - 3), ink, BOLD)
    sheet.canvas.text(at, y, words, ink, BOLD)
    if rows > 2:
        _chips(sheet, 2, y + 1, card, sheet.width - 3, gold, edge=True)
        sheet.canvas.text(2, y + rows - 1, card.short, ink)
    elif rows == 2:
        _chips_short(sheet, 2, y + 1, card, gold)


def _ground(sheet: Sheet, card: RecipeCard) -> int:
    paints = sheet.paints
    if card.state in ("ready", "near") and paints.pixels:
        return mix(paints["surface"], paints["points-shape"], 0.18)
    return paints["panel"] if card.state != "empty" else paints["background"]


def _badge(sheet: Sheet, x: int, y: int, card: RecipeCard) -> int:
    paints = sheet.paints
    gold = card.state in ("ready", "near")
    ground = paints["points-shape"] if gold else mix(paints["muted"], paints["background"], 0.35)
    if not paints.pixels:
        return sheet.write(x, y, str(card.key), "accent", BOLD)
    return sheet.badge(x, y, str(card.key), ground)


def _head(sheet: Sheet, x: int, y: int, card: RecipeCard, end: int) -> None:
    """Write number, name and worth of a recipe."""
    x = _badge(sheet, x, y, card) + 1
    if not card.name:
        sheet.pieces(x, y, pieces_of(card.status or sheet.say("card.empty")))
        return
    stop = _worth(sheet, y, card, end)
    strike = STRIKE if card.state in ("done", "leaving") else 0
    sheet.write(x, y, cut(clean(card.name), stop - x - 1), "text", BOLD | strike)


def _worth(sheet: Sheet, y: int, card: RecipeCard, end: int) -> int:
    """Write `5 pts +2■` at the right; return the column where it begins."""
    x = end
    roomy = sheet.width > ROOMY
    if card.cubes:
        token = "accent" if card.styled else "faint"
        if roomy:
            x = sheet.write_right(y, sheet.say("card.style"), token if card.styled else "faint", end=x) - 1
        x = sheet.write_right(y, f"+{card.cubes}■", token, BOLD if card.styled else 0, end=x) - 1
    elif card.card:
        x = sheet.write_right(y, card.card, "accent", end=x) - 1
    points = sheet.say("worth.points" if roomy else "card.points", count=card.points)
    return sheet.write_right(y, points, "points", BOLD, end=x)


def _chips(sheet: Sheet, x: int, y: int, card: RecipeCard, width: int, ground: int, edge: bool) -> int:
    """Write the tiles in the printed order, by name if they fit, else by code; return the column after them."""
    names = [sheet.means.name(chip.code) for chip in card.chips]
    room = sum(cell_len(name) + 3 + (1 if chip.key else 0) for name, chip in zip(names, card.chips, strict=True))
    for name, chip in zip(names, card.chips, strict=True):
        words = name if room <= width else chip.code
        key = str(chip.key) if chip.key else ""
        x = sheet.chip(x, y, chip.code, words, needed=not chip.laid, edge=edge, key=key, panel=ground) + 1
    return x


@lru_cache(maxsize=64)
def _card(card: RecipeCard, means: Means, width: int, rows: int) -> Canvas:
    """Paint a recipe on a ground of its own with a bar at the left, with pictures where there is room."""
    sheet = Sheet(means, width, rows)
    ground = _ground(sheet, card)
    sheet.canvas.ground(0, 0, width, rows, ground)
    bar = sheet.paints["points-shape"] if card.state in ("ready", "near") else sheet.paints["line"]
    for row in range(rows):
        sheet.canvas.text(0, row, "▌", bar, ground=ground)
    _head(sheet, 2, 0, card, width - 1)
    if rows > LARGE.height and sheet.paints.pixels and len(card.chips) * LARGE.width <= width - 2:
        _tiles(sheet, 2, 1, card, ground)
    else:
        _chips(sheet, 2, 1, card, width - 3, ground, edge=True)
    if card.name:
        pieces = pieces_of(card.status)
        if not fits(pieces, width - 3):
            pieces = pieces_of(_sentence(card.short))
        sheet.pieces(2, rows - 1, pieces)
    return sheet.canvas


def _sentence(words: str) -> str:
    """Capitalize words as a sentence, unless they begin with a square."""
    return words if words[1:2].isdigit() else words[:1].upper() + words[1:]


def _tiles(sheet: Sheet, x: int, y: int, card: RecipeCard, ground: int) -> None:
    """Paint the tiles in the printed order with their pictures; missing ones are shadows."""
    language = sheet.texts.language
    band = LARGE.height - 2 if sheet.paints.depth else (LARGE.height - 1) // 2
    for chip in card.chips:
        look = Square.of(sheet.means.ingredients[chip.code], language)
        tile = Canvas(LARGE.width, LARGE.height, ground)
        tile.paste(square_canvas(look, LARGE, sheet.paints, ground), 0, 0)
        if not chip.laid:
            # Its name is still read.
            shade, name = sheet.needed(chip.code, ground), tile.words(band)
            tile.fade(ground, SHADOW)
            tile.ground(0, band, LARGE.width - 1, 1, shade.ground)
            tile.text(0, band, name, shade.ink)
        sheet.canvas.paste(tile, x, y)
        if chip.key:
            sheet.badge(x, y, str(chip.key), sheet.paints["accent-shape"])
        x += LARGE.width


def _two(sheet: Sheet, y: int, card: RecipeCard) -> None:
    ground = _ground(sheet, card)
    sheet.canvas.ground(0, y, sheet.width, 2, ground)
    _head(sheet, 0, y, card, sheet.width)
    if not card.name:
        return
    x = _chips_short(sheet, 2, y + 1, card, ground)
    token = {"ready": "points", "near": "points", "dead": "error", "done": "accent"}.get(card.state, "text")
    words = cut(card.short, sheet.width - x - 1)
    sheet.write_right(y + 1, words, token, BOLD if token == "points" else 0)


def _chips_short(sheet: Sheet, x: int, y: int, card: RecipeCard, ground: int) -> int:
    tight = 5 * len(card.chips) > sheet.width - 16
    for chip in card.chips:
        key = str(chip.key) if chip.key else ""
        x = sheet.chip(x - (1 if key else 0), y, chip.code, chip.code, needed=not chip.laid, key=key, panel=ground)
        x += 0 if tight else 1
    return x


def _line(sheet: Sheet, y: int, card: RecipeCard) -> None:
    """Write a recipe for the smallest terminals: `7 Traffic Light  Tu Sa Ye Ri   c4 +7!`."""
    x = _badge(sheet, 0, y, card) + 1
    if not card.name:
        sheet.pieces(x, y, pieces_of(card.status))
        return
    codes = sum(3 for _ in card.chips)
    token = {"ready": "points", "near": "points", "dead": "error"}.get(card.state, "muted")
    stop = sheet.write_right(y, card.short, token)
    room = stop - x - codes - 1
    sheet.write(x, y, cut(clean(card.name), room), "text", BOLD)
    x += max(0, room) + 1
    for chip in card.chips:
        paint = sheet.tile(chip.code)
        if chip.laid:
            sheet.canvas.text(x, y, chip.code, paint.ink, BOLD | paint.attributes, paint.ground)
        else:
            sheet.write(x, y, chip.code, "faint")
        x += 3
