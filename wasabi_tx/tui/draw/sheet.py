"""A sheet: a canvas of one panel, with the paints and words of the moment, and what every panel is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ...text import Texts
from ...text.marks import Piece, pieces_of
from ..canvas import BOLD, REVERSE, Canvas, mix
from ..paints import CARD_INK, Paints, TilePaint, code_letters

if TYPE_CHECKING:
    from ...engine.edition import Edition, Ingredient


@dataclass(frozen=True, eq=False)
class Means:
    """Everything that painters need besides their subject; identical means give identical pictures."""

    paints: Paints
    texts: Texts
    ingredients: Mapping[str, Ingredient] = field(default_factory=dict)
    cards: Mapping[str, str] = field(default_factory=dict)
    """Names of the action cards by code."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """The key of each action, as the person here has set it."""
    edition: Edition | None = None

    @classmethod
    def of(cls, paints: Paints, texts: Texts, edition: Edition | None, keys: Mapping[str, str]) -> Means:
        """Return the means to paint what lies at a table of an edition."""
        if edition is None:
            return cls(paints, texts, keys=keys)
        # Home is painted before any rules are loaded.
        from ..views.board_view import ingredients

        cards = {one.code: one.names[texts.language].partition(" (")[0] for one in edition.actions}
        return cls(paints, texts, ingredients(edition), cards, keys, edition)

    def keys_of(self, *actions: str) -> tuple[str, ...]:
        """Return the keys of some actions, "" for one that has none here."""
        return tuple(self.keys.get(action, "") for action in actions)

    def name(self, code: str) -> str:
        return self.ingredients[code].names[self.texts.language]

    def short(self, code: str) -> tuple[str, ...]:
        """Return shorter names of an ingredient, the longest first."""
        return self.ingredients[code].short.get(self.texts.language, ())

    def card(self, code: str) -> str:
        """Return an action card's name without its exclamation mark."""
        return self.cards[code].rstrip("!")


