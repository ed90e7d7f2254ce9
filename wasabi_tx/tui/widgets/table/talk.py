"""Talk at the table: the newest lines, and how to say something."""

from __future__ import annotations

from ....text.foreign import clean
from ....text.marks import Piece
from ....view.online.surroundings import Around, TalkLine
from ....view.press import Do
from ...canvas import Canvas
from ...draw.sheet import Means, Sheet, wrap_pieces
from ...text_lines import TextLine, led
from .panel import TablePanel

LONGEST_NAME = 20


class Talk(TablePanel[Around]):
    """Shows what people said last, and the key to say something."""

    LEAST = (10, 1)

    def paint(self, view: Around, width: int, height: int) -> Canvas:
        return paint_talk(view, self.means, width, height)


def paint_talk(
    around: Around, means: Means, width: int, height: int, titled: bool = True, typing: bool = False
) -> Canvas:
    """Paint a panel with the newest line at the bottom and, while somebody types, the digits' phrases below."""
    sheet = Sheet(means, width, height)
    if not around.talks:
        return sheet.canvas
    rows = talk_rows(around, means, width)
    if typing:
        # What was said last is worth more where there is hardly any room; silence is worth nothing.
        rows = rows if around.talk else []
        rows = [*rows, *emote_rows(means, width)[: max(0, height - titled - min(len(rows), 2))]]
    if not titled:
        for y, row in enumerate(rows[-height:]):
            sheet.pieces(0, y, row)
        return sheet.canvas
    key = means.keys.get("talk", "") if around.may_talk else ""
    unread = f" ●{around.unread}" if around.unread else ""
    sheet.title(0, sheet.say("tui.talk") + unread, key)
    sheet.canvas.click(0, 0, width, 1, Do("talk"))
    for y, row in enumerate(rows[-(height - 1) :], 1):
        sheet.pieces(0, y, row)
    return sheet.canvas


def talk_rows(around: Around, means: Means, width: int) -> list[list[Piece]]:
    """Return every line of talk, wrapped, or a remark if there is none."""
    if around.muted or not around.talk:
        return [[Piece(means.texts.say("tui.muted" if around.muted else "tui.silence"), "muted")]]
    return [row for one in around.talk for row in wrap_pieces(_pieces(one), width)]


def emote_rows(means: Means, width: int) -> list[list[Piece]]:
    """Return the phrase that each digit sends."""
    said = sorted(means.texts.words("tui.emote").items())
    pieces = [piece for digit, words in said for piece in (Piece(f"{digit} ", "strong"), Piece(f"{words}  ", "muted"))]
    return wrap_pieces(pieces, width)


def _pieces(one: TalkLine) -> list[Piece]:
    who = f"{clean(one.who, LONGEST_NAME)}:"
    speaker = Piece(who, "muted") if one.seat is None else Piece(who, "who", str(one.seat + 1))
    return [speaker, Piece(f" {clean(one.text)}")]


def said_line(one: TalkLine) -> TextLine:
    """Return what somebody said as a line to read."""
    style = "$muted" if one.seat is None else f"bold $seat-{one.seat + 1}"
    return led(f"{clean(one.who, LONGEST_NAME)}:", style, f" {clean(one.text)}")
