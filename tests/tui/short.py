"""Editions for short evenings: the packaged ones with less room or fewer turns, so that whole games cost little."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from wasabi_tx.engine.editions import PACKAGED, edition_text, rules_for, rules_from_text
from wasabi_tx.engine.rules import AnyRules

SHORTER = {"classic": ("rows = 6", "rows = 4"), "master": ("final_turns_after = 60", "final_turns_after = 7")}
SHORT = {f"short-{name}": name for name in SHORTER}


@cache
def short_text(name: str) -> str:
    """Return the file of a short edition."""
    whole = SHORT[name]
    text = edition_text(whole)
    for old, new in ((f'id = "{whole}"', f'id = "{name}"'), ('en = "', 'en = "Short '), SHORTER[whole]):
        assert old in text
        text = text.replace(old, new, 1)
    return text


def any_rules(name: str, players: int) -> AnyRules:
    """Return the rules of a packaged or a short edition."""
    return rules_for(name, players) if name in PACKAGED else rules_from_text(short_text(name), players)


def put_short_editions(home: Path) -> None:
    """Save these editions as a user's own."""
    folder = home / "config" / "editions"
    folder.mkdir(parents=True)
    for name in SHORT:
        (folder / f"{name}.toml").write_text(short_text(name), encoding="utf-8")
