"""The panel of the guide: how far one is, what to do, why something was wrong, and the keys to press."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...text.marks import mark, pieces_of
from ..canvas import Canvas, mix
from ..keys import BY_ID, shown_keys
from .sheet import Means, Sheet, wrap_pieces

if TYPE_CHECKING:
    from ...view.guide import GuideView


TEACHER, TALL = "Oc", 5
"""Who leads through a lesson, in a picture where the panel is so tall."""


def guide_words(guide: GuideView, means: Means) -> str:
    """All that the panel says; a marked sentence."""
    say = means.texts.say
    why = f"{mark('error', guide.mistake)} " if guide.mistake else ""
    keys = " ".join(mark("key", key) for press in guide.press for key in _keys(press, means))
    words = f"{guide.words} " if guide.words else ""
    press = f"{mark('strong', say('learn.press'))} {keys} {guide.leads}" if keys else ""
    return f"{mark('good', guide.head)}  {why}{words}{press}".rstrip()


def _keys(press: str, means: Means) -> tuple[str, ...]:
    """What is written on the keys: the letters of a code one by one, an action by its key."""
    if press in BY_ID:
        return (means.keys.get(press) or shown_keys(BY_ID[press], {}, means.texts)[0],)
    return tuple(press)


def paint_guide(guide: GuideView, means: Means, width: int, height: int) -> Canvas:
    sheet = Sheet(means, width, height)
    paints = sheet.paints
    if paints.pixels:
        sheet.ground = mix(paints["background"], paints["points-shape"], 0.14)
        sheet.canvas.ground(0, 0, width, height, sheet.ground)
    for row in range(height):
        sheet.canvas.text(0, row, "▌", paints["points-shape"])
    teacher = paints.pictures.middle.get(TEACHER) if paints.depth and height >= TALL else None
    x = 2
    if teacher is not None:
        x = 5 + len(teacher[0])
    rows = wrap_pieces(pieces_of(guide_words(guide, means)), width - x - 1)
    if teacher is not None and len(rows) <= height:
        sheet.canvas.stamp(3, 2, teacher)
    else:
        x, rows = 2, wrap_pieces(pieces_of(guide_words(guide, means)), width - 3)
    if len(rows) > height and guide.mistake:
        # Where there is little room, the rule and the keys say it all.
        rows = wrap_pieces(pieces_of(guide_words(replace(guide, words=""), means)), width - 3)
    for row, pieces in enumerate(rows):
        sheet.pieces(x, row, pieces)
    return sheet.canvas
