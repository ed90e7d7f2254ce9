"""The board as it is shown: every square with what is held over it, the frames around squares, and the banner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...engine.edition import Edition, Ingredient
from ...engine.rules import AnyRules
from ...view.table.table import Cell
from .flash import Flash
from .moment import TableMoment

GOLD, GREEN = "points-shape", "accent-shape"
"""The colours of frames, as themes name them: what completes, and what can be done."""


class Square(NamedTuple):
    """All that shows on one square."""

    code: str = ""
    """The tile on top; nothing on an empty square."""
    category: str = ""
    name: str = ""
    emoji: str = ""
    below: tuple[str, ...] = ()
    cover: str = ""
    legal: bool = False
    """True if the held thing may go here."""
    quiet: bool = False
    """True if something is held that may not go here."""
    pending: bool = False
    last: bool = False
    author: int = 0
    """The seat, from 1, that changed it since the viewer's turn."""
    cursor: bool = False
    ghost: bool = False
    """True if the tile is only held over the square."""
    missing: str = ""
    """The code that the selected recipe lacks on an empty square."""
    short: tuple[str, ...] = ()
    """Shorter names, the longest first."""
    settled: float = 1.0
    """The share of its edge that a tile has while it is being laid."""

    @classmethod
    def of(cls, one: Ingredient, language: str, **looks: Any) -> Square:
        """Return the tile of an ingredient by itself, but for other `looks`."""
        return cls(one.code, one.category, one.names[language], one.emoji, short=one.short.get(language, ()), **looks)


class BoardFrame(NamedTuple):
    """A frame around a straight line or a block of squares."""

    squares: tuple[int, ...]
    colour: str
    """The name of its colour in a theme."""
    digit: str = ""
    """The recipe whose line it is, where frames cannot be drawn."""


class Banner(NamedTuple):
    """The gain of our completed recipe, shown beside its line."""

    squares: tuple[int, ...]
    """The line, which it never covers."""
    name: str
    gained: int
    counted: int
    """The part of the gain that has been counted up."""
    worth: str
    feat: str = ""
    """What makes the recipe stand out, if anything does."""
    grade: int = 0
    """How much larger than usual this is, up to 3."""
    sparks: int = 0
    """The frame of the sparks; 0 for none."""


@dataclass(frozen=True)
class BoardView:
    """All that a board shows."""

    squares: tuple[Square, ...]
    columns: int
    frames: tuple[BoardFrame, ...] = ()
    banner: Banner | None = None

    @property
    def rows(self) -> int:
        return len(self.squares) // self.columns


_KNOWN: dict[str, dict[str, Ingredient]] = {}


def ingredients(edition: Edition) -> dict[str, Ingredient]:
    """Return the ingredients of an edition by code; the mapping is made once."""
    found = _KNOWN.get(edition.text)
    if found is None:
        found = _KNOWN[edition.text] = {one.code: one for one in edition.ingredients}
    return found


def board_view(moment: TableMoment, language: str) -> BoardView:
    """Return the board at a moment."""
    return BoardView(squares_of(moment, language), moment.view.columns, board_frames(moment), banner_of(moment.flash))


def squares_of(moment: TableMoment, language: str) -> tuple[Square, ...]:
    """Return every square of the board, with the tile that is held over one."""
    plan = moment.plan
    choosable = plan.squares if plan is not None else frozenset()
    # A card chooses among tiles, so the others recede. A tile goes to an empty square, and lines need all tiles.
    choosing = bool(choosable) and plan is not None and plan.begun.verbs[:1] != ("place",)
    rules, preview = moment.rules, moment.preview
    known = ingredients(rules.edition)
    ghosts = {square: rules.code(tile) for square, tile in preview.ghost if tile} if preview else {}
    return tuple(
        _square(cell, moment, known, language, number, number in choosable, choosing, ghosts.get(number, ""))
        for number, cell in enumerate(moment.view.cells)
    )


