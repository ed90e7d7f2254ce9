"""Names of players: what a name may be, and what bots are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count as numbers

from ..text import Texts
from ..text.foreign import clean

LONGEST = 12
BOT_NAMES = ("Nori", "Mochi", "Miso", "Soba", "Kabu", "Yuzu", "Ponzu")
RIVALS = {"Nori": "builder", "Mochi": "stylist", "Ponzu": "blocker", "Miso": ""}
"""Bots with a character, by name; Miso likes nothing more than points."""
PERSON, BY_LOT = "person", ""
"""Who may sit at a table on this machine besides rivals whom one calls by their names."""


def clean_name(text: str) -> str | None:
    """The name in a text, cleaned as all foreign text is; None if nothing is left."""
    return clean(text, LONGEST) or None


def bot_names(taken: Iterable[str]) -> Iterator[str]:
    """Names for bots that nobody at the table has."""
    known = {name.casefold() for name in taken}
    yield from (name for name in BOT_NAMES if name.casefold() not in known)


def people_names(chosen: Sequence[str], count: int, texts: Texts) -> list[str]:
    """Names for that many people: the chosen ones, then the number of the seat, or the next that is free."""
    names = list(chosen[:count])
    while len(names) < count:
        taken = {name.casefold() for name in names}
        spare = (texts.say("cli.person", number=number) for number in numbers(len(names) + 1))
        names.append(next(name for name in spare if name.casefold() not in taken))
    return names
