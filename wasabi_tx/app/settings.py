"""A person's settings, in a file that they can edit: language, theme, signs, motion, keys, and how they play online.

A wrong file is never fatal: each error is reported with its line and ignored, the rest is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ..engine.toml_text import BadToml, read_toml
from ..text import LANGUAGES
from ..view.names import clean_name
from ..view.press import ENTERS, SUGGEST
from .theme import GLYPHS


@dataclass(frozen=True)
class Settings:
    """A person's settings; each field is a key of the file."""

    language: str = ""
    """`en` or `it`; empty for the locale's."""
    theme: str = "omakase"
    """A shipped theme, or a file in the themes folder."""
    glyphs: str = "letters"
    """`letters`, `flat` tiles without pictures, `emoji` or `ascii`."""
    reduced_motion: bool = False
    """True if nothing moves, and others' moves appear at once."""
    pace: str = "normal"
    """Display of others' moves: `fast`, `normal`, `slow`, until a `key` is pressed, or not at all with `none`."""
    as_printed: bool = False
    """True if local games follow the book where we change it on purpose."""
    notes: bool = True
    """True if things are explained the first time they happen."""
    bell: bool = True
    """True if the terminal rings when it is your turn."""
    name: str = ""
    """The name others at a table see; empty for the login name."""
    broker: str = field(default="", repr=False)
    """The broker for tables: its address, perhaps with a password; empty for the embedded one."""
    realm: str = "main"
    """Tables of one realm do not see those of another on the same broker."""
    share_hand: bool = True
    """True if this hand is shown when a game is over, for its replay."""
    keys: dict[str, str] = field(default_factory=dict)
    """Other keys for actions, by the action's name; a table `[keys]`."""
    enter: str = SUGGEST
    """The effect of Enter in a turn, one of `ENTERS`. A table without hints suggests nothing."""


@dataclass(frozen=True)
class Wrong:
    """An error in the file: its place, and what was found there."""

    line: int
    path: tuple[str, ...] = ()
    """The key, below its table; empty if the line is not TOML."""
    found: str = ""

    @property
    def key(self) -> str:
        return ".".join(self.path)


EXPLAINED = ("name", "broker", "realm", "share_hand")
"""Settings explained in the file, because hardly any screen shows them."""

_ORDER = ("language", "theme", "glyphs", "reduced_motion", "pace", "enter", "as_printed", "notes", "bell", *EXPLAINED)
PACES = ("fast", "normal", "slow", "key", "none")
_CHOICES = {"language": ("", *LANGUAGES), "glyphs": GLYPHS, "pace": PACES, "enter": ENTERS}
# A realm is a topic level: it may be as long as invites allow.
_WORDS = {"theme": re.compile(r"[A-Za-z0-9_-]{1,40}"), "realm": re.compile(r"[a-z0-9-]{1,32}")}
_SWITCHES = ("reduced_motion", "as_printed", "notes", "bell", "share_hand")


def parse_settings(text: str) -> tuple[Settings, list[Wrong]]:
    """Return the valid settings, and the errors."""
    try:
        raw = read_toml(text)
    except BadToml as error:
        return Settings(), [Wrong(error.line)]
    settings, wrong = Settings(), dict[tuple[str, ...], object]()
    for key, value in raw.items():
        if key == "keys" and isinstance(value, dict):
            good = {name: keys for name, keys in value.items() if isinstance(keys, str) and keys}
            wrong |= {(key, name): keys for name, keys in value.items() if name not in good}
            settings = replace(settings, keys=good)
        elif not _fits(key, value):
            wrong[key,] = value
        elif key == "name":
            settings = replace(settings, name=clean_name(value) or "")
        else:
            settings = replace(settings, **{key: value})
    lines = _lines(text) if wrong else {}
    return settings, [
        Wrong(lines.get(path) or lines.get(path[:1], 1), path, _shown(value)) for path, value in wrong.items()
    ]


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
    """Return a value from the file without an address's password, because everybody may see it."""
    return re.sub(r"[^'\"]*:.*@", "…@", repr(value))[:40]


def _lines(text: str) -> dict[tuple[str, ...], int]:
    """Return the line on which each key and each table is first written."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        name, equals, _ = line.partition("=")
        try:
            # The value may span several lines; any other value reveals the key as well.
            inner: object = read_toml(f"{name}= 0" if equals else line)
        except BadToml:
            continue
        path: tuple[str, ...] = ()
        while isinstance(inner, dict) and inner:
            key, inner = next(iter(inner.items()))
            path += (key,)
        if not path:
            continue
        table = table if equals else path
        path = (*table, *path) if equals else path
        for length in range(1, len(path) + 1):
            found.setdefault(path[:length], number)
    return found


def change_settings(text: str, settings: Settings, notes: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the file with these settings; comments, order and spelling stay, errors are removed.

    A new file explains the settings that have notes, and shows their defaults.
    """
    from tomlkit.exceptions import TOMLKitError

    with suppress(TOMLKitError, RecursionError):
        changed = _changed(text, settings, notes)
        if parse_settings(changed) == (settings, []):
            return changed
    # A file too tricky to change in place is written anew.
    return _changed("", settings, notes)


def _changed(text: str, settings: Settings, notes: Mapping[str, str]) -> str:
    import tomlkit

    held, wrong = parse_settings(text)
    if new := not text.strip() or any(not one.path for one in wrong):
        held, wrong = Settings(), []
    changed = [key for key in _ORDER if getattr(settings, key) != getattr(held, key)]
    if new:
        text = _new_text(changed, notes)
    for key in changed:
        # A setting that we once explained is changed in its place.
        unused = _unused(key)
        text = re.sub(rf"^{re.escape(unused)}$", unused.removeprefix("# "), text, count=1, flags=re.MULTILINE)
    document = tomlkit.parse(text)
    for one in wrong:
        *tables, last = one.path
        inner = document if not tables else document[tables[0]]
        assert isinstance(inner, MutableMapping)
        inner.pop(last)
    for key in changed:
        document[key] = getattr(settings, key)
    if settings.keys != held.keys:
        keys = document.get("keys")
        if not isinstance(keys, MutableMapping):
            keys = document["keys"] = tomlkit.table()
        for name in held.keys.keys() - settings.keys.keys():
            keys.pop(name)
        for name, value in settings.keys.items():
            if held.keys.get(name) != value:
                keys[name] = value
    return tomlkit.dumps(document)


def _new_text(changed: Iterable[str], notes: Mapping[str, str]) -> str:
    """Return a file with these keys and the explained ones, all with their defaults."""
    keys = "".join(f"{_unused(key).removeprefix('# ')}\n" for key in changed if key not in notes)
    explained = (f"# {notes[key]}\n{_unused(key)}\n" for key in _ORDER if key in notes)
    return "\n".join(part for part in (keys, *explained) if part)


def _unused(key: str) -> str:
    """Return a setting with its default value, as a comment."""
    import tomlkit

    return f"# {key} = {tomlkit.item(getattr(Settings(), key)).as_string()}"
