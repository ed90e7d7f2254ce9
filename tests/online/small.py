"""The packaged editions with fewer recipes: the same rules, with decks that are shuffled in a fraction of the time."""

from __future__ import annotations

from functools import cache

from wasabi_tx.engine.editions import edition_text, rules_from_text
from wasabi_tx.engine.rules import AnyRules

OF_EACH_LENGTH = 5
_RECIPE = "[[recipe]]"


@cache
def _text(edition: str) -> str:
    head, *recipes = edition_text(edition).split(_RECIPE)
    kept: dict[int, list[str]] = {}
    for recipe in recipes:
        strip = next(line for line in recipe.splitlines() if line.startswith("strip"))
        kept.setdefault(len(strip.split()), []).append(recipe)
    return _RECIPE.join([head, *(recipe for group in kept.values() for recipe in group[:OF_EACH_LENGTH])])


def small_rules(edition: str, players: int) -> AnyRules:
    """Return the rules of a packaged edition; raise `KeyError` for any other, like `rules_for`."""
    return rules_from_text(_text(edition), players)
