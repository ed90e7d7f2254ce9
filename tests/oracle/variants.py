"""Editions derived from the first one in which rare things happen often: empty piles, early wins, crowded boards."""

import json
import tomllib
from collections.abc import Callable
from itertools import combinations_with_replacement
from random import Random

from tests.oracle.alike import Raw, edited


def toml(raw: Raw) -> str:
    """Return the text of an edition file with this content, without what it would be as printed."""
    plain = [f"{key} = {_value(value)}" for key, value in raw.items() if not _is_table(value)]
    tables = []
    for key, value in raw.items():
        if not _is_table(value) or key in ("name", "printed"):
            continue
        head = f"[[{key}]]" if isinstance(value, list) else f"[{key}]"
        for row in value if isinstance(value, list) else [value]:
            tables += ["", head, *[f"{field} = {_value(content)}" for field, content in row.items()]]
    return "\n".join([*plain, f"name = {_value(raw['name'])}", *tables]) + "\n"


def _is_table(value: object) -> bool:
    return isinstance(value, dict | list)


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(content)}" for key, content in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def _same(raw: Raw) -> None:
    del raw


def _scarce(raw: Raw) -> None:
    """Provide too few tiles to fill the board, so that the pantry and then the hands run out."""
    for ingredient in raw["ingredient"]:
        ingredient["count"] = 2 if ingredient["code"] in ("Ri", "Ma", "Tu", "Sa", "Sh", "Av", "Eg") else 1


def _few_recipes(raw: Raw) -> None:
    """Provide fewer strips than hands could take, so that every deck runs empty, some already during the setup."""
    kept: dict[int, int] = {}
    recipes = []
    for recipe in raw["recipe"]:
        length = len(recipe["strip"].split())
        kept[length] = kept.get(length, 0) + 1
        if kept[length] <= 3 - length // 2:
            recipes.append(recipe)
    raw["recipe"] = recipes


def _easy(raw: Raw, codes: str) -> None:
    """Use few ingredients and every combination of them, so that most tiles complete something."""
    raw["ingredient"] = [dict(one, count=18) for one in raw["ingredient"] if one["code"] in codes.split()]
    known = [one["code"] for one in raw["ingredient"]]
    recipes = []
    for length, most in ((2, 15), (3, 20), (4, 25), (5, 25)):
        every = [list(strip) for strip in combinations_with_replacement(known, length)]
        for number, strip in enumerate(every[:: max(1, len(every) // most)]):
            turned = strip[number % length :] + strip[: number % length]
            name = f"easy-{length}-{number}"
            recipes.append({"id": name, "strip": " ".join(turned), "name": {"en": name, "it": name}})
    raw["recipe"] = recipes


def _short(raw: Raw) -> None:
    """Provide one token of each length and easy recipes, so that somebody soon assigns the last token."""
    _easy(raw, "Ye Oc Da")
    raw["token"] = [dict(token, count=1) for token in raw["token"]]


def _crowded(raw: Raw) -> None:
    """Use a small board, four ingredients and many tokens: several recipes a turn, all cards, swaps, tall stacks."""
    _easy(raw, "Tu Sh Av Eg")
    raw["board"] = dict(raw["board"], rows=5, columns={"2": 3, "3": 4, "4": 5})
    raw["token"] = [dict(token, count=9) for token in raw["token"]]


def _bare_kitchen(raw: Raw) -> None:
    """Provide two action cards and easy recipes: the only offer is the type just played, or there is none at all."""
    _easy(raw, "Ri Sa Cr Cu")
    for action in raw["action"]:
        action["count"] = {
            "2": 1 if action["effect"] in ("wasabi", "chop") else 0,
            "3": 1 if action["effect"] in ("stack", "wasabi") else 0,
            "4": 2 if action["effect"] == "spicy" else 0,
        }


def _wasabi_rain(raw: Raw) -> None:
    """Provide many Wasabi!, Chop! and Stack! cards on a small board: squares are covered and freed all the time."""
    _crowded(raw)
    for action in raw["action"]:
        many = {"wasabi": 4, "chop": 3, "stack": 3}.get(action["effect"], 1)
        action["count"] = {"2": many, "3": many, "4": many}


def _many_kinds(raw: Raw) -> None:
    """Use as many ingredients as an edition may have, the last ones in most recipes, and other hand sizes."""
    for number in range(25, 32):
        code = "X" + chr(ord("a") + number - 25)
        names = {"en": f"Kind {number}", "it": f"Tipo {number}"}
        raw["ingredient"].append({"code": code, "category": "other", "count": 7, "emoji": "🍱", "name": names})
    last = ["Fl", "Xc", "Xd", "Xe", "Xf", "Xg"]
    for number, strip in enumerate(combinations_with_replacement(last[1:], 3)):
        name = f"kind-{number}"
        raw["recipe"].append({"id": name, "strip": " ".join(strip), "name": {"en": name, "it": name}})
    raw["hand"] = dict(raw["hand"], recipes=4, cards=3)


def _few_tiles_easy(raw: Raw) -> None:
    """Use easy recipes and few tiles: cards are earned, then the pantry and the hands run out."""
    _easy(raw, "Tu Sh Av Eg")
    for ingredient in raw["ingredient"]:
        ingredient["count"] = 6
    raw["board"] = dict(raw["board"], rows=5)


def wild(text: str, rng: Random) -> str:
    """Return an edition with random numbers; some are unplayable, which a check should report."""
    raw = tomllib.loads(text)
    codes = [one["code"] for one in raw["ingredient"]]
    _easy(raw, " ".join(rng.sample(codes, rng.randint(4, 10))))
    raw["recipe"] = rng.sample(raw["recipe"], rng.randint(4, len(raw["recipe"])))
    raw["board"] = {"rows": rng.randint(3, 8), "columns": {key: rng.randint(3, 8) for key in "234"}}
    raw["hand"] = {"tiles": 3, "recipes": rng.randint(1, 5), "cards": rng.randint(1, 4)}
    for category in raw["category"]:
        category["starting_hand"] = rng.random() < 0.8 or category["id"] in ("fish", "other")
    for ingredient in raw["ingredient"]:
        ingredient["count"] = rng.randint(1, 12)
    for token in raw["token"]:
        token.update(count=rng.randint(1, 3), points=rng.randint(0, 9), style=rng.randint(0, 3))
    for action in raw["action"]:
        action["count"] = {key: rng.randint(0, 3) for key in "234"}
    raw["id"] = "wild"
    return toml(raw)


EDITS: dict[str, Callable[[Raw], None]] = {
    "classic": _same,
    "scarce": _scarce,
    "short": _short,
    "few-recipes": _few_recipes,
    "crowded": _crowded,
    "bare-kitchen": _bare_kitchen,
    "wasabi-rain": _wasabi_rain,
    "many-kinds": _many_kinds,
    "few-tiles": _few_tiles_easy,
}


def variant(text: str, name: str) -> str:
    """Return the edition file `text` after the edit of this name; `classic` is the file itself."""
    return text if name == "classic" else edited(text, name, EDITS[name], toml)
