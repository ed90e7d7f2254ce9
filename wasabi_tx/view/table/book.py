"""The recipe book of an edition as one seat sees it: what it holds, who completed what, which recipes use a tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...engine.board import TILE_MASK
from ...engine.edition import Ingredient
from ...engine.observe import Observation
from ...engine.rules import AnyRules
from ...text import Texts
from ..editions import sight_of


@dataclass(frozen=True)
class BookRecipe:
    name: str
    codes: tuple[str, ...]
    points: int
    cubes: int
    """Additional worth with style."""
    card: bool
    """True if completing it gives an action card, where not every recipe does."""
    own: bool
    by: tuple[int, ...]
    """The seats, from 1, that completed it."""


@dataclass(frozen=True)
class BookSection:
    length: int
    tokens: int
    """The number that one player can complete; 0 without a limit."""
    recipes: tuple[BookRecipe, ...]

    @property
    def points(self) -> int | None:
        """The points of each of these recipes; None if they differ."""
        values = {recipe.points for recipe in self.recipes}
        return values.pop() if len(values) == 1 else None


@dataclass(frozen=True)
class BookTile:
    """One ingredient, and where its tiles are."""

    ingredient: Ingredient
    board: int
    pantry: int
    used: int
    done: int
    """The number of recipes that use it, and of completed ones among them."""


@dataclass(frozen=True)
class RecipeBook:
    edition: str
    sections: tuple[BookSection, ...]
    tiles: tuple[BookTile, ...]
    categories: tuple[tuple[str, tuple[str, ...]], ...]
    """Their names, each with the codes of its tiles."""


def book_of(observation: Observation, texts: Texts) -> RecipeBook:
    rules, position = observation.rules, observation.position
    by: dict[int, list[int]] = {}
    for number, seat in enumerate(position.seats, 1):
        for claimed in seat.claimed:
            by.setdefault(claimed.recipe, []).append(number)
    hand = () if observation.seat is None else position.seats[observation.seat].recipes
    own = {observation.faces[card] for card in hand if card in observation.faces}
    tokens = {token.length: token.count for token in rules.edition.tokens}
    sections = []
    for length in rules.edition.lengths:
        found = [
            BookRecipe(
                name=recipe.names[texts.language],
                codes=tuple(rules.code(tile) for tile in recipe.strip.tiles),
                points=recipe.points,
                cubes=recipe.style,
                card=sight_of(rules).gives_card(recipe),
                own=number in own,
                by=tuple(by.get(number, ())),
            )
            for number, recipe in enumerate(rules.edition.recipes)
            if recipe.length == length
        ]
        sections.append(BookSection(length, tokens.get(length, 0), tuple(sorted(found, key=lambda one: one.name))))
    categories = tuple(
        (
            category.names[texts.language],
            tuple(one.code for one in rules.edition.ingredients if one.category == category.id),
        )
        for category in rules.edition.categories
    )
    tiles = _tiles(observation, rules, sections)
    return RecipeBook(rules.edition.names[texts.language], tuple(sections), tiles, categories)


def _tiles(observation: Observation, rules: AnyRules, sections: Sequence[BookSection]) -> tuple[BookTile, ...]:
    position = observation.position
    tops = [stack & TILE_MASK for stack in position.board.stacks]
    recipes = [recipe for section in sections for recipe in section.recipes]
    found = []
    for tile, one in enumerate(rules.edition.ingredients, 1):
        using = [recipe for recipe in recipes if one.code in recipe.codes]
        done = sum(bool(recipe.by) for recipe in using)
        found.append(BookTile(one, tops.count(tile), position.pantry[tile], len(using), done))
    return tuple(found)


def find_tile(book: RecipeBook, text: str, language: str) -> BookTile | None:
    """Return the tile with this code, or the only one whose name begins with this text."""
    wanted = text.strip().lower()
    if not wanted:
        return None
    for tile in book.tiles:
        if tile.ingredient.code.lower() == wanted:
            return tile
    named = [tile for tile in book.tiles if tile.ingredient.names[language].lower().startswith(wanted)]
    return named[0] if len(named) == 1 else None


def shows(recipe: BookRecipe, text: str, tile: BookTile | None) -> bool:
    """Return True if a recipe matches the filter: it needs the tile, or has the text in its name."""
    if not text.strip():
        return True
    return text.strip().lower() in recipe.name.lower() if tile is None else tile.ingredient.code in recipe.codes
