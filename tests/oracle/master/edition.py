"""The parts of a second-edition file that the oracle uses, for one number of players."""

import tomllib
from dataclasses import dataclass

from tests.oracle.alike import Action, Square, action_with


@dataclass(frozen=True)
class Recipe:
    """A strip of tile numbers in its printed order, its value, its style bonus."""

    strip: tuple[int, ...]
    value: int
    style: int


@dataclass(frozen=True)
class Back:
    """The back of a recipe: cubes for its drawer, cubes for the pool."""

    gain: int
    pool: int


@dataclass(frozen=True)
class Edition:
    """An edition. Tiles are numbered from 1 (`tiles[0]` is the count of tile 1), action cards and recipes from 0."""

    players: int
    rows: int
    columns: int
    hand_recipes: int
    hand_cards: int
    display: int
    pool: int
    first_recipes: tuple[int, ...]
    cups: tuple[Square, ...]
    wasabi: tuple[int, ...]
    last_turn: int
    tiles: tuple[int, ...]
    actions: tuple[Action, ...]
    backs: dict[int, Back]
    recipes: tuple[Recipe, ...]

    @property
    def strips(self) -> tuple[tuple[int, ...], ...]:
        """Return the strips of all recipes, by recipe number."""
        return tuple(recipe.strip for recipe in self.recipes)

    def action(self, effect: str) -> int | None:
        """Return the number of the card with this effect, if the edition has one."""
        return action_with(self.actions, effect)


def read(text: str, players: int) -> Edition:
    """Read the edition that this TOML text describes."""
    data = tomllib.loads(text)
    tile_of = {}
    for number, ingredient in enumerate(data["ingredient"], start=1):
        tile_of[ingredient["code"]] = number
    recipes = []
    for recipe in data["recipe"]:
        strip = tuple(tile_of[code] for code in recipe["strip"].split())
        recipes.append(Recipe(strip, recipe["value"], recipe["style"]))
    return Edition(
        players=players,
        rows=data["board"]["rows"],
        columns=data["board"]["columns"][str(players)],
        hand_recipes=data["hand"]["recipes"],
        hand_cards=data["hand"]["cards"],
        display=data["setup"]["display"],
        pool=data["setup"]["pool"],
        first_recipes=tuple(data["setup"]["recipes"]),
        cups=tuple(_square(name) for name in data["setup"]["cups"][str(players)]),
        wasabi=tuple(data["setup"].get("wasabi", {}).get(str(players), [0] * players)),
        last_turn=data["setup"]["final_turns_after"] * players,
        tiles=tuple(ingredient["count"] for ingredient in data["ingredient"]),
        actions=tuple(Action(action["effect"], action["count"]) for action in data["action"]),
        backs={deck["length"]: Back(deck["gain"], deck["pool"]) for deck in data["deck"]},
        recipes=tuple(recipes),
    )


def _square(name: str) -> Square:
    """Return the square called `b2`: column letter, then row number from 1."""
    return int(name[1:]) - 1, ord(name[0]) - ord("a")
