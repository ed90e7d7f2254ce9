"""Editions derived from the second one in which rare things happen often: empty piles, short displays, full boards."""

import tomllib
from collections.abc import Callable
from itertools import combinations_with_replacement
from random import Random

from tests.oracle.alike import Raw, edited
from tests.oracle.variants import toml


def _same(raw: Raw) -> None:
    del raw


def _common_only(raw: Raw, tiles: int) -> None:
    """Remove the specials and set the total number of tiles: one or two of each kind, then more rice."""
    raw["ingredient"] = [dict(one, count=1) for one in raw["ingredient"] if one["category"] != "unique"]
    known = [one["code"] for one in raw["ingredient"]]
    raw["recipe"] = [one for one in raw["recipe"] if all(code in known for code in one["strip"].split())]
    for ingredient in raw["ingredient"]:
        if ingredient["code"] in ("Ri", "Sa"):
            ingredient["count"] = 2
    raw["ingredient"][0]["count"] += tiles - sum(one["count"] for one in raw["ingredient"])


def _scarce(raw: Raw) -> None:
    """Provide too few tiles to fill the board, so that the pantry runs out."""
    _common_only(raw, 20)


def _even(raw: Raw) -> None:
    """Provide as many tiles as two players have empty spaces, so that board and pantry end together unless a card
    prevents it.
    """
    _common_only(raw, 28)


def _few_recipes(raw: Raw) -> None:
    """Provide few more strips than the first hands take, so that every deck runs out."""
    kept: dict[int, int] = {}
    recipes = []
    for recipe in raw["recipe"]:
        length = len(recipe["strip"].split())
        kept[length] = kept.get(length, 0) + 1
        if kept[length] <= (1 if length == 5 else 5):
            recipes.append(recipe)
    raw["recipe"] = recipes


