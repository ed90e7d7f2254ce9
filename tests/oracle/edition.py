"""The parts of an edition file that the oracle uses, for one number of players."""

import tomllib
from dataclasses import dataclass

from tests.oracle.alike import Action, action_with


@dataclass(frozen=True)
class Token:
    """The challenge tokens of one length that a player starts with."""

    count: int
    points: int
    style: int


@dataclass(frozen=True)
class Tile:
    """An ingredient: its number of tiles, and whether a starting hand may contain it."""

    category: str
    count: int
    starting: bool


@dataclass(frozen=True)
class Edition:
    """An edition. Tiles are numbered from 1 (`tiles[0]` is tile 1), action cards and recipes from 0."""

    players: int
    rows: int
    columns: int
    hand_tiles: int
    hand_recipes: int
    hand_cards: int
    tiles: tuple[Tile, ...]
    tokens: dict[int, Token]
    actions: tuple[Action, ...]
    strips: tuple[tuple[int, ...], ...]

    def action(self, effect: str) -> int | None:
        """Return the number of the card with this effect, if the edition has one."""
        return action_with(self.actions, effect)


def read(text: str, players: int) -> Edition:
    """Read the edition that this TOML text describes."""
    data = tomllib.loads(text)
    starting = {category["id"]: bool(category["starting_hand"]) for category in data["category"]}
    tiles = []
    number_of = {}
    for ingredient in data["ingredient"]:
        tiles.append(Tile(ingredient["category"], ingredient["count"], starting[ingredient["category"]]))
        number_of[ingredient["code"]] = len(tiles)
    strips = [tuple(number_of[code] for code in recipe["strip"].split()) for recipe in data["recipe"]]
    return Edition(
        players=players,
        rows=data["board"]["rows"],
        columns=data["board"]["columns"][str(players)],
        hand_tiles=data["hand"]["tiles"],
        hand_recipes=data["hand"]["recipes"],
        hand_cards=data["hand"]["cards"],
        tiles=tuple(tiles),
        tokens={token["length"]: Token(token["count"], token["points"], token["style"]) for token in data["token"]},
        actions=tuple(Action(action["effect"], action["count"][str(players)]) for action in data["action"]),
        strips=tuple(strips),
    )
