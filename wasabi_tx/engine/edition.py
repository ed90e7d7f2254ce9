"""An edition: every number and card of one version of the game, as data.

`read_edition` takes the text of an edition file and either returns an `Edition` that the rules can play or raises an
`EditionError` that lists every problem with its place in the file.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .board import Strip
from .errors import Malformed
from .translations import Names


@dataclass(frozen=True)
class Category:
    id: str
    names: Names
    starting_hand: bool


@dataclass(frozen=True)
class Ingredient:
    code: str
    category: str
    count: int
    emoji: str
    names: Names
    japanese: str = ""
    """The text on the back of the tile, if the edition gives it."""
    short: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Shorter names by language, longest first, for tiles too small for the full name."""


@dataclass(frozen=True)
class Token:
    """The challenge tokens of one length: how many each player has, the points of each, and the cubes for style."""

    length: int
    count: int
    points: int
    style: int


@dataclass(frozen=True)
class Action:
    code: str
    effect: str
    counts: dict[int, int]
    """The number of copies in the game, by number of players."""
    names: Names
    texts: Names


@dataclass(frozen=True)
class DeckBack:
    """The cubes that drawing a card of one length gives to the drawer and to the pool."""

    length: int
    gain: int
    pool: int


@dataclass(frozen=True)
class Setup:
    """The second edition's setup: open action cards, pool, first recipes, cups, wasabi, and the longest game."""

    display: int
    pool: int
    recipes: tuple[int, ...]
    cups: dict[int, tuple[str, ...]]
    wasabi: dict[int, tuple[int, ...]]
    """Cubes that each player starts with, from the first player on, by number of players."""
    final_turns_after: int


@dataclass(frozen=True)
class Recipe:
    id: str
    strip: Strip
    names: Names
    points: int
    style: int
    """Cubes for completing the strip in its exact order."""

    @property
    def length(self) -> int:
        return len(self.strip.tiles)


@dataclass(frozen=True)
class Edition:
    """All data of one edition. Tiles are numbered from 1 in the order of the file; recipes and actions from 0."""

    id: str
    rules: str
    names: Names
    rows: int
    columns: dict[int, int]
    """The width of the play area, by number of players."""
    hand_tiles: int
    hand_recipes: int
    hand_cards: int
    categories: tuple[Category, ...]
    ingredients: tuple[Ingredient, ...]
    tokens: tuple[Token, ...]
    actions: tuple[Action, ...]
    decks: tuple[DeckBack, ...]
    setup: Setup | None
    recipes: tuple[Recipe, ...]
    ours: dict[str, frozenset[str]] = field(repr=False, compare=False)
    """The keys whose values no rulebook prints, by table, such as `board`, `token 2` or `recipe tekkamaki`."""
    text: str = field(repr=False, compare=False)
    """The text of the file, so that another process can read the same edition."""

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        return tuple(sorted({recipe.length for recipe in self.recipes}))

    @cached_property
    def tile_numbers(self) -> dict[str, int]:
        return {ingredient.code: number for number, ingredient in enumerate(self.ingredients, 1)}

    @cached_property
    def action_numbers(self) -> dict[str, int]:
        return {action.code: number for number, action in enumerate(self.actions)}

    @cached_property
    def recipe_numbers(self) -> dict[str, int]:
        return {recipe.id: number for number, recipe in enumerate(self.recipes)}

    @cached_property
    def _by_length(self) -> dict[int, tuple[int, ...]]:
        lengths = self.lengths
        return {one: tuple(n for n, recipe in enumerate(self.recipes) if recipe.length == one) for one in lengths}

    def deck_faces(self, length: int) -> tuple[int, ...]:
        """Return the recipes of one length, by number."""
        return self._by_length.get(length, ())

    @cached_property
    def hash(self) -> str:
        return hashlib.sha256(b"wasabi edition 1\n" + self.canonical.encode()).hexdigest()

    @cached_property
    def canonical(self) -> str:
        """The fields that the rules use and no others, so that a corrected spelling keeps editions compatible."""
        played = {
            "actions": [[a.code, a.effect, sorted(a.counts.items())] for a in self.actions],
            "board": [self.rows, sorted(self.columns.items())],
            "categories": [[c.id, c.starting_hand] for c in self.categories],
            "decks": [[d.length, d.gain, d.pool] for d in self.decks],
            "hand": [self.hand_tiles, self.hand_recipes, self.hand_cards],
            "ingredients": [[i.code, i.category, i.count] for i in self.ingredients],
            "recipes": [[r.id, list(r.strip.tiles), r.points, r.style] for r in self.recipes],
            "rules": self.rules,
            "setup": _setup_list(self.setup),
            "tokens": [[t.length, t.count, t.points, t.style] for t in self.tokens],
        }
        return json.dumps(played, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _setup_list(setup: Setup | None) -> list[object]:
    if setup is None:
        return []
    cups = sorted((players, list(squares)) for players, squares in setup.cups.items())
    wasabi = sorted((players, list(cubes)) for players, cubes in setup.wasabi.items())
    return [setup.display, setup.pool, list(setup.recipes), cups, wasabi, setup.final_turns_after]


class Problem(NamedTuple):
    """One problem in an edition file: its place, its kind and the offending value."""

    where: str
    code: str
    found: str = ""


class EditionError(Malformed):
    """An edition file that cannot be played; `problems` lists every problem found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        first = problems[0]
        super().__init__("edition", where=first.where, problem=first.code, found=first.found)
        self.problems = problems

    def __reduce__(self) -> tuple[object, ...]:
        return EditionError, (self.problems,)