def _easy(raw: Raw, codes: str) -> None:
    """Use few ingredients and every combination of them, so that most tiles complete something."""
    raw["ingredient"] = [dict(one, count=18) for one in raw["ingredient"] if one["code"] in codes.split()]
    known = [one["code"] for one in raw["ingredient"]]
    recipes = []
    for length, most, value in ((2, 15, 2), (3, 20, 4), (4, 25, 7), (5, 25, 11)):
        every = [list(strip) for strip in combinations_with_replacement(known, length)]
        for number, strip in enumerate(every[:: max(1, len(every) // most)]):
            turned = strip[number % length :] + strip[: number % length]
            one = {"id": f"easy-{length}-{number}", "strip": " ".join(turned), "value": value, "style": length - 2}
            recipes.append(one | {"name": {"en": one["id"], "it": one["id"]}})
    raw["recipe"] = recipes


def _counts(raw: Raw, **counts: int) -> None:
    for action in raw["action"]:
        action["count"] = counts[action["effect"]]


def _crowded(raw: Raw) -> None:
    """Use a small board and four ingredients: several recipes a turn, all cards, full boards."""
    _easy(raw, "Tu Sh Av Eg")
    raw["board"] = dict(raw["board"], rows=5, columns={"2": 3, "3": 4, "4": 5})
    raw["setup"]["cups"] = {"2": ["a1", "c4"], "3": ["a1", "d5", "b2"], "4": ["a1", "e4", "b2", "c3"]}


def _bare_display(raw: Raw) -> None:
    """Provide four action cards: the display is short or empty, and rewards lapse."""
    _easy(raw, "Ri Sa Cr Cu")
    _counts(raw, chop=1, spicy=1, stack=1, switch=1)


def _hungry(raw: Raw) -> None:
    """Provide few action cards and a large display, which is often short and refilled by several cards at once."""
    _easy(raw, "Ri Sa Cr Cu")
    _counts(raw, chop=3, spicy=2, stack=2, switch=4)
    raw["setup"]["display"] = 5


def _towers(raw: Raw) -> None:
    """Provide many Stack and Chop cards on a small board, with hands of three: tall stacks, revealed tiles."""
    _crowded(raw)
    _counts(raw, chop=8, spicy=2, stack=10, switch=3)
    raw["hand"] = dict(raw["hand"], cards=3)


def _spicy_end(raw: Raw) -> None:
    """Provide few tiles and many Spicy and Chop cards: the last tile and space go before this turn's own tile."""
    _easy(raw, "Tu Sh Av Eg")
    for ingredient in raw["ingredient"]:
        ingredient["count"] = 5
    raw["board"] = dict(raw["board"], rows=4, columns={"2": 5, "3": 6, "4": 7})
    raw["setup"]["cups"] = {"2": ["a1", "a2"], "3": ["a1", "a2", "a3"], "4": ["b1", "b2", "b3", "b4"]}
    _counts(raw, chop=8, spicy=8, stack=1, switch=1)


def _brief(raw: Raw) -> None:
    """Allow three turns per player before the final round."""
    raw["setup"]["final_turns_after"] = 3


def _many_kinds(raw: Raw) -> None:
    """Use as many ingredients as an edition may have, the last ones in many recipes, and other hand sizes."""
    for number in range(27, 32):
        code = "X" + chr(ord("a") + number - 27)
        name = {"en": f"Kind {number}", "it": f"Tipo {number}"}
        raw["ingredient"].append({"code": code, "category": "other", "count": 7, "emoji": "🍱", "name": name})
    for number, strip in enumerate(combinations_with_replacement(["Xa", "Xb", "Xc", "Xd", "Xe"], 3)):
        name = {"en": f"Kinds {number}", "it": f"Tipi {number}"}
        one = {"id": f"kinds-{number}", "strip": " ".join(strip), "value": 3, "style": 1, "name": name}
        raw["recipe"].append(one)
    raw["hand"] = dict(raw["hand"], recipes=4, cards=1)


def wild(text: str, rng: Random) -> str:
    """Return an edition with random numbers; some are unplayable, which a check should report."""
    raw = tomllib.loads(text)
    codes = [one["code"] for one in raw["ingredient"]]
    _easy(raw, " ".join(rng.sample(codes, rng.randint(4, 10))))
    for ingredient in raw["ingredient"]:
        ingredient["count"] = rng.randint(1, 12)
    rows, columns = rng.randint(3, 8), {key: rng.randint(3, 8) for key in "234"}
    raw["board"] = {"rows": rows, "columns": columns}
    _possible(raw, rng, longest=max(rows, min(columns.values())))
    raw["hand"] = {"tiles": 0, "recipes": rng.randint(1, 5), "cards": rng.randint(1, 4)}
    cups = {}
    for key, wide in columns.items():
        squares = ["abcdefgh"[column] + str(row + 1) for row in range(rows) for column in range(wide)]
        cups[key] = rng.sample(squares, int(key))
    lengths = rng.choices(sorted({len(one["strip"].split()) for one in raw["recipe"]}), k=rng.randint(1, 5))
    raw["setup"].update(display=rng.randint(1, 6), pool=rng.randint(0, 9), cups=cups, recipes=lengths)
    raw["setup"]["final_turns_after"] = rng.randint(1, 60)
    raw["setup"]["wasabi"] = {key: [rng.randint(0, 4) for _ in range(int(key))] for key in "234"}
    for deck in raw["deck"]:
        deck.update(gain=rng.randint(0, 3), pool=rng.randint(0, 3))
    for action in raw["action"]:
        action["count"] = rng.randint(0, 6)
    raw["id"] = "wild"
    return toml(raw)


def _possible(raw: Raw, rng: Random, longest: int) -> None:
    """Choose some of the recipes for which there are tiles and room, with arbitrary values and bonuses."""
    counts = {one["code"]: one["count"] for one in raw["ingredient"]}
    fitting = []
    for recipe in raw["recipe"]:
        codes = recipe["strip"].split()
        if len(codes) <= longest and all(codes.count(code) <= counts[code] for code in codes):
            style = rng.randint(0, 4) if len(codes) > 2 else 0
            fitting.append(recipe | {"value": rng.randint(0, 15), "style": style})
    raw["recipe"] = rng.sample(fitting, rng.randint(len(fitting) // 4, len(fitting)))


EDITS: dict[str, Callable[[Raw], None]] = {
    "master": _same,
    "scarce": _scarce,
    "even": _even,
    "few-recipes": _few_recipes,
    "crowded": _crowded,
    "bare-display": _bare_display,
    "hungry": _hungry,
    "towers": _towers,
    "spicy-end": _spicy_end,
    "brief": _brief,
    "many-kinds": _many_kinds,
}


def variant(text: str, name: str) -> str:
    """Return the edition file `text` after the edit of this name; `master` is the file itself."""
    return text if name == "master" else edited(text, name, EDITS[name], toml)
