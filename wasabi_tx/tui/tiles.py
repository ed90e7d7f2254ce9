"""The faces of squares at four sizes: text of an exact width, and which part of it lies on the tile's colour."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len

from .safe_text import fit

SMALL = "⁰¹²³⁴⁵⁶⁷⁸⁹"


@dataclass(frozen=True)
class Size:
    """Columns and rows of one square; the first column is the gap to the square on its left."""

    width: int
    height: int


SIZES = (Size(12, 5), Size(8, 3), Size(6, 2), Size(3, 1))


@dataclass(frozen=True)
class Look:
    """All that shows on one square."""

    code: str = ""
    """The tile on top; nothing on an empty square."""
    category: str = ""
    name: str = ""
    emoji: str = ""
    below: tuple[str, ...] = ()
    cover: str = ""
    legal: bool = False
    """What is held may go here."""
    quiet: bool = False
    """Something is held and may not go here."""
    pending: bool = False
    last: bool = False
    author: int = 0
    """The seat, from 1, that changed it since the viewer's turn."""
    cursor: bool = False


def face(look: Look, size: Size, emoji: bool) -> tuple[str, ...]:
    """The rows of a square, each exactly as wide as the size says; the gap is the first cell."""
    if size.width == 3:
        return (_small(look),)
    top = _top(look, size.width)
    rest = [_filler(look, size.width)] * (size.height - 1)
    if look.code and not look.cover:
        words = _rows(look, size, emoji)
        rest = [" " + fit(word, size.width - 1) for word in words]
    return (top, *rest)


def _mark(look: Look) -> str:
    if look.pending:
        return "?"
    if look.legal and look.code:
        return "·"
    return "◂" if look.last else " "


def _small(look: Look) -> str:
    """Three cells: a mark in the gap, then the code; the cursor's other bracket stands in the next square's gap."""
    mark = _mark(look)
    if look.below and mark == " ":
        mark = _height(look)
    lead = "[" if look.cursor else mark
    if look.cover:
        return ("[" if look.cursor else _filler(look, 1)) + _cover(look, 2)
    return lead + (look.code or _dot(look).rjust(2))


def _dot(look: Look) -> str:
    return " " if look.quiet else "·"


def _height(look: Look) -> str:
    return SMALL[min(len(look.below) + 1, 9)] if look.below else " "


def _cover(look: Look, width: int) -> str:
    return {"wasabi": "▒" * width, "cup": "U" + " " * (width - 1)}[look.cover]


def _filler(look: Look, width: int) -> str:
    return "▒" * width if look.cover == "wasabi" else " " * width


def _top(look: Look, width: int) -> str:
    """`[Av]?`, ` Av²◂4`: bracket, code, height or bracket, mark, author."""
    if look.cover == "wasabi":
        return f"[▒▒]{'▒' * (width - 4)}" if look.cursor else "▒" * width
    code = "U " if look.cover else look.code or " " + _dot(look)
    lead, post = ("[", "]") if look.cursor else (" ", _height(look))
    author = str(look.author) if look.author else " "
    if look.cursor and look.below and _mark(look) == " ":
        author = _height(look)
    return f"{lead}{code}{post}{' ' * (width - 6)}{_mark(look)}{author}"


def _rows(look: Look, size: Size, emoji: bool) -> list[str]:
    """What stands below the code: the name, the emoji, what lies under it."""
    below = "/".join(look.below[::-1])
    picture = look.emoji if emoji and cell_len(look.emoji) == 2 else ""
    room = size.width - 1
    if size.height == 2:
        return [f"{picture} {look.name[: room - 3]}" if picture else look.name[:room]]
    if size.height == 3:
        return [look.name, f"{picture} {below}".strip() if picture or below else ""]
    return ["", look.name, picture, f"({below})" if below else ""]
