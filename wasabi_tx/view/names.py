"""Names of players: which names are allowed, and the names of bots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count as numbers

from ..text import Texts
from ..text.foreign import clean

LONGEST = 12
BOT_NAMES = ("Udon", "Mochi", "Miso", "Soba", "Kabu", "Yuzu", "Ponzu")
RIVALS = {"Udon": "builder", "Mochi": "stylist", "Ponzu": "blocker", "Miso": ""}
"""Bots with a character, by name; Miso plays for points alone."""
PERSON, BY_LOT = "person", ""
"""The occupants of a seat on this machine besides rivals chosen by name."""


def clean_name(text: str) -> str | None:
    """Return the name in a text, cleaned like all foreign text, or None if nothing remains."""
    return clean(text, LONGEST) or None


def bot_names(taken: Iterable[str]) -> Iterator[str]:
    """Yield names for bots that nobody at the table has."""
    known = {name.casefold() for name in taken}
    yield from (name for name in BOT_NAMES if name.casefold() not in known)


def people_names(chosen: Sequence[str], count: int, texts: Texts) -> list[str]:
    """Return names for `count` people: the chosen ones, then ones made from the seat's number or the next free one."""
    names = list(chosen[:count])
    while len(names) < count:
        taken = {name.casefold() for name in names}
        spare = (texts.say("cli.person", number=number) for number in numbers(len(names) + 1))
        names.append(next(name for name in spare if name.casefold() not in taken))
    return names
