"""Editions by name: those that come with the package, and the user's own."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from ..engine.edition import Edition, EditionError
from ..engine.editions import PACKAGED, packaged_edition, read_playable, rules_for, rules_from_text
from ..engine.rules import Rules
from .transcripts import read_text


def user_editions(folder: Path) -> dict[str, Path]:
    """The user's edition files by name; a packaged edition's name stays the packaged one's."""
    if not folder.is_dir():
        return {}
    return {path.stem: path for path in sorted(folder.glob("*.toml")) if path.stem not in PACKAGED}


def edition_names(folder: Path, language: str) -> dict[str, str]:
    """What each edition that can be played is called."""
    found = {}
    for name in [*PACKAGED, *user_editions(folder)]:
        with suppress(EditionError, OSError):
            found[name] = find_edition(name, folder).names[language]
    return found


def find_edition(name: str, folder: Path) -> Edition:
    """`KeyError` if there is none of this name, an `EditionError` if its file cannot be played."""
    if name in PACKAGED:
        return packaged_edition(name)
    return read_playable(read_text(user_editions(folder)[name]))


def find_rules(name: str, players: int, folder: Path) -> Rules[Any]:
    if name in PACKAGED:
        return rules_for(name, players)
    return rules_from_text(read_text(user_editions(folder)[name]), players)
