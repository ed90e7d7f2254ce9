"""The story of the game: what the others did, newest first, in whole sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ...text.foreign import clean
from ...text.marks import Piece, pieces_of
from ...view.online.surroundings import Around
from ...view.press import Do
from ..canvas import Canvas
from .sheet import Means, Sheet, piece_width, wrap_pieces
from .talk import talk_rows


def paint_story(
    sentences: Sequence[str],
    notices: Sequence[str],
    means: Means,
    width: int,
    height: int,
    title: str,
    around: Around,
    begun: bool = False,
) -> Canvas:
    """Notices first, then sentences; an older one that does not fit whole is left out. Talk has the last row.

    Before the game has `begun` it says that nothing has happened.
    """
    sheet = Sheet(means, width, height)
    y = 0
    if around.talks and height > 1:
        _talk(sheet, around)
        sheet.height -= 1
    if title:
        key = means.keys.get("log", "")
        sheet.title(0, title, f"{key} {sheet.say('story.all')}".strip())
        sheet.canvas.click(max(0, width - 8), 0, 8, 1, Do("log"))
        y = 1
    for notice in notices:
        for row in wrap_pieces((Piece(clean(notice, 400), "strong"),), width):
            if y < sheet.height:
                sheet.pieces(0, y, row)
                y += 1
    for number, sentence in enumerate(sentences):
        told = _tell(sentence, means, width, sheet.height - y, number == 0)
        if not told.height:
            break
        sheet.canvas.paste(told, 0, y)
        y += told.height
    if not begun and not sentences and not notices and y < sheet.height:
        sheet.write(0, y, sheet.say("play.log-empty"), "faint")
    return sheet.canvas


def _talk(sheet: Sheet, around: Around) -> None:
    """The newest line, how many nobody has looked at yet, and the key to answer."""
    y = sheet.height - 1
    unread = f" ●{around.unread}" if around.unread else ""
    x = sheet.write(0, y, f"{sheet.say('tui.talk').upper()}{unread} ", "accent" if unread else "muted")
    key = f" {sheet.means.keys.get('talk', '')}" if around.may_talk else ""
    end = sheet.write_right(y, key, "accent")
    rows = talk_rows(around, sheet.means, max(4, end - x - 1))
    sheet.pieces(x, y, rows[-1])
    sheet.canvas.click(0, y, sheet.width, 1, Do("talk"))


@lru_cache(maxsize=64)
def _tell(sentence: str, means: Means, width: int, room: int, newest: bool) -> Canvas:
    """A sentence if all of it fits, and the newest one as far as there is room; else no row at all."""
    rows = wrap_pieces(pieces_of(sentence), width)
    if len(rows) > room:
        rows = rows[: max(0, room)] if newest else []
        while rows and rows[-1] and sum(map(piece_width, rows[-1])) + 1 > width:
            rows[-1].pop()
        if rows:
            rows[-1].append(Piece("…"))
    sheet = Sheet(means, width, len(rows))
    for y, row in enumerate(rows):
        sheet.pieces(0, y, row)
    return sheet.canvas
