"""The recipe book as a page: every recipe with its tiles, the player's own marked, and who completed which."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from ...text.cells import cut, wrap
from ...view.table.book import BookRecipe, BookSection, BookTile, RecipeBook, find_tile, shows
from ..canvas import BOLD, STRIKE, Canvas, stacked
from .sheet import Means, Sheet

TWO_COLUMNS = 100
"""Fewest columns of a terminal for two sections side by side."""
WIDEST = 60
"""Most columns of a section: nobody reads tiles far away from the recipe's name."""


def paint_book(book: RecipeBook, cards: Sequence[str], means: Means, width: int, typed: str, room: int) -> Canvas:
    """Paint the whole book; the `typed` text picks recipes.

    The others recede, or give way if all of them take more rows than there is `room` for.
    """
    tile = find_tile(book, typed, means.texts.language)
    return _body(book, cards, means, width, typed, tile, room)


def _body(
    book: RecipeBook, cards: Sequence[str], means: Means, width: int, typed: str, tile: BookTile | None, room: int
) -> Canvas:
    """Paint everything that can be scrolled; if it does not fit, leave out recipes that do not match."""
    whole = _columns(book, means, width, typed, tile, hide=False)
    if typed.strip() and whole.height > room:
        whole = _columns(book, means, width, typed, tile, hide=True)
    parts = [_about(tile, means, width)] if tile is not None else []
    parts += [whole, _legend(book, means, width), _card_rows(cards, means, width)]
    return stacked(parts, width, means.paints["background"])


def _columns(book: RecipeBook, means: Means, width: int, typed: str, tile: BookTile | None, *, hide: bool) -> Canvas:
    side = 2 if width + 4 >= TWO_COLUMNS else 1
    column = min(WIDEST, (width - 4 * (side - 1)) // side)
    drawn = []
    for section in book.sections:
        wanted = [one for one in section.recipes if shows(one, typed, tile)]
        kept = wanted if hide else section.recipes
        if kept:
            drawn.append(_section(section, kept, means, column, frozenset(one.name for one in wanted)))
    heights = [0] * side
    places = []
    for number, canvas in enumerate(drawn):
        # Sections go in reading order, two and two.
        at = number % side
        places.append((canvas, at * (column + 4), heights[at]))
        heights[at] += canvas.height
    whole = Canvas(width, max([1, *heights]), means.paints["background"])
    for canvas, x, y in places:
        whole.paste(canvas, x, y)
    return whole


def _section(
    section: BookSection, recipes: Sequence[BookRecipe], means: Means, width: int, wanted: frozenset[str]
) -> Canvas:
    rows = [1 if _width(recipe, worth=section.points is None) <= width else 2 for recipe in recipes]
    sheet = Sheet(means, width, sum(rows) + 2)
    say = sheet.say
    title = say("book.length", length=section.length)
    if section.points is not None:
        title += f" · {say('worth.points', count=section.points)}"
    facts = [say("book.style", count=max(one.cubes for one in section.recipes))] if section.recipes[0].cubes else []
    facts += [say("book.tokens", count=section.tokens)] if section.tokens else []
    right = " · ".join(facts)
    sheet.title(0, title, right if cell_len(title) + cell_len(right) + 4 <= width else "")
    y = 1
    for recipe, deep in zip(recipes, rows, strict=True):
        _recipe(sheet, y, recipe, recipe.name in wanted, deep, worth=section.points is None)
        y += deep
    return sheet.canvas


def _width(recipe: BookRecipe, *, worth: bool) -> int:
    """Return the columns that a recipe needs in one row."""
    return cell_len(recipe.name) + 4 + len(recipe.by) + 4 * len(recipe.codes) + (13 if worth else 0)


def _recipe(sheet: Sheet, y: int, recipe: BookRecipe, wanted: bool, rows: int, *, worth: bool) -> None:
    """Paint a recipe: `▸Crunchy Tuna      2 Te Ma Tu`, with the tiles in a second row if there is no room."""
    top, y = y, y + rows - 1
    x = sheet.width
    for code in reversed(recipe.codes):
        x -= 4
        sheet.chip(x, y, code, code, faint=not wanted)
    x -= 1
    if worth:
        x = sheet.write_right(y, sheet.say("card.points", count=recipe.points), "points", end=x) - 1
        if recipe.card:
            x = sheet.write_right(y, sheet.say("book.card"), "accent", end=x) - 1
    for seat in reversed(recipe.by):
        x -= 1
        if sheet.paints.pixels:
            sheet.badge(x, y, str(seat), sheet.paints.seat(seat))
        else:
            sheet.write(x, y, str(seat), f"seat-{seat}", BOLD)
    token = "faint" if not wanted else "accent" if recipe.own else "muted" if recipe.by else "text"
    if recipe.own:
        sheet.write(0, top, "▸", "accent")
    x = sheet.width if rows > 1 else x
    weight = (BOLD if recipe.own else 0) | (STRIKE if recipe.by else 0)
    sheet.write(1, top, cut(recipe.name, max(1, x - 2)), token, weight)


def _about(tile: BookTile, means: Means, width: int) -> Canvas:
    """Paint the tile that was asked for, with its picture and where it is."""
    one = tile.ingredient
    picture = means.paints.pictures.middle.get(one.code) if means.paints.depth else None
    sheet = Sheet(means, width, 5 if picture is not None else 4)
    sheet.title(0, _whole_name(tile, means))
    x = 1
    if picture is not None:
        sheet.canvas.stamp(1, 2, picture)
        x = 3 + len(picture[0])
    sheet.write(x, 1, sheet.say("book.where", board=tile.board, pantry=tile.pantry), "text")
    sheet.write(x, 2, sheet.say("book.used", count=tile.used, done=tile.done), "muted")
    return sheet.canvas


def _whole_name(tile: BookTile, means: Means) -> str:
    """Return a tile's name with its Japanese name, where that can be shown."""
    japanese = "" if means.paints.ascii else tile.ingredient.japanese
    return f"{tile.ingredient.names[means.texts.language]} {japanese}".rstrip()


def _legend(book: RecipeBook, means: Means, width: int) -> Canvas:
    """Paint every tile with its code, name and Japanese name, category by category."""
    names = {tile.ingredient.code: _whole_name(tile, means) for tile in book.tiles}
    each = 7 + max(map(cell_len, names.values()))
    first = max(cell_len(name) for name, _ in book.categories) + 2
    across = max(1, (width - first) // each)
    rows = [-(-len(codes) // across) for _, codes in book.categories]
    sheet = Sheet(means, width, 2 + sum(rows))
    sheet.title(0, sheet.say("book.tiles"))
    y = 1
    for (category, codes), deep in zip(book.categories, rows, strict=True):
        sheet.write(0, y, category, "muted")
        for number, code in enumerate(codes):
            row, column = divmod(number, across)
            x = sheet.chip(first + column * each, y + row, code, code)
            sheet.write(x + 1, y + row, names[code], "text")
        y += deep
    return sheet.canvas


def _card_rows(cards: Sequence[str], means: Means, width: int) -> Canvas:
    """Paint the action cards with their effects."""
    rows = [row for words in cards for row in wrap(words, min(width, 96))]
    sheet = Sheet(means, width, len(rows) + 1)
    sheet.title(0, sheet.say("book.cards"))
    for y, row in enumerate(rows, 1):
        sheet.write(0, y, row)
    return sheet.canvas
