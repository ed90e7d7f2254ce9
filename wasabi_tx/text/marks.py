"""Marks in a sentence: which words are a tile, a player, points or a name, so that a screen can style them.

Marks are private-use characters, which cleaned text never contains; `unmarked` returns the sentence without them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .foreign import harmless

_OPEN, _DATA, _CLOSE = "\ue000", "\ue001", "\ue002"
_MARKED = re.compile(f"{_OPEN}([a-z]+){_DATA}([^{_DATA}]*){_DATA}([^{_CLOSE}]*){_CLOSE}")


class Piece(NamedTuple):
    """A part of a sentence."""

    text: str
    kind: str = ""
    """`tile`, `who`, `key`, `points`, `strong`, `muted`, `good`, `error`, or "" for plain words."""
    data: str = ""
    """A tile's code, or a seat's number from 1."""


class Marked(str):
    """Text with marks, which it keeps when it fills a placeholder of a sentence."""

    __slots__ = ()


def mark(kind: str, text: str, data: str = "") -> Marked:
    """Return the text, made harmless and marked."""
    return Marked(f"{_OPEN}{kind}{_DATA}{data}{_DATA}{harmless(text)}{_CLOSE}")


def pieces_of(sentence: str) -> tuple[Piece, ...]:
    """Split the sentence into pieces, each with its kind."""
    found: list[Piece] = []
    at = 0
    for match in _MARKED.finditer(sentence):
        if match.start() > at:
            found.append(Piece(sentence[at : match.start()]))
        found.append(Piece(match[3], match[1], match[2]))
        at = match.end()
    if at < len(sentence):
        found.append(Piece(sentence[at:]))
    return tuple(found)


def renamed(sentence: str, seat: str, name: str) -> str:
    """Return the sentence with another name for one player."""
    return _MARKED.sub(
        lambda match: mark("who", name, seat) if match.group(1, 2) == ("who", seat) else match[0], sentence
    )


def unmarked(sentence: str) -> str:
    """Return the sentence as plain words."""
    return _MARKED.sub(lambda match: match[3], sentence)
