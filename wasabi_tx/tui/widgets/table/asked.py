"""The question at the table, such as a vote, with the key that answers; or news that everybody should know."""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len
from textual.message import Message

from ....text import Texts
from ....text.cells import cut
from ....text.foreign import clean
from ....view.press import Do
from ...canvas import BOLD, Canvas, mix
from ...draw.sheet import Means, Sheet
from ...views.panel_views import AskedView
from .panel import TablePanel


class Asked(TablePanel[AskedView]):
    """Shows what is asked at the table, or what everybody should know, in one row."""

    class Resized(Message):
        """Posted when there is more or less room for words."""

    def paint(self, view: AskedView, width: int, height: int) -> Canvas:
        return paint_asked(view, self.means, width, height)

    def on_resize(self) -> None:
        self.post_message(self.Resized())


def paint_asked(view: AskedView, means: Means, width: int, height: int = 1) -> Canvas:
    """Paint the question: `▸ Vote to go on without Bo; so far for it: Ana   x answer`.

    The key is shown only to those who may answer.
    """
    sheet = Sheet(means, width, height)
    asked, answers = view.words, view.answers
    if not asked:
        return sheet.canvas
    paints = sheet.paints
    if paints.pixels:
        sheet.canvas.ground(0, 0, width, 1, mix(paints["background"], paints["points-shape"], 0.2))
    key = _key(answers, means.keys, means.texts)
    sheet.write(0, 0, cut(f"▸ {clean(asked, 400)}", width - cell_len(key) - 1), "points", BOLD)
    if not answers:
        return sheet.canvas
    if paints.pixels:
        sheet.badge(width - cell_len(key), 0, key, paints["points-shape"])
    else:
        sheet.write_right(0, key, "points", BOLD)
    sheet.canvas.click(0, 0, width, 1, Do("answer"))
    return sheet.canvas


def _key(answers: bool, keys: Mapping[str, str], texts: Texts) -> str:
    return f" {keys.get('answer', '')} {texts.say('tui.action.answer')} " if answers else ""


def asked_fits(asked: str, answers: bool, keys: Mapping[str, str], texts: Texts, width: int) -> bool:
    """Return whether the whole question fits into a row of this width."""
    return cell_len(f"▸ {clean(asked, 400)}{_key(answers, keys, texts)}") < width
