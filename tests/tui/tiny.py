"""An edition for games among programs: a small board, and decks that are shuffled in a fraction of the time."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from wasabi_tx.engine.editions import edition_text, rules_for, rules_from_text
from wasabi_tx.engine.rules import AnyRules

NAME = "tiny"
OF_EACH_LENGTH = 5
_RECIPE = "[[recipe]]"
_OTHERWISE = (('id = "classic"', 'id = "tiny"'), ('en = "', 'en = "Tiny '), ("rows = 6", "rows = 3"))


@cache
def tiny_text() -> str:
    """Return the file of this edition."""
    head, *recipes = edition_text("classic").split(_RECIPE)
    for old, new in _OTHERWISE:
        assert old in head
        head = head.replace(old, new, 1)
    kept: dict[int, list[str]] = {}
    for recipe in recipes:
        strip = next(line for line in recipe.splitlines() if line.startswith("strip"))
        kept.setdefault(len(strip.split()), []).append(recipe)
    return _RECIPE.join([head, *(recipe for group in kept.values() for recipe in group[:OF_EACH_LENGTH])])


def tiny_rules(name: str, players: int) -> AnyRules:
    """Return the rules of the small edition or of a packaged one; raise `KeyError` for any other."""
    return rules_from_text(tiny_text(), players) if name == NAME else rules_for(name, players)


def put_tiny_edition(home: Path) -> None:
    """Save this edition as a user's own."""
    folder = home / "config" / "editions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.toml").write_text(tiny_text(), encoding="utf-8")
