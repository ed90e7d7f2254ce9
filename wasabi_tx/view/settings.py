"""What a person prefers, as a file that they can write: language, theme, signs, motion, keys.

A file that is wrong is never fatal: what is wrong is named with its line and ignored, the rest holds.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field, replace

from ..text import LANGUAGES
from .theme import GLYPHS


@dataclass(frozen=True)
class Settings:
    """Each field is a key of the file."""

    language: str = ""
    """`en` or `it`; nothing means the locale's."""
    theme: str = "izakaya"
    """A shipped theme, or a file in the themes folder."""
    glyphs: str = "letters"
    """`letters`, `emoji` or `ascii`."""
    reduced_motion: bool = False
    """Whether bots play without a pause and nothing moves."""
    bell: bool = True
    """Whether the terminal rings when it is your turn."""
    keys: dict[str, str] = field(default_factory=dict)
    """Other keys for actions, by the action's name; a table `[keys]`."""


@dataclass(frozen=True)
class Wrong:
    """Something in the file that cannot be: where, and what stands there."""

    line: int
    key: str
    found: str


_ORDER = ("language", "theme", "glyphs", "reduced_motion", "bell")
_ALLOWED: dict[str, tuple[str, ...] | None] = {
    "language": ("", *LANGUAGES),
    "theme": None,
    "glyphs": GLYPHS,
}


def parse_settings(text: str) -> tuple[Settings, list[Wrong]]:
    """All that holds, and all that does not."""
    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"line (\d+)", str(error))
        return Settings(), [Wrong(int(found[1]) if found else 1, "TOML", str(error)[:80])]
    settings, wrong = Settings(), []
    for key, value in raw.items():
        if key == "keys" and isinstance(value, dict):
            good = {name: keys for name, keys in value.items() if isinstance(keys, str) and keys}
            wrong += [Wrong(_line_of(text, n), f"keys.{n}", repr(value[n])[:40]) for n in value if n not in good]
            settings = replace(settings, keys=good)
        elif not _fits(key, value):
            wrong.append(Wrong(_line_of(text, key), key, repr(value)[:40]))
        else:
            settings = replace(settings, **{key: value})
    return settings, wrong


def _fits(key: str, value: object) -> bool:
    if key in ("reduced_motion", "bell"):
        return isinstance(value, bool)
    if key not in _ALLOWED or not isinstance(value, str):
        return False
    allowed = _ALLOWED[key]
    return re.fullmatch(r"[\w-]{1,40}", value, re.ASCII) is not None if allowed is None else value in allowed


def _line_of(text: str, key: str) -> int:
    """The line on which a key stands."""
    wanted = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
    return next((n for n, line in enumerate(text.splitlines(), 1) if wanted.match(line)), 1)


def format_settings(settings: Settings) -> str:
    """The file; what is as it would be without it is left out."""
    plain = Settings()
    changed = [key for key in _ORDER if getattr(settings, key) != getattr(plain, key)]
    # JSON writes strings and booleans as TOML does.
    lines = [f"{key} = {json.dumps(getattr(settings, key))}" for key in changed]
    if settings.keys:
        lines += [
            "",
            "[keys]",
            *(f"{json.dumps(name)} = {json.dumps(keys)}" for name, keys in sorted(settings.keys.items())),
        ]
    return "\n".join(lines) + "\n" if lines else ""
