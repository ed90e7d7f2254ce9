"""The score race: everybody's total over the turns, as curves of dots, or in digits where dots cannot be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from textual.geometry import Region

from ....text.cells import cut
from ...canvas import BOLD, Canvas
from ...draw.sheet import Means, Sheet
from ...views.panel_views import RaceView
from .panel import TablePanel

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a braille sign, by row and column of its dots."""
_BRAILLE = 0x2800
LABELS = 4
"""Columns at the left, for the numbers."""
LONGEST_NAME = 9


class Race(TablePanel[RaceView]):
    """Shows everybody's total over the turns."""

    LEAST = (30, 4)

    def paint(self, view: RaceView, width: int, height: int) -> Canvas:
        return race_canvas(view, self.means, width, height)


class Dots(NamedTuple):
    """The signs of a chart, row by row, and the seat that each shows; `NONE` where there is nothing."""

    signs: list[list[str]]
    seats: list[list[int]]


NONE = -1


def paint_race(sheet: Sheet, place: Region, race: RaceView, shown: float = 1.0) -> None:
    """Paint the chart below its title, with names at the ends of the curves, as far as it is `shown`."""
    sheet.title(place.y, sheet.say("ending.race"), x=place.x, end=place.x + place.width)
    if not race.scores:
        return
    paints, top = sheet.paints, max(1, *(max(row) for row in race.scores))
    names = [cut(f"{number} {name}", LONGEST_NAME) for number, name in enumerate(race.names, 1)]
    left, rows = place.x + LABELS, place.height - 1
    width = place.width - LABELS - max(map(cell_len, names)) - 2
    if paints.pixels:
        sheet.canvas.ground(left, place.y + 1, place.width - LABELS, rows, paints["surface"])
    drawn = paints.pixels and not paints.ascii
    dots = curves(race.scores, race.own, width, rows) if drawn else digits(race.scores, width, rows)
    until = round(width * shown)
    for y, (signs, seats) in enumerate(zip(dots.signs, dots.seats, strict=True)):
        for x, (sign, seat) in enumerate(zip(signs[:until], seats, strict=False)):
            if seat != NONE:
                sheet.canvas.text(left + x, place.y + 1 + y, sign, _ink(sheet, seat))
    labels = {top - y * top // max(1, rows - 1): y for y in (rows // 2, 0, rows - 1)}
    for label, y in labels.items():
        sheet.write_right(place.y + 1 + y, str(label), "muted", end=left - 1)
    if shown == 1.0:
        for y, seat in name_rows(race.scores[-1], top, rows).items():
            weight = BOLD if seat == race.own else 0
            sheet.canvas.text(left + width + 1, place.y + 1 + y, names[seat], _ink(sheet, seat), weight)


def race_canvas(race: RaceView, means: Means, width: int, height: int) -> Canvas:
    """Paint the chart as a panel of its own."""
    sheet = Sheet(means, width, height)
    paint_race(sheet, Region(0, 0, width, height), race)
    return sheet.canvas


def _ink(sheet: Sheet, seat: int) -> int:
    return sheet.paints.seat(seat + 1) if sheet.paints.colours else sheet.paints["text"]


def name_rows(totals: Sequence[int], top: int, rows: int) -> dict[int, int]:
    """Return the row of each seat's name: at the end of its curve, moved apart where several end together."""
    best_first = sorted(range(len(totals)), key=lambda seat: -totals[seat])
    wished = [rows - 1 - max(0, totals[seat]) * (rows - 1) // top for seat in best_first]
    placed: list[int] = []
    for number, wish in enumerate(wished):
        below = len(best_first) - number - 1
        lowest = rows - 1 - below
        placed.append(min(max(wish, placed[-1] + 1 if placed else 0), max(lowest, placed[-1] + 1 if placed else 0)))
    return {y: seat for y, seat in zip(placed, best_first, strict=True) if y < rows}


def curves(scores: Sequence[tuple[int, ...]], own: int | None, width: int, height: int) -> Dots:
    """Plot curves in Braille dots as steps, not slopes; the user's own curve comes last, on top."""
    top = max(1, *(max(row) for row in scores))
    bits, seats = [[0] * width for _ in range(height)], [[NONE] * width for _ in range(height)]
    for seat in sorted(range(len(scores[0])), key=lambda seat: (seat == own, seat)):
        before = 0
        for x in range(2 * width):
            value = max(0, scores[x * (len(scores) - 1) // (2 * width - 1)][seat]) * (4 * height - 1) // top
            for level in range(min(before, value), max(before, value) + 1) if x else (value,):
                y = 4 * height - 1 - level
                bits[y // 4][x // 2] |= _DOTS[y % 4][x % 2]
                seats[y // 4][x // 2] = seat
            before = value
    return Dots([[chr(_BRAILLE + one) for one in row] for row in bits], seats)


def digits(scores: Sequence[tuple[int, ...]], width: int, height: int) -> Dots:
    """Plot the seats' numbers in a grid, the leader's on top."""
    top = max(1, *(max(row) for row in scores))
    columns = min(width, len(scores))
    signs, seats = [[" "] * width for _ in range(height)], [[NONE] * width for _ in range(height)]
    for number in range(columns):
        totals = scores[number * (len(scores) - 1) // max(1, columns - 1)]
        x = number * (width - 1) // max(1, columns - 1)
        for seat in sorted(range(len(totals)), key=lambda seat: (totals[seat], -seat)):
            y = height - 1 - max(0, totals[seat]) * (height - 1) // top
            signs[y][x], seats[y][x] = str(seat + 1), seat
    return Dots(signs, seats)
