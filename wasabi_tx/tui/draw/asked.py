"""What is asked at the table, such as a vote, with the key that answers; or what everybody should know."""

from __future__ import annotations

from rich.cells import cell_len

from ...text.cells import cut
from ...text.foreign import clean
from ...view.press import Do
from ..canvas import BOLD, Canvas, mix
from .sheet import Means, Sheet


def paint_asked(asked: str, answers: bool, means: Means, width: int) -> Canvas:
    """`▸ Vote to go on without Bo; so far for it: Ana   x answer`; the key only for those who may answer."""
    sheet = Sheet(means, width, 1)
    if not asked:
        return sheet.canvas
    paints = sheet.paints
    if paints.pixels:
        sheet.canvas.ground(0, 0, width, 1, mix(paints["background"], paints["points-shape"], 0.2))
    key = _key(answers, means)
    sheet.write(0, 0, cut(f"▸ {clean(asked, 400)}", width - cell_len(key) - 1), "points", BOLD)
    if not answers:
        return sheet.canvas
    if paints.pixels:
        sheet.badge(width - cell_len(key), 0, key, paints["points-shape"])
    else:
        sheet.write_right(0, key, "points", BOLD)
    sheet.canvas.click(0, 0, width, 1, Do("answer"))
    return sheet.canvas


def _key(answers: bool, means: Means) -> str:
    return f" {means.keys.get('answer', '')} {means.texts.say('tui.action.answer')} " if answers else ""


def asked_fits(asked: str, answers: bool, means: Means, width: int) -> bool:
    """Whether all of it can be read in that row."""
    return cell_len(f"▸ {clean(asked, 400)}{_key(answers, means)}") < width
