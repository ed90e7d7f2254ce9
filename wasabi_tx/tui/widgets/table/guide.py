"""The panel of the guide: progress, the task, why something was wrong, and the keys to press."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ....text.marks import Piece, mark, pieces_of
from ...bindings import BY_ID, shown_keys
from ...canvas import Canvas, mix
from ...draw.sheet import Means, Sheet, fits, wrap_pieces
from .panel import TablePanel

if TYPE_CHECKING:
    from ....lessons.guide import GuideView


TEACHER, TALL = "Oc", 5
"""The teacher's picture, and the fewest rows of a panel that shows it."""
BLANK = Piece(" ")


def _keys(press: str, means: Means) -> tuple[str, ...]:
    """Return the labels of the keys to press: a code letter by letter, an action by its key."""
    if press in BY_ID:
        return (means.keys.get(press) or shown_keys(BY_ID[press], {}, means.texts)[0],)
    return tuple(press)


class Guide(TablePanel["GuideView"]):
    """Shows what a lesson asks for, and the keys to press."""

    LEAST = (12, 1)

    def paint(self, view: GuideView, width: int, height: int) -> Canvas:
        return paint_guide(view, self.means, width, height)


def paint_guide(guide: GuideView, means: Means, width: int, height: int) -> Canvas:
    """Paint the progress, the task, why something was wrong, and the keys."""
    sheet = Sheet(means, width, height)
    paints = sheet.paints
    if paints.pixels:
        sheet.ground = mix(paints["background"], paints["points-shape"], 0.14)
        sheet.canvas.ground(0, 0, width, height, sheet.ground)
    for row in range(height):
        sheet.canvas.text(0, row, "▌", paints["points-shape"])
    teacher = paints.pictures.middle.get(TEACHER) if paints.depth and height >= TALL else None
    x = 2
    rows = _rows(guide, means, width - 3)
    if teacher is not None:
        beside = 5 + len(teacher[0])
        if len(narrow := _rows(guide, means, width - beside - 1)) <= height:
            sheet.canvas.stamp(3, 2, teacher)
            x, rows = beside, narrow
    shorter = [replace(guide, head=guide.brief or guide.head)]
    if guide.mistake:
        # Where there is little room, the rule and the keys say it all.
        shorter += [replace(one, words="") for one in (guide, *shorter)]
    for one in shorter:
        rows = rows if len(rows) <= height else _rows(one, means, width - 3)
    if len(rows) > height:
        *rows, press = _rows(shorter[0], means, width - 3, apart=True)
        rows = [*rows[: height - 1], press]
    for row, pieces in enumerate(rows):
        sheet.pieces(x, row, pieces)
    return sheet.canvas


def _rows(guide: GuideView, means: Means, width: int, *, apart: bool = False) -> list[list[Piece]]:
    """Return the panel's rows: any mistake above the task, and the keys together, or `apart`."""
    head = mark("good", guide.head)
    rows = []
    if guide.mistake:
        rows = wrap_pieces(pieces_of(f"{head}  {mark('error', guide.mistake)}"), width)
        words = guide.words
    else:
        words = f"{head}  {guide.words}".rstrip()
    rows += wrap_pieces(pieces_of(words), width) if words else []
    keys = " ".join(mark("key", key) for press in guide.press for key in _keys(press, means))
    if not keys:
        return rows
    press = pieces_of(f"{mark('strong', means.texts.say('learn.press'))} {keys} {guide.leads}".rstrip())
    if words and not apart and fits(beside := [*rows[-1], BLANK, *press], width):
        return [*rows[:-1], beside]
    return [*rows, *wrap_pieces(press, width)]
