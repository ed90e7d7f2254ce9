"""The kitchen of the first edition; the cards to take and the pool of the second."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.message import Message

from ....view.editions.edition_view import KitchenCard, KitchenView
from ....view.press import PickCode, Press
from ....view.table.table import HandCard
from ...canvas import BOLD, Canvas, mix
from ...draw.sheet import Means, Sheet
from .hand import card_chip, paint_card
from .panel import TablePanel


class Kitchen(TablePanel[KitchenView]):
    """Shows the action cards of the kitchen, or those that can be taken and the pool; a card can be picked."""

    LEAST = (14, 1)

    class Picked(Message):
        """Posted when a card that may be taken is clicked."""

        def __init__(self, card: int) -> None:
            super().__init__()
            self.card = card

    def paint(self, view: KitchenView, width: int, height: int) -> Canvas:
        return paint_kitchen(view, self.means, width, height)

    def press(self, press: Press) -> None:
        if isinstance(press, PickCode):
            self.post_message(self.Picked(press.number))


def paint_kitchen(kitchen: KitchenView, means: Means, width: int, height: int) -> Canvas:
    """Paint the kitchen as there is room: as cards, as a list, or in one row."""
    sheet = Sheet(means, width, height)
    if kitchen.offered and height < 3:
        _offered(sheet, kitchen)
    elif height == 1:
        _row(sheet, kitchen)
    elif kitchen.offered:
        _display(sheet, kitchen)
    else:
        _list(sheet, kitchen)
    return sheet.canvas


POOL = 7
"""Columns of the pool beside the cards to take."""
DARK = 0.3
"""The share by which cards on offer are darker than the player's own."""


def _offered(sheet: Sheet, kitchen: KitchenView) -> None:
    """Write `TAKE ONE  Chop  Chop  Stack   POOL 2■`, with codes where names do not fit."""
    shown = [card for card in kitchen.cards for _ in range(card.count)]
    pool, cubes = f"{sheet.say('panel.pool').upper()} ", kitchen.pool or 0
    x = sheet.write(0, 0, kitchen.title.upper(), "muted", BOLD) + 1
    room = sheet.width - x - cell_len(f"{pool}{cubes}■") - 1
    named = sum(cell_len(card.name) + 3 for card in shown) <= room
    for card in shown:
        end = card_chip(sheet, x, 0, f" {card.name if named else card.code} ", DARK, edge=sheet.height > 1)
        sheet.canvas.click(x, 0, end - x, 1, PickCode(card.number))
        x = end + 1
    x = sheet.write(x if shown else sheet.write(x, 0, "–", "faint") + 1, 0, f" {pool}", "muted", BOLD)
    sheet.write(x, 0, f"{cubes}■", "accent", BOLD)


def _row(sheet: Sheet, kitchen: KitchenView) -> None:
    """Write the cards in one row, by name if they fit, else by code; a count is never cut."""
    there = [card for card in kitchen.cards if card.count or card.where]
    room = sheet.width - cell_len(kitchen.title)
    shown, gap = [card.code for card in there], 2
    for names, wide in (([card.name for card in there], 2), ([card.name.rstrip("!") for card in there], 1)):
        if sum(cell_len(f"{name} {_where(card)}") + wide for name, card in zip(names, there, strict=True)) < room:
            shown, gap = names, wide
            break
    x = sheet.write(0, 0, kitchen.title.upper(), "muted", BOLD) + 1
    for name, card in zip(shown, there, strict=True):
        token = "accent" if card.where else "text"
        x = sheet.write(x, 0, f"{name} ", token)
        x = sheet.write(x, 0, _where(card), token, BOLD) + gap


def _where(card: KitchenCard) -> str:
    """Format where a card's copies are, in the kitchen or on the board: `2`, `on d3`, `on d3+1`."""
    return f"{card.where}+{card.count}" if card.where and card.count else card.where or str(card.count)


def _list(sheet: Sheet, kitchen: KitchenView) -> None:
    about = sheet.say("kitchen.about")
    roomy = cell_len(kitchen.title) + cell_len(about) + 4 <= sheet.width
    sheet.title(0, kitchen.title, about if roomy else "")
    for row, card in enumerate(kitchen.cards, 1):
        there = bool(card.count or card.where)
        x = max(cell_len(one.name) for one in kitchen.cards) + (4 if roomy else 2)
        if card.count and roomy:
            card_chip(sheet, 0, row, f" {card.name} ".ljust(x - 2))
        else:
            sheet.write(1 if roomy else 0, row, card.name, "text" if there else "faint")
        if card.count or not card.where:
            x = sheet.write(x, row, str(card.count) if card.count else "–", "text" if there else "faint", BOLD) + 1
        lies = next((one for one in (card.where, card.squares) if x + cell_len(one) <= sheet.width), "")
        x = sheet.write(x, row, lies, "accent") + (2 if lies else 1)
        if x + cell_len(card.does) <= sheet.width:
            sheet.write(x, row, card.does, "muted" if there else "faint")


def _display(sheet: Sheet, kitchen: KitchenView) -> None:
    """Paint the three cards on offer, then the pool of cubes."""
    shown = [card for card in kitchen.cards for _ in range(card.count)]
    room = sheet.width - POOL - 2
    size = min(11, (room + 1) // max(1, len(shown)) - 1)
    if any(cell_len(card.name) > size - 2 for card in shown):
        _narrow_display(sheet, kitchen, shown)
        return
    sheet.title(0, kitchen.title, end=room)
    x = 0
    for card in shown:
        paint_card(sheet, x, 1, HandCard(0, card.code, card.name, card.does), size, sheet.height - 1, dark=DARK)
        sheet.canvas.click(x, 1, size, sheet.height - 1, PickCode(card.number))
        x += size + 1
    if not shown:
        sheet.write(0, 2, "–", "faint")
    _pool(sheet, room + 2, kitchen.pool or 0)


def _narrow_display(sheet: Sheet, kitchen: KitchenView, shown: Sequence[KitchenCard]) -> None:
    """Write the cards as rows where they do not fit side by side, with the pool in the last one."""
    sheet.title(0, kitchen.title)
    wide = max(cell_len(card.name) for card in shown) + 2
    for row, card in enumerate(shown, 1):
        sheet.write(0, row, card.name, "text", BOLD)
        if wide + cell_len(card.does) <= sheet.width:
            sheet.write(wide, row, card.does, "muted")
        sheet.canvas.click(0, row, sheet.width, 1, PickCode(card.number))
    x = sheet.write(0, sheet.height - 1, f"{sheet.say('panel.pool').upper()} ", "muted", BOLD)
    sheet.write(x, sheet.height - 1, sheet.say("worth.cubes", count=kitchen.pool or 0), "accent", BOLD)


def _pool(sheet: Sheet, x: int, pool: int) -> None:
    """Paint cubes of three columns and a row and a half, in rows of two."""
    sheet.title(0, sheet.say("panel.pool"), x=x)
    green = sheet.paints["accent-shape"]
    for number in range(min(pool, 4)):
        row, column = divmod(number, 2)
        at, y = x + 4 * column, 2 + 2 * row
        if sheet.paints.pixels:
            sheet.canvas.fill(at, 2 * y, 3, 2, green)
            sheet.canvas.fill(at, 2 * y + 2, 3, 1, mix(green, 0, 0.42))
        else:
            sheet.write(at, y, "■", "accent")
    words = sheet.say("worth.cubes", count=pool)
    sheet.write(x, sheet.height - 1, words if cell_len(words) <= sheet.width - x else f"{pool}■", "text")
