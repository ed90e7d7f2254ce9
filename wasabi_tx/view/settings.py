"""What a person prefers, as a file that they can write: language, theme, signs, motion, keys, and how they play online.

A file that is wrong is never fatal: what is wrong is named with its line and ignored, the rest holds.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ..text import LANGUAGES
from .names import clean_name
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
    name: str = ""
    """What others at a table see; nothing means the login."""
    broker: str = field(default="", repr=False)
    """Where tables are: the address of a broker, perhaps with a password; nothing means the embedded one."""
    realm: str = "main"
    """Tables of one realm do not see those of another on the same broker."""
    share_hand: bool = True
    """Whether this hand is shown when a game is over, for its replay."""
    keys: dict[str, str] = field(default_factory=dict)
    """Other keys for actions, by the action's name; a table `[keys]`."""


@dataclass(frozen=True)
class Wrong:
    """Something in the file that cannot be: where, and what stands there."""

    line: int
    key: str
    found: str


EXPLAINED = ("name", "broker", "realm", "share_hand")
"""What the file tells about; hardly any screen asks for it."""

_ORDER = ("language", "theme", "glyphs", "reduced_motion", "bell", *EXPLAINED)
_CHOICES = {"language": ("", *LANGUAGES), "glyphs": GLYPHS}
# A realm is a level of a topic: as long as invites allow it to be.
_WORDS = {"theme": re.compile(r"[A-Za-z0-9_-]{1,40}"), "realm": re.compile(r"[a-z0-9-]{1,32}")}
_SWITCHES = ("reduced_motion", "bell", "share_hand")


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
            start = _line_of(text, key)
            wrong += [Wrong(_line_of(text, n, start), f"keys.{n}", _shown(value[n])) for n in value if n not in good]
            settings = replace(settings, keys=good)
        elif not _fits(key, value):
            wrong.append(Wrong(_line_of(text, key), key, _shown(value)))
        elif key == "name":
            settings = replace(settings, name=clean_name(value) or "")
        else:
            settings = replace(settings, **{key: value})
    return settings, wrong


def _fits(key: str, value: object) -> bool:
    if key in _SWITCHES:
        return isinstance(value, bool)
    if not isinstance(value, str):
        return False
    if key in _CHOICES:
        return value in _CHOICES[key]
    if key in _WORDS:
        return _WORDS[key].fullmatch(value) is not None
    if key == "name":
        return not value or clean_name(value) is not None
    return key == "broker" and (not value or _is_address(value))


def _is_address(text: str) -> bool:
    from ..net.address import BadAddress, parse_broker_url

    try:
        parse_broker_url(text)
    except BadAddress:
        return False
    return True


def _shown(value: object) -> str:
    """What stands in the file, without a password that an address may hold: this is for everybody's eyes."""
    return re.sub(r"[^'\"]*:.*@", "…@", repr(value))[:40]


def _line_of(text: str, key: str, start: int = 1) -> int:
    """The line on which a key or a table stands; `start`, from where it is looked for, if none does."""
    wanted = re.compile(rf"[\s\[]*[\"']?{re.escape(key)}[\"']?\s*[=\].]")
    return next((n for n, line in enumerate(text.split("\n"), 1) if n >= start and wanted.match(line)), start)


def format_settings(settings: Settings, notes: Mapping[str, str] = MappingProxyType({})) -> str:
    """The file; what is as it would be without it is left out, or stands as a comment if there is a note about it."""
    plain = Settings()
    blocks = []
    for key in _ORDER:
        value = getattr(settings, key)
        line = f"{key} = {_quoted(value)}"
        if key in notes:
            blocks.append(f"\n# {notes[key]}\n" + ("# " if value == getattr(plain, key) else "") + line)
        elif value != getattr(plain, key):
            blocks.append(line)
    if settings.keys:
        keys = (f"{_quoted(name)} = {_quoted(value)}" for name, value in sorted(settings.keys.items()))
        blocks += ["\n[keys]", *keys]
    return "\n".join(blocks).lstrip("\n") + "\n" if blocks else ""


def _quoted(value: object) -> str:
    """A text or a switch as TOML writes it: as JSON does, except that DEL has to be escaped and nothing else may be."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
