"""A bot's reason in words."""

from __future__ import annotations

from collections.abc import Sequence

from ..bots.reason import Reason
from ..engine.rules import AnyRules
from ..text import Texts
from .log.phrases import worth_words
from .table.recipe import recipe_name


def say_reason(texts: Texts, rules: AnyRules, reason: Reason) -> str:
    """Return one reason as a sentence."""
    params = {name: _word(texts, rules, name, number) for name, number in reason.about.items()}
    points, cubes = (reason.about.get(name, 0) for name in ("points", "cubes"))
    if isinstance(points, int) and isinstance(cubes, int):
        params["worth"] = worth_words(texts, points, cubes)
    return texts.say(f"reason.{reason.code}", **params)


def _word(texts: Texts, rules: AnyRules, name: str, number: int | Sequence[int]) -> str:
    """Return the name of the thing that a number stands for."""
    if not isinstance(number, int):
        singular = name.removesuffix("s")
        return ", ".join(_word(texts, rules, singular, one) for one in number)
    match name:
        case "recipe":
            return recipe_name(rules, texts, number)
        case "tile":
            return rules.edition.ingredients[number - 1].names[texts.language]
        case "square":
            return rules.grid.names[number]
        case "card":
            return rules.edition.actions[number].names[texts.language]
    return str(number)