class Sheet:
    def __init__(self, means: Means, width: int, height: int, ground: str = "background") -> None:
        self.means, self.paints, self.texts = means, means.paints, means.texts
        self.width, self.height = width, height
        self.ground = self.paints[ground]
        self.canvas = Canvas(width, height, self.ground)

    def say(self, key: str, **params: object) -> str:
        return self.texts.say(key, **params)

    def write(self, x: int, y: int, words: str, token: str = "text", attributes: int = 0) -> int:
        return self.canvas.text(x, y, words, self.paints[token], attributes)

    def write_right(self, y: int, words: str, token: str = "text", attributes: int = 0, end: int | None = None) -> int:
        """Write words that end at the right; return the column where they begin."""
        x = (self.width if end is None else end) - cell_len(words)
        self.write(x, y, words, token, attributes)
        return x

    def write_centred(self, y: int, words: str, token: str = "text", attributes: int = 0) -> None:
        self.write(max(0, (self.width - cell_len(words)) // 2), y, words, token, attributes)

    def badge(self, x: int, y: int, words: str, ground: int, attributes: int = BOLD) -> int:
        """Write words on a coloured ground; return the column after them."""
        return self.canvas.text(x, y, words, self.paints.ink_on(ground), attributes, ground)

    def seat(self, x: int, y: int, number: int) -> int:
        """Write a seat's number on its colour; return the column after it."""
        if not self.paints.pixels:
            return self.write(x, y, str(number), f"seat-{number}", BOLD)
        return self.badge(x, y, str(number), self.paints.seat(number))

    def paper(self, x: int, y: int, words: str) -> int:
        """Write words on a little card of paper; return the column after them."""
        if not self.paints.pixels:
            return self.write(x, y, words, "muted", BOLD)
        return self.canvas.text(x, y, words, CARD_INK, BOLD, self.paints.paper)

    def title(
        self, y: int, words: str, right: str = "", x: int = 0, end: int | None = None, focused: bool = False
    ) -> None:
        """Write a title with a rule: `PLAYERS ─────── 2 3 4 5`."""
        end = self.width if end is None else end
        at = self.write(x, y, words.upper(), "accent" if focused else "muted", BOLD) + 1
        stop = end - (cell_len(right) + 1 if right else 0)
        if stop > at:
            self.write(at, y, "─" * (stop - at), "line")
        if right:
            self.write_right(y, right, "muted", end=end)

    def chip(
        self,
        x: int,
        y: int,
        code: str,
        words: str | None = None,
        *,
        needed: bool = False,
        faint: bool = False,
        edge: bool = False,
        key: str = "",
        panel: int | None = None,
    ) -> int:
        """Write a tile in one row: ` Salmon ` on its colour, or on a shadow of it if `needed` or `faint`.

        Where there are no shadows, a needed tile has brackets: `[Salmon]`. Return the column after it.
        """
        ground = self.ground if panel is None else panel
        shade = needed or faint
        paint = self.needed(code, ground) if shade else self.tile(code)
        before, after = "[]" if needed and not self.paints.pixels else "  "
        shown = self.means.name(code) if words is None else words
        x = self.key(x, y, key)
        left = x
        x = self.canvas.text(x, y, before, paint.ink, paint.attributes, paint.ground)
        bold = code_letters(shown, code) or (frozenset({0, 1}) if shown.startswith(code) else frozenset())
        for at, char in enumerate(shown):
            weight = BOLD if at in bold and not shade else 0
            x = self.canvas.text(x, y, char, paint.ink, weight | paint.attributes, paint.ground)
        x = self.canvas.text(x, y, after, paint.ink, paint.attributes, paint.ground)
        if edge and self.paints.depth:
            self.canvas.fill(left, 2 * y + 2, x - left, 1, paint.edge)
        return x

    def key(self, x: int, y: int, key: str) -> int:
        """Write the key that chooses something, if it has one; return the column after it."""
        if not self.paints.pixels:
            return self.write(x, y, key, "accent", BOLD)
        return self.badge(x, y, key, self.paints["accent-shape"])

    def tile(self, code: str) -> TilePaint:
        return self.paints.tile(code, self.means.ingredients[code].category)

    def needed(self, code: str, panel: int) -> TilePaint:
        """Return the colours of a missing tile on the ground of a panel."""
        return self.paints.needed(self.tile(code), panel)

    def quiet(self, code: str) -> TilePaint:
        """Return the colours of a tile that nobody here needs: half as strong."""
        paint = self.tile(code)
        if not self.paints.pixels:
            return paint
        ground = mix(paint.ground, self.paints["background"], 0.5)
        return TilePaint(ground, self.paints.ink_on(ground), mix(ground, 0, 0.4), ground)

    def pieces(self, x: int, y: int, pieces: Iterable[Piece]) -> int:
        """Write a sentence with its chips and names in one row; return the column after it."""
        for piece in pieces:
            x = self._piece(x, y, piece)
        return x

    def _key(self, x: int, y: int, words: str) -> int:
        """Write a key as the action bar's button shows it; return the column after it."""
        if self.paints.pixels:
            return self.badge(x, y, words, self.paints["accent-shape"])
        return self.write(x, y, words, "accent", REVERSE | BOLD)

    def _piece(self, x: int, y: int, piece: Piece) -> int:
        match piece.kind:
            case "tile":
                return self.chip(x, y, piece.data, piece.text)
            case "who":
                ink = self.paints.seat(int(piece.data)) if self.paints.colours else self.paints["text"]
                return self.canvas.text(x, y, piece.text, ink, BOLD)
            case "points":
                return self.write(x, y, piece.text, "points", BOLD)
            case "strong":
                return self.write(x, y, piece.text, "text", BOLD)
            case "muted":
                return self.write(x, y, piece.text, "muted")
            case "error":
                return self.write(x, y, piece.text, "error")
            case "good":
                return self.write(x, y, piece.text, "accent", BOLD)
            case "key":
                return self._key(x, y, f" {piece.text} ")
        return self.write(x, y, piece.text)


PADDED = ("tile", "key")
"""Pieces with a blank on each side, which are never broken."""


def piece_width(piece: Piece) -> int:
    return cell_len(piece.text) + (2 if piece.kind in PADDED else 0)


def wrap_pieces(pieces: Iterable[Piece], width: int) -> list[list[Piece]]:
    """Wrap a sentence to a width, never within a chip, and other pieces only between words."""
    rows: list[list[Piece]] = [[]]
    room = width
    for word in _words(pieces):
        size = piece_width(word)
        blank = not word.text.strip() and word.kind not in PADDED
        if size > room and rows[-1]:
            # A full stop goes with what it follows.
            carried = [rows[-1].pop()] if word.text[:1] in (".", ",", ":") and len(rows[-1]) > 1 else []
            while rows[-1] and not rows[-1][-1].text.strip() and rows[-1][-1].kind not in PADDED:
                rows[-1].pop()
            rows.append(carried)
            room = width - sum(map(piece_width, carried))
        if blank and not rows[-1]:
            continue
        rows[-1].append(word)
        room -= size
    return rows


def _words(pieces: Iterable[Piece]) -> Iterable[Piece]:
    for piece in pieces:
        if piece.kind in PADDED:
            yield piece
            continue
        word = ""
        for char in piece.text:
            if (char == " ") != (word[:1] == " ") and word:
                yield piece._replace(text=word)
                word = ""
            word += char
        if word:
            yield piece._replace(text=word)


def told_rows(told: Iterable[str], width: int, height: int) -> list[list[Piece]]:
    """Return the rows of the first sentence that fits, given the longest first; none if none fits."""
    for sentence in told if height > 0 else ():
        rows = wrap_pieces(pieces_of(sentence), width)
        if len(rows) <= height:
            return rows
    return []


def fits(pieces: Sequence[Piece], width: int) -> bool:
    return sum(map(piece_width, pieces)) <= width
