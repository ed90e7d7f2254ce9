"""The parts of a review: skill and luck apart, turn by turn, the turning points with their boards, and in words."""

from __future__ import annotations

from typing import NamedTuple

from textual.geometry import Region

from ...engine.rules import AnyRules
from ...engine.step import Step
from ...text.cells import wrap
from ...text.marks import Piece, pieces_of
from ...turn.preview import Preview
from ...turn.prompt_choices import Question
from ...view.press import ChooseRow
from ...view.review import ReviewView, TurningPoint
from ..canvas import BOLD, Canvas
from ..tiles import SIZES, Size, label_width
from ..views.board_view import GREEN, BoardView, Square, frames_around, squares_of
from ..views.moment import TableMoment
from .sheet import Means, Sheet, wrap_pieces

LEAST_RIGHT = 33
"""Columns that figures need beside the board; with fewer, only numbers are shown."""
WORDS_BESIDE, WORDS_BELOW = 42, 7
"""Columns or rows that the words need beside or below it."""
ROOMY = 32
SPARE = 20
MOST_ROWS = 40
"""Rows that figures and turning points take at most."""
_NO_STEP = Step("", ())
BLOCKS = "▁▂▃▄▅▆▇█"
MOST = 6.0
"""Points given away in a turn that fill its bar."""


class ReviewShape(NamedTuple):
    """The layout of a page of one size, between its head and its foot."""

    tiles: Size
    """The size of the board's tiles."""
    beside: bool
    """True if the words are beside the board, which leaves little below it."""
    small: bool
    """True if only numbers have room beside the board."""
    close: bool
    """True if there is hardly a gap beside the board."""


def review_shape(columns: int, rows: int, width: int, height: int) -> ReviewShape:
    """Return the layout with the largest tiles that leave room for the words beside or below the board."""
    size = _board_size(columns, rows, width, height)
    room = width - label_width(size) - columns * size.width
    right = room - (3 if room > SPARE else 2)
    return ReviewShape(size, right >= WORDS_BESIDE and height >= ROOMY, right < LEAST_RIGHT, room <= SPARE)


def _board_size(columns: int, rows: int, width: int, height: int) -> Size:
    for size in SIZES:
        beside = width - label_width(size) - columns * size.width - 3
        below = height - 1 - rows * size.height
        if beside >= (WORDS_BESIDE if below < WORDS_BELOW else LEAST_RIGHT) and below >= 0:
            return size
    return SIZES[-1]


def review_board(point: TurningPoint | None, rules: AnyRules, seat: int, language: str) -> BoardView:
    """Return the board before the turn: played squares framed in the seat's colour, better ones in green."""
    columns = rules.grid.columns
    if point is None:
        return BoardView((Square(),) * columns * rules.grid.rows, columns)
    moment = TableMoment(
        rules=rules, view=point.view, plan=None, question=Question("", (), ""), since=(), last=frozenset(),
        cursor=None, lifted=False, line="", over=False,
        preview=Preview(_NO_STEP, tuple((square, pile[-1]) for square, pile in point.tiles)),
    )  # fmt: skip
    played = frames_around(point.played_squares, columns, f"seat-{seat + 1}", "-")
    better = frames_around(point.better_squares, columns, GREEN, "+")
    looks = list(squares_of(moment, language))
    for square, pile in point.tiles:
        # Nothing is held over these squares: what lies below is what the turn leaves there.
        looks[square] = looks[square]._replace(below=tuple(map(rules.code, pile[:-1])))
    return BoardView(tuple(looks), columns, (*played, *better))


def paint_figures(view: ReviewView, at: int, means: Means, width: int, *, small: bool, roomy: bool) -> Canvas:
    """Paint skill and luck as bars, one per turn, and the list of turning points with number `at` chosen."""
    sheet = Sheet(means, width, MOST_ROWS)
    place = Region(0, 0, width, MOST_ROWS)
    y = _figures(sheet, place, view, small, roomy)
    if not small:
        y = _by_turn(sheet, place._replace(y=y), view) + roomy
    y = _points(sheet, place._replace(y=y), view, at, small)
    fitted = Canvas(width, y, sheet.ground)
    fitted.paste(sheet.canvas, 0, 0)
    return fitted


def _figures(sheet: Sheet, place: Region, view: ReviewView, small: bool, roomy: bool) -> int:
    """Write the effects of skill and of luck separately; return the row after them."""
    say, y = sheet.say, place.y
    if not small:
        sheet.title(y, say("review.figures"), x=place.x, end=place.x + place.width)
        y += 1
    lost = (say("review.skill"), _signed(-view.lost), "error" if view.lost else "accent")
    luck = (say("review.luck"), _signed(view.luck), "accent" if view.luck >= 0 else "error")
    for label, number, token in (lost, luck):
        sheet.write(place.x, y, label, "muted")
        sheet.write_right(y, number, token, BOLD, end=place.x + place.width)
        y += 1
    if small:
        return y
    good = say("review.good-turns", count=view.good, turns=len(view.turns))
    for words in (good, say("review.drawn", count=view.draws)) if roomy else (good,):
        for row in wrap(words, place.width):
            sheet.write(place.x, y, row, "muted")
            y += 1
    return y + roomy


