"""Read an edition from the text of its file and find every problem in it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from .board import MAX_INGREDIENTS, Strip, make_strip
from .edition import (
    Action,
    Category,
    DeckBack,
    Edition,
    EditionError,
    Ingredient,
    Problem,
    Recipe,
    Setup,
    Token,
)
from .toml_text import BadToml, read_toml
from .translations import ENGLISH, Names

MAX_SEALED_CARDS = 130
MAX_ROWS = 256
"""More rows than any edition needs in any table; a longer list is not read at all."""
MOST_PROBLEMS = 50
LONGEST_JAPANESE = 8
MOST_WASABI = 20
"""The most cubes that a player may start with."""
_NAMED_BY = {
    "category": "id", "ingredient": "code", "token": "length", "action": "code", "deck": "length", "recipe": "id",
}  # fmt: skip
"""The lists of tables, each with the key that identifies its tables."""
_CODE = re.compile(r"[A-Z][a-z]", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2,3}", re.ASCII)
_SLUG = re.compile(r"(?=.{1,40}\Z)[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)


def read_edition(text: str) -> Edition:
    """Return the edition that the text describes; raise an `EditionError` that lists every problem."""
    try:
        raw = read_toml(text)
    except BadToml as error:
        raise EditionError((Problem("file", "toml", str(error.line)),)) from None
    reader = _Reader()
    edition = reader.edition(reader.as_printed(raw) if "as_printed" in raw else raw, text)
    if not reader.problems:
        reader.problems += _contradictions(edition)
    if reader.problems:
        raise EditionError(tuple(reader.problems[:MOST_PROBLEMS]))
    return edition


class _Reader:
    """Reads values of each kind from raw TOML; a bad value is recorded as a problem and replaced by a harmless one."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def fault(self, where: str, code: str, found: object = "") -> None:
        self.problems.append(Problem(where, code, str(found)[:60]))

    def number(self, raw: Mapping[str, object], key: str, where: str, low: int, high: int) -> int:
        value = raw.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            shown = "…" if isinstance(value, int) and abs(value) > 10**20 else repr(value)
            self.fault(f"{where}.{key}", "number", f"{shown}, {low} to {high}")
            return low
        return value

    def word(self, raw: Mapping[str, object], key: str, where: str, shape: re.Pattern[str]) -> str:
        value = raw.get(key)
        if not isinstance(value, str) or not shape.fullmatch(value):
            self.fault(f"{where}.{key}", "word", repr(value))
            return ""
        return value

    def names(self, raw: Mapping[str, object], key: str, where: str, longest: int = 20) -> Names:
        """Read one text by language; only English is required."""
        value = raw.get(key)
        texts = {ENGLISH: value.get(ENGLISH), **value} if isinstance(value, dict) else {ENGLISH: None}
        names = Names()
        for language, name in texts.items():
            if not _LANGUAGE.fullmatch(language):
                self.fault(f"{where}.{key}", "word", repr(language))
                continue
            if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > longest:
                self.fault(f"{where}.{key}.{language}", "name", repr(name))
                name = ""
            names[language] = name
        return names

    def rows(self, raw: Mapping[str, object], key: str) -> Sequence[Mapping[str, object]]:
        value = raw.get(key, [])
        if not isinstance(value, list) or len(value) > MAX_ROWS or not all(isinstance(row, dict) for row in value):
            self.fault(key, "table-list")
            return []
        return value

    def table(self, raw: Mapping[str, object], key: str) -> Mapping[str, object]:
        value = raw.get(key)
        if not isinstance(value, dict):
            self.fault(key, "table")
            return {}
        return value

    def by_players(self, raw: Mapping[str, object], key: str, where: str, low: int, high: int) -> dict[int, int]:
        """Read a number for each number of players; a single number applies to all of them."""
        value = raw.get(key)
        if isinstance(value, int):
            value = {str(players): value for players in (2, 3, 4)}
        if not isinstance(value, dict) or set(value) != {"2", "3", "4"}:
            self.fault(f"{where}.{key}", "by-players", repr(value))
            return {2: low, 3: low, 4: low}
        return {int(players): self.number(value, players, f"{where}.{key}", low, high) for players in value}

    def as_printed(self, raw: Mapping[str, object]) -> Mapping[str, object]:
        """Return the file's values with those of its table `printed` in the place of the ones that were changed."""
        found = dict(raw)
        for key, value in self.table(raw, "printed").items():
            earlier = raw.get(key)
            found[key] = {**earlier, **value} if isinstance(earlier, dict) and isinstance(value, dict) else value
        return found

    def edition(self, raw: Mapping[str, object], text: str) -> Edition:
        board, hand = self.table(raw, "board"), self.table(raw, "hand")
        ingredients = tuple(self.ingredient(row, n) for n, row in enumerate(self.rows(raw, "ingredient"), 1))
        if not 1 <= len(ingredients) <= MAX_INGREDIENTS:
            self.fault("ingredient", "too-many-ingredients", len(ingredients))
        numbers = {ingredient.code: min(n, MAX_INGREDIENTS) for n, ingredient in enumerate(ingredients, 1)}
        tokens = tuple(self.token(row, n) for n, row in enumerate(self.rows(raw, "token"), 1))
        return Edition(
            id=self.word(raw, "id", "file", _SLUG),
            rules=self.word(raw, "rules", "file", _SLUG),
            names=self.names(raw, "name", "file", 40),
            rows=self.number(board, "rows", "board", 3, 12),
            columns=self.by_players(board, "columns", "board", 3, 12),
            hand_tiles=self.number(hand, "tiles", "hand", 0, 6),
            hand_recipes=self.number(hand, "recipes", "hand", 1, 6),
            hand_cards=self.number(hand, "cards", "hand", 1, 6),
            categories=tuple(self.category(row, n) for n, row in enumerate(self.rows(raw, "category"), 1)),
            ingredients=ingredients,
            tokens=tokens,
            actions=tuple(self.action(row, n) for n, row in enumerate(self.rows(raw, "action"), 1)),
            decks=tuple(self.deck(row, n) for n, row in enumerate(self.rows(raw, "deck"), 1)),
            setup=self.setup(self.table(raw, "setup")) if "setup" in raw else None,
            recipes=tuple(self.recipe(row, n, numbers, tokens) for n, row in enumerate(self.rows(raw, "recipe"), 1)),
            ours=self.marks(raw),
            text=text,
        )

    def marks(self, raw: Mapping[str, object]) -> dict[str, frozenset[str]]:
        """Return the keys that each table lists under the optional key `ours`."""
        alone = [(name, value) for name in ("board", "hand", "setup") if isinstance(value := raw.get(name), dict)]
        rows = [(f"{kind} {row.get(key)}", row) for kind, key in _NAMED_BY.items() for row in self.rows(raw, kind)]
        return {where: self.keys(table, where) for where, table in (*alone, *rows)}

    def keys(self, table: Mapping[str, object], where: str) -> frozenset[str]:
        """Return the keys of the table that its list `ours` names."""
        value = table.get("ours", [])
        if not isinstance(value, list) or not all(isinstance(key, str) and key in table for key in value):
            self.fault(f"{where}.ours", "keys", repr(value))
            return frozenset()
        return frozenset(value)

    def category(self, raw: Mapping[str, object], n: int) -> Category:
        where = f"category {n}"
        starting = raw.get("starting_hand", False)
        if not isinstance(starting, bool):
            self.fault(f"{where}.starting_hand", "boolean", repr(starting))
        return Category(self.word(raw, "id", where, _SLUG), self.names(raw, "name", where), starting is True)

    def ingredient(self, raw: Mapping[str, object], n: int) -> Ingredient:
        code = self.word(raw, "code", f"ingredient {n}", _CODE)
        where = f"ingredient {n} ({code})"
        emoji = raw.get("emoji")
        if not isinstance(emoji, str) or len(emoji) != 1 or unicodedata.east_asian_width(emoji) != "W":
            self.fault(f"{where}.emoji", "emoji", repr(emoji))
            emoji = ""
        category = self.word(raw, "category", where, _SLUG)
        count, names = self.number(raw, "count", where, 1, 30), self.names(raw, "name", where)
        japanese = raw.get("japanese", "")
        if not isinstance(japanese, str) or not japanese.isprintable() or len(japanese) > LONGEST_JAPANESE:
            self.fault(f"{where}.japanese", "name", repr(japanese))
            japanese = ""
        return Ingredient(code, category, count, emoji, names, japanese, self.short_names(raw, where))

    def short_names(self, raw: Mapping[str, object], where: str) -> dict[str, tuple[str, ...]]:
        """Read the optional names for places with little room."""
        found = {}
        table = self.table(raw, "short") if "short" in raw else {}
        for language, names in table.items():
            if (
                not _LANGUAGE.fullmatch(language)
                or not isinstance(names, list)
                or not all(isinstance(name, str) and name.isprintable() and 0 < len(name) <= 20 for name in names)
            ):
                self.fault(f"{where}.short.{language}", "name", repr(names))
                continue
            found[language] = tuple(names)
        return found

    def token(self, raw: Mapping[str, object], n: int) -> Token:
        where = f"token {n}"
        return Token(
            self.number(raw, "length", where, 2, 5),
            self.number(raw, "count", where, 1, 20),
            self.number(raw, "points", where, 0, 50),
            self.number(raw, "style", where, 0, 20),
        )

    def action(self, raw: Mapping[str, object], n: int) -> Action:
        code = self.word(raw, "code", f"action {n}", _CODE)
        where = f"action {n} ({code})"
        return Action(
            code,
            self.word(raw, "effect", where, _SLUG),
            self.by_players(raw, "count", where, 0, 10),
            self.names(raw, "name", where),
            self.names(raw, "text", where, 400),
        )

    def deck(self, raw: Mapping[str, object], n: int) -> DeckBack:
        where = f"deck {n}"
        return DeckBack(
            self.number(raw, "length", where, 2, 5),
            self.number(raw, "gain", where, 0, 20),
            self.number(raw, "pool", where, 0, 20),
        )

    def setup(self, raw: Mapping[str, object]) -> Setup:
        lengths = raw.get("recipes")
        if not isinstance(lengths, list) or not all(isinstance(n, int) and 2 <= n <= 5 for n in lengths):
            self.fault("setup.recipes", "lengths", repr(lengths))
            lengths = []
        cups = raw.get("cups")
        if not isinstance(cups, dict) or set(cups) != {"2", "3", "4"}:
            self.fault("setup.cups", "by-players", repr(cups))
            cups = {}
        for players, squares in cups.items():
            if not isinstance(squares, list) or not all(isinstance(square, str) for square in squares):
                self.fault(f"setup.cups.{players}", "squares", repr(squares))
                cups = {}
                break
        return Setup(
            self.number(raw, "display", "setup", 1, 6),
            self.number(raw, "pool", "setup", 0, 20),
            tuple(lengths),
            {int(players): tuple(squares) for players, squares in cups.items()},
            self.starting_wasabi(raw),
            self.number(raw, "final_turns_after", "setup", 1, 1000),
        )

    def starting_wasabi(self, raw: Mapping[str, object]) -> dict[int, tuple[int, ...]]:
        """Read each player's starting cubes, by number of players; the default is none."""
        none = {players: (0,) * players for players in (2, 3, 4)}
        value = raw.get("wasabi", {str(players): list(cubes) for players, cubes in none.items()})
        if not isinstance(value, dict) or set(value) != {"2", "3", "4"}:
            self.fault("setup.wasabi", "by-players", repr(value))
            return none
        for players, cubes in value.items():
            listed = isinstance(cubes, list) and len(cubes) == int(players)
            if not listed or not all(type(one) is int and 0 <= one <= MOST_WASABI for one in cubes):
                self.fault(f"setup.wasabi.{players}", "numbers", repr(cubes))
                return none
        return {int(players): tuple(cubes) for players, cubes in value.items()}

    def recipe(self, raw: Mapping[str, object], n: int, numbers: Mapping[str, int], tokens: Sequence[Token]) -> Recipe:
        slug = self.word(raw, "id", f"recipe {n}", _SLUG)
        where = f"recipe {n} ({slug})"
        strip = raw.get("strip")
        codes = strip.split() if isinstance(strip, str) else []
        if not 2 <= len(codes) <= 5:
            self.fault(f"{where}.strip", "strip", repr(strip))
        unknown = [code for code in codes if code not in numbers]
        if unknown:
            self.fault(f"{where}.strip", "unknown-code", unknown[0])
            codes = []
        worth = {token.length: token for token in tokens}.get(len(codes))
        if tokens:
            points, style = (worth.points, worth.style) if worth else (0, 0)
            if worth is None and codes:
                self.fault(f"{where}.strip", "no-token", len(codes))
        else:
            points = self.number(raw, "value", where, 0, 50)
            style = self.number(raw, "style", where, 0, 20)
        tiles: Strip = make_strip(tuple(numbers[code] for code in codes))
        return Recipe(slug, tiles, self.names(raw, "name", where), points, style)


