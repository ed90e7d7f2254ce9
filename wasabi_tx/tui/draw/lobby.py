"""A table of the lobby as a card: its picture, its host, its seats, and the effect of Enter."""

from __future__ import annotations

from rich.cells import cell_len

from ...text.cells import cut
from ...view.online.lobby_cards import TableCard, short_name
from ..canvas import BOLD, Canvas, mix
from .belt import ON_IT
from .sheet import Means, Sheet

CARD, PITCH = 3, 4
"""Rows of a card, and from one to the next."""
PICTURE = 9
STATE = 17
"""Columns of a card that show its state."""
CHIPS, CLOCK = 18, 16
"""Columns of the chips of seats, and the column of the clock, so that clocks line up."""
ROOMY_CARD = 74
"""Fewest columns of a card for seats beside the state."""


def paint_card(card: TableCard, means: Means, width: int, chosen: bool) -> Canvas:
    """Return a table as a card of three rows, with a blank one below it."""
    sheet = Sheet(means, width, PITCH)
    paints, canvas = sheet.paints, sheet.canvas
    x, y, end = 0, 0, width
    if paints.pixels:
        lit = mix(paints["background"], paints["accent-shape"], 0.14)
        canvas.ground(x, y, width, CARD, lit if chosen else paints["panel"])
    for row in range(y, y + CARD):
        sheet.write(x, row, "▌" if chosen or paints.pixels else " ", "accent" if chosen else "line", BOLD)
    left = _picture(sheet, x + 2, y, card)
    state = end - STATE
    roomy = width >= ROOMY_CARD
    chips = state - CHIPS if roomy else state
    _title(sheet, left, y, card, state - 1 - left)
    edition = sheet.write(left, y + 1, cut(card.edition, chips - left - cell_len(card.clock) - 3))
    sheet.write(max(edition + 2, min(left + CLOCK, chips - cell_len(card.clock) - 1)), y + 1, card.clock, "muted")
    sheet.write(left, y + 2, cut(card.seen, state - 1 - left), "faint" if card.fresh else "warning")
    sheet.write(state, y, cut(card.state, STATE - 1), *(("accent", BOLD) if card.open and card.fresh else ("muted", 0)))
    _chips(sheet, chips, y + 1, card)
    if chosen:
        _button(sheet, end - 1, y + 2, card.way)
    else:
        key = "" if card.open else f"{sheet.means.keys['look_on']} "
        words = cut(f"{key}{card.way.lower()}", STATE - 1)
        sheet.write(state, y + (1 if roomy else 2), words, "muted")
    return canvas


def _title(sheet: Sheet, x: int, y: int, card: TableCard, room: int) -> None:
    """Write `abcdef by Ana`, with the name of the table in bold."""
    name = short_name(card.table)
    words = cut(sheet.say("lobby.by", table=name, host=card.host), room)
    sheet.write(x, y, words, "muted")
    if (at := words.find(name)) >= 0:
        sheet.write(x + cell_len(words[:at]), y, name, "text", BOLD)


def _picture(sheet: Sheet, x: int, y: int, card: TableCard) -> int:
    """Paint the table's picture, which is always the same for one table; return the column after it."""
    food = [sheet.paints.pictures.middle[code] for code in ON_IT if code in sheet.paints.pictures.middle]
    if not sheet.paints.depth or not food:
        return x
    sheet.canvas.stamp(x, 2 * y, food[sum(map(ord, card.table)) % len(food)])
    return x + PICTURE + 2


def _chips(sheet: Sheet, x: int, y: int, card: TableCard) -> None:
    """Paint a chip for each seat: taken ones in their colours, the others dim."""
    paints = sheet.paints
    for seat in range(1, card.seats + 1):
        taken = seat <= card.taken
        if not paints.pixels:
            x = sheet.write(x, y, f"[{seat}]" if taken else " . ", f"seat-{seat}" if taken else "faint") + 1
        elif taken:
            x = sheet.badge(x, y, f" {seat} ", paints.seat(seat)) + 1
        else:
            x = sheet.canvas.text(x, y, f" {seat} ", paints["faint"], 0, mix(paints["panel"], paints["text"], 0.08)) + 1


def _button(sheet: Sheet, end: int, y: int, way: str) -> None:
    """Paint the button of Enter at the right."""
    paints, key = sheet.paints, f" {sheet.means.keys['take']} "
    words = f" {way} "
    x = end - cell_len(key) - cell_len(words)
    if not paints.pixels:
        sheet.write(sheet.write(x, y, key, "accent", BOLD), y, words, "text", BOLD)
        return
    x = sheet.badge(x, y, key, paints["accent-shape"])
    sheet.canvas.text(x, y, words, paints["text"], BOLD, mix(paints["background"], paints["accent-shape"], 0.3))