def _signed(points: float) -> str:
    """Format points as `+0.3`, `−2.4`, or `0.0` without a sign."""
    shown = f"{points:+.1f}"
    return "0.0" if shown in ("+0.0", "-0.0") else shown.replace("-", "−")


def _by_turn(sheet: Sheet, place: Region, view: ReviewView) -> int:
    """Paint a bar a turn, as high as the points lost, and label turning points; return the row after it."""
    sheet.title(place.y, sheet.say("review.by-turn"), x=place.x, end=place.x + place.width)
    points, free = {point.turn for point in view.points}, place.x
    pitch = max(1, min(3, place.width // max(1, view.count)))
    for number in range(min(view.count, place.width // pitch)):
        x = place.x + number * pitch
        if number >= len(view.turns):
            sheet.write(x, place.y + 1, "·", "faint")
            continue
        turn, lost = view.turns[number]
        if lost:
            block = BLOCKS[min(len(BLOCKS) - 1, int(lost / MOST * len(BLOCKS)))]
            sheet.write(x, place.y + 1, "#" if sheet.paints.ascii else block, "error", BOLD)
        else:
            sheet.write(x, place.y + 1, "✓", "accent")
        if turn in points:
            free = sheet.write(max(x, free), place.y + 2, str(turn), "points", BOLD) + 1
    return place.y + 3


def _points(sheet: Sheet, place: Region, view: ReviewView, at: int, small: bool) -> int:
    """List the turning points by their turns; return the row after them."""
    y, end = place.y, place.x + place.width
    if not small:
        sheet.title(y, sheet.say("review.points"), x=place.x, end=end)
        y += 1
    for number, point in enumerate(view.points):
        chosen = number == min(at, len(view.points) - 1)
        if chosen and sheet.paints.pixels:
            sheet.canvas.ground(place.x, y, place.width, 1, sheet.paints["panel"])
        x = sheet.write(place.x, y, "▸ " if chosen else "  ", "accent")
        sheet.write(x, y, sheet.say("table.turn", turn=point.turn), "text", BOLD if chosen else 0)
        sheet.write_right(y, _signed(-point.lost), "error", BOLD, end=end)
        sheet.canvas.click(place.x, y, place.width, 1, ChooseRow(number))
        y += 1
    return y


def paint_told(
    view: ReviewView, point: TurningPoint | None, seat: int, means: Means, width: int, height: int, problem: str = ""
) -> Canvas:
    """Explain the played turn, the better one, the difference, and the reason, in as many rows as that takes.

    If the `height` has room, say how reliable this is. A `problem` is the reason why the review cannot go on.
    """
    say = means.texts.say
    rows: list[list[Piece]] = []
    if problem:
        rows += [[Piece(row, "error")] for row in wrap(problem, width)]
    elif not view.points:
        words = say("review.busy") if not view.done else say("review.none-much" if view.lost else "review.none")
        rows += [[Piece(row)] for row in wrap(words, width)]
    if point is not None and not view.points and not problem:
        best = pieces_of(say("review.best", turn=point.turn, worth=say("worth.points", count=point.made)))
        rows += wrap_pieces([*best, Piece(" "), *pieces_of(point.played), Piece(".")], width)
    elif point is not None and not problem:
        # In the colours of the frames on the board.
        played = [Piece(f"{say('review.you-played')} ", "who", str(seat + 1)), *pieces_of(point.played), Piece(".")]
        cost = say("review.cost", points=f"{point.lost:.1f}", doubt=f"{point.doubt:.1f}")
        better = [
            Piece(f"{say('review.was-better')} ", "good"),
            *pieces_of(point.better),
            Piece(". "),
            Piece(cost, "muted"),
        ]
        rows += [*wrap_pieces(played, width), *wrap_pieces(better, width)]
        for reason in point.reasons:
            rows += [[Piece(row, "muted")] for row in wrap(reason, width)]
    if view.done and not problem:
        honest = [[Piece(row, "muted")] for row in wrap(say("review.honest"), width)]
        if len(rows) + 1 + len(honest) <= height:
            rows += [[], *honest]
    sheet = Sheet(means, width, len(rows))
    for y, row in enumerate(rows):
        sheet.pieces(0, y, row)
    return sheet.canvas