def _contradictions(edition: Edition) -> list[Problem]:
    """Return the problems that appear only when individually valid values are combined."""
    problems = [
        *_repeated("category", [c.id for c in edition.categories]),
        *_repeated("code", [i.code for i in edition.ingredients] + [a.code for a in edition.actions]),
        *_repeated("effect", [a.effect for a in edition.actions]),
        *_repeated("token length", [str(t.length) for t in edition.tokens]),
        *_repeated("deck length", [str(d.length) for d in edition.decks]),
        *_repeated("recipe", [r.id for r in edition.recipes]),
    ]
    known = {category.id for category in edition.categories}
    problems += [
        Problem(f"ingredient ({i.code}).category", "unknown-category", i.category)
        for i in edition.ingredients
        if i.category not in known
    ]
    if not edition.recipes:
        problems.append(Problem("recipe", "no-recipes"))
    sealed = len(edition.recipes) + (max(sum(a.counts[4] for a in edition.actions), 0) if edition.setup else 0)
    if sealed > MAX_SEALED_CARDS:
        problems.append(Problem("recipe", "too-many-cards", str(sealed)))
    counts = {number: i.count for number, i in enumerate(edition.ingredients, 1)}
    same: dict[int, str] = {}
    for recipe in edition.recipes:
        for tile, needed in Counter(recipe.strip.tiles).items():
            if needed > counts[tile]:
                code = edition.ingredients[tile - 1].code
                problems.append(Problem(f"recipe ({recipe.id})", "too-few-tiles", f"{code} x{needed}"))
        if recipe.strip.packed in same:
            problems.append(Problem(f"recipe ({recipe.id})", "same-recipe", same[recipe.strip.packed]))
        same.setdefault(recipe.strip.packed, recipe.id)
        if recipe.length > max(edition.rows, min(edition.columns.values())):
            problems.append(Problem(f"recipe ({recipe.id})", "too-long-for-board", str(recipe.length)))
    return problems


def _repeated(what: str, words: list[str]) -> list[Problem]:
    return [Problem(what, "twice", word) for word, times in Counter(words).items() if times > 1]
