"""The podium: everybody on a pillar as high as their score, the best in the second place from the left."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.geometry import Region

from ...text.cells import cut
from ...view.table.ending import Ending, SeatEnding
from ..canvas import BOLD, mix
from .lettering import DIGITS_HIGH, digits_width, paint_digits
from .sheet import Sheet

WIDEST = 13
LOWEST = 4
"""Pixels of the lowest pillar: a number must fit on it."""
BASE = 0.55
"""The lowest pillar's share of the best score, unless somebody has less."""


def podium_width(seats: int, room: int) -> int:
    """Return the width of one pillar if they share this room."""
    return min(WIDEST, (room + 1) // seats - 1)


def paint_podium(sheet: Sheet, place: Region, ending: Ending, shown: float = 1.0) -> None:
    """Paint pillars with names above and places below; they rise from last to first while `shown` grows."""
    ranked = ending.ranked
    width = podium_width(len(ranked), place.width)
    totals = [max(0, one.total) for one in ranked]
    high = max(totals)
    low = min(*totals, round(BASE * high)) if high else 0
    full = 2 * (place.height - 2)
    for number, result in enumerate(_order(ranked)):
        x = place.x + number * (width + 1)
        reach = (max(0, result.total) - low) / (high - low) if high else 1.0
        height = round(LOWEST + (full - LOWEST) * reach)
        rank = ranked.index(result)
        # One after the other, the last first.
        risen = min(1.0, max(0.0, shown * len(ranked) - (len(ranked) - 1 - rank)))
        _pillar(sheet, Region(x, place.y, width, place.height), result, ending, round(height * risen), risen == 1.0)


def _order(ranked: Sequence[SeatEnding]) -> list[SeatEnding]:
    """Return the second, the first, and then the others."""
    return [ranked[1], ranked[0], *ranked[2:]] if len(ranked) > 1 else list(ranked)


def _pillar(sheet: Sheet, place: Region, result: SeatEnding, ending: Ending, height: int, risen: bool) -> None:
    paints, canvas = sheet.paints, sheet.canvas
    seat = paints.seat(result.seat + 1)
    floor = 2 * (place.y + place.height - 1)
    top = floor - height
    if height:
        canvas.fill(place.x, top, place.width, height, mix(seat, paints["background"], 0.45))
        canvas.fill(place.x, top, place.width, 1, seat)
    foot = sheet.say(f"ending.place.{result.place}")
    weight, token = (BOLD, "text") if result.winner else (0, "muted")
    _centred(sheet, place, place.y + place.height - 1, foot, paints[token], weight)
    if not risen:
        return
    gone = " ×" if result.gone else ""
    name = cut(f"{result.seat + 1} {ending.called(result, sheet.texts)}", place.width - len(gone)) + gone
    _centred(sheet, place, top // 2 - 1, name, seat, BOLD)
    body = mix(seat, paints["background"], 0.45)
    wide = digits_width(result.total) if result.total >= 0 else place.width
    if height >= DIGITS_HIGH + 3 and wide <= place.width - 2:
        at = place.x + (place.width - wide) // 2
        paint_digits(canvas, at, top + 1 + (height - DIGITS_HIGH) // 2, result.total, paints["points-shape"])
    else:
        _centred(sheet, place, (top + height // 2 + 1) // 2, str(result.total), paints.ink_on(body), BOLD)


def _centred(sheet: Sheet, place: Region, y: int, words: str, ink: int, weight: int) -> None:
    sheet.canvas.text(place.x + (place.width - cell_len(words)) // 2, y, words, ink, weight)