def _square(
    cell: Cell, moment: TableMoment, known: dict[str, Ingredient], language: str, number: int, legal: bool,
    choosing: bool, ghost: str,
) -> Square:  # fmt: skip
    code = ghost or (cell.codes[-1] if cell.codes else "")
    one = known[code] if code else None
    lifted = moment.lifted and len(cell.codes) > 1
    landing = moment.flash is not None and number in moment.flash.landing
    return Square(
        code=code,
        category=one.category if one else "",
        name="/".join(cell.codes[-2::-1]) if lifted else one.names[language] if one else "",
        emoji=one.emoji if one else "",
        below=cell.codes if ghost else cell.codes[:-1],
        cover="" if moment.lifted and cell.codes else cell.cover,
        legal=legal,
        quiet=choosing and not legal and not ghost,
        pending=cell.pending and moment.plan is not None,
        last=number in moment.last,
        author=0 if cell.author is None else cell.author + 1,
        cursor=number == moment.cursor,
        ghost=bool(ghost),
        short=one.short.get(language, ()) if one and not lifted else (),
        settled=moment.flash.settled if moment.flash is not None and landing else 1.0,
    )


def board_frames(moment: TableMoment) -> tuple[BoardFrame, ...]:
    """Return the frames: lines that would be complete or nearer, the cursor, the others' last moves."""
    plan, frames, view = moment.plan, [], moment.view
    if moment.flash is not None and moment.flash.squares:
        return _flashing(moment.flash, view.columns)
    if moment.guide is not None and moment.guide.squares and not (plan is not None and plan.begun):
        return tuple(BoardFrame(part, GOLD, "!") for part in _touching(moment.guide.squares, moment.rules))
    if plan is None:
        by = {square: cell.author for square, cell in enumerate(view.cells) if square in moment.last}
        return tuple(
            BoardFrame((square,), f"seat-{author + 1}")
            for square, author in by.items()
            if author is not None and not view.cells[square].cover
        )
    numbers = {one.recipe: str(one.key) for one in view.recipes}
    if moment.preview is not None:
        frames += [BoardFrame(one.squares, GREEN, numbers.get(one.recipe, "")) for one in moment.preview.nearer]
        frames += [BoardFrame(one.squares, GOLD, numbers.get(one.recipe, "")) for one in moment.preview.completes]
    elif plan.moment.prompt.completions:
        won = plan.moment.prompt.completions[0]
        frames.append(BoardFrame(won.squares, GOLD, numbers.get(won.recipe, "")))
    frames += [BoardFrame((n,), GREEN) for n, cell in enumerate(view.cells) if cell.pending and not cell.cover]
    if moment.cursor is not None and plan.squares:
        frames.append(BoardFrame(_cursor(moment, moment.cursor), GREEN))
    return tuple(frames)


def _flashing(flash: Flash, columns: int) -> tuple[BoardFrame, ...]:
    """Return the frames around the latest changes."""
    colour, digit = (GOLD, "*") if flash.recipe else (f"seat-{flash.seat + 1}", "")
    return tuple(frames_around(flash.squares, columns, colour, digit))


def frames_around(squares: Sequence[int], columns: int, colour: str, digit: str) -> list[BoardFrame]:
    """Return one frame if the squares are a line or a block, else one around each."""
    if not squares:
        return []
    rows, across = zip(*(divmod(square, columns) for square in squares), strict=True)
    whole = (max(rows) - min(rows) + 1) * (max(across) - min(across) + 1) == len(squares)
    return [BoardFrame(part, colour, digit) for part in ([tuple(squares)] if whole else zip(squares))]


def _touching(squares: tuple[int, ...], rules: AnyRules) -> list[tuple[int, ...]]:
    """Return the squares in groups that touch, so that a frame around each holds no other square."""
    groups: list[tuple[int, ...]] = []
    for square in squares:
        near = {square, *rules.grid.neighbours[square]}
        touched = [group for group in groups if near & set(group)]
        groups = [group for group in groups if group not in touched]
        groups.append((*(one for group in touched for one in group), square))
    return groups


def _cursor(moment: TableMoment, cursor: int) -> tuple[int, ...]:
    """Return the square of the cursor, or the four that a Wasabi! card would cover."""
    plan, grid = moment.plan, moment.rules.grid
    if plan is not None and plan.begun.verbs[:1] == ("wasabi",) and cursor in grid.blocks:
        return tuple(grid.blocks[cursor])
    return (cursor,)


def banner_of(flash: Flash | None) -> Banner | None:
    """Return the banner of an own recipe that was just completed."""
    if flash is None or not flash.recipe:
        return None
    return Banner(
        flash.squares, flash.recipe, flash.gained, flash.counted, flash.worth, flash.feat, flash.grade, flash.sparks
    )
