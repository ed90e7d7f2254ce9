"""The own hand: tiles as they lie on the board, and action cards on paper."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.message import Message

from ....text.cells import cut, wrap
from ....view.press import PickNumber, Press
from ....view.table.table import HandCard, HandTile
from ...canvas import BOLD, Canvas, mix
from ...draw.board import square_canvas
from ...draw.sheet import Means, Sheet
from ...paints import CARD_GROUND, CARD_INK, code_letters
from ...tiles import HUGE, LARGE, Size
from ...views.board_view import Square
from ...views.panel_views import HandView
from .notice import paint_notice
from .panel import TablePanel

CARDS_AT = 46
"""The column of the cards beside a row of tiles."""
LEAST_PICTURED = 24
"""Columns below which there is no room for pictures."""


class Hand(TablePanel[HandView]):
    """Shows the tiles and action cards of the person here; each can be picked."""

    LEAST = (15, 2)

    class Picked(Message):
        """Posted when a tile or a card is clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def paint(self, view: HandView, width: int, height: int) -> Canvas:
        return paint_hand(view, self.means, width, height)

    def press(self, press: Press) -> None:
        if isinstance(press, PickNumber):
            self.post_message(self.Picked(press.number))


def paint_hand(hand: HandView, means: Means, width: int, height: int) -> Canvas:
    """Paint tiles and cards beside each other: with pictures where there is room, else as chips in a row."""
    sheet = Sheet(means, width, height)
    tiles, cards = hand.tiles, hand.cards
    if hand.watching:
        return paint_notice(sheet.say("tui.watching"), means, width, height)
    size = HUGE if height >= 7 else LARGE
    if height < 6 or width < LEAST_PICTURED:
        _row(sheet, tiles, cards)
        return sheet.canvas
    x = 0
    if tiles:
        sheet.title(0, sheet.say("panel.hand"), end=len(tiles) * size.width - 1)
        for tile in tiles:
            _tile(sheet, x, 1, tile, size)
            x += size.width
        x += 1
    # Beside a narrow board they are narrow too.
    pitch = min(12, (width - x + 1) // max(1, len(cards)))
    sheet.title(0, sheet.say("panel.cards"), x=x, end=max(x + 12, x + len(cards) * pitch - 1))
    for card in cards:
        paint_card(sheet, x, 1, card, pitch - 1, size.height)
        if not card.new:
            sheet.canvas.click(x, 1, pitch - 1, size.height, PickNumber(card.key))
        x += pitch
    if not cards:
        sheet.write(x, 2, sheet.say("player.no-cards"), "faint")
    return sheet.canvas


def _tile(sheet: Sheet, x: int, y: int, tile: HandTile, size: Size) -> None:
    paints = sheet.paints
    if not tile.code or tile.held or tile.went:
        ground = mix(paints["panel"], paints["background"], 0.4)
        sheet.canvas.ground(x, y, size.width - 1, size.height - 1, ground)
        words = sheet.say("hand.to", square=tile.went) if tile.went else ""
        sheet.write(x + 1, y + 1, cut(words, size.width - 2), "accent", BOLD)
        if tile.held:
            sheet.write(x + 1, y + 1, cut(sheet.say("hand.held"), size.width - 2), "accent", BOLD)
    else:
        look = Square.of(sheet.means.ingredients[tile.code], sheet.texts.language)
        sheet.canvas.paste(square_canvas(look, size, paints, paints["background"]), x, y)
        if not code_letters(look.name, look.code) and size.height > 3:
            # The corner where the code of a name without it belongs is taken by the key.
            paint = sheet.tile(look.code)
            sheet.canvas.text(x, y, f"  {look.code}", paint.ink, BOLD | paint.attributes, paint.ground)
    sheet.key(x, y, str(tile.key or ""))
    sheet.canvas.click(x, y, size.width - 1, size.height, PickNumber(tile.key))


def paint_card(sheet: Sheet, x: int, y: int, card: HandCard, width: int, height: int, dark: float = 0.0) -> None:
    """Paint an action card: its name, and its effect in two lines."""
    paints = sheet.paints
    if paints.pixels:
        ground = mix(CARD_GROUND, paints["background"], 0.55 if card.played or card.new else dark)
        ink = CARD_INK
        sheet.canvas.ground(x, y, width, height - 1, ground)
        if paints.depth:
            sheet.canvas.fill(x, 2 * (y + height - 1), width, 1, mix(ground, 0, 0.45))
    else:
        ground, ink = paints["background"], paints["text"]
    faint = mix(ink, ground, 0.3)
    name = cut(card.name, width - 1)
    middle = (width - len(name)) // 2
    sheet.canvas.text(x + max(middle, 1), y + 1, name, ink, BOLD)
    does = wrap(sheet.say("hand.next-turn") if card.new else card.does, width)
    for row, words in enumerate(does if len(does) <= height - 3 else []):
        sheet.canvas.text(x + (width - len(words)) // 2, y + 2 + row, words, faint)
    if not card.new:
        sheet.key(x, y, str(card.key or ""))


def card_chip(sheet: Sheet, x: int, y: int, words: str, dark: float = 0.0, *, edge: bool = False) -> int:
    """Write an action card in one row; return the column after it."""
    if not sheet.paints.pixels:
        return sheet.write(x, y, words, "muted" if dark > 0.5 else "text", BOLD)
    ground = mix(CARD_GROUND, sheet.paints["background"], dark)
    end = sheet.canvas.text(x, y, words, CARD_INK, BOLD, ground)
    if edge and sheet.paints.depth:
        sheet.canvas.fill(x, 2 * y + 2, end - x, 1, mix(ground, 0, 0.45))
    return end


def _spelt(sheet: Sheet, code: str) -> str:
    """Return the name of a tile, after its code if the name does not spell it: `Sh Gambero`."""
    name = sheet.means.name(code)
    return name if code_letters(name, code) else f"{code} {name}"


def _row(sheet: Sheet, tiles: Sequence[HandTile], cards: Sequence[HandCard]) -> None:
    """Write the hand in one row: `HAND  1 Salmon ▸c4  2 Carrot   CARDS 4 Stack!`."""
    x = 0
    wide = sheet.width >= (60 if tiles else 28)
    if tiles and wide:
        x = sheet.write(x, 0, sheet.say("panel.hand-short").upper(), "muted", BOLD)
        x = max(x + 1, 7)
    # The cards begin further right only where names need it; what adorns them does not.
    size = sum(cell_len(f"1 XX {sheet.means.name(tile.code)}  ") for tile in tiles if tile.code)
    decorated = sheet.paints.glyphs == "emoji" and x + size <= CARDS_AT
    for tile in tiles:
        left = x
        x = sheet.key(x, 0, str(tile.key or ""))
        name = _spelt(sheet, tile.code) if tile.code and wide else tile.code
        if tile.went or tile.held:
            x = sheet.write(x, 0, f" {name} " if wide else "", "accent", BOLD)
            x = sheet.write(x, 0, f"▸{tile.went}" if tile.went else "▸", "accent", BOLD) + 1
        elif tile.code and wide:
            emoji = sheet.means.ingredients[tile.code].emoji if decorated else ""
            x = sheet.chip(x, 0, tile.code, f"{emoji} {name}".strip(), edge=sheet.height > 1) + 1
        elif tile.code:
            paint = sheet.tile(tile.code)
            x = sheet.canvas.text(x, 0, tile.code, paint.ink, BOLD | paint.attributes, paint.ground) + 2
        else:
            x = sheet.write(x, 0, " – ", "faint") + 1
        sheet.canvas.click(left, 0, x - left, 1, PickNumber(tile.key))
    if wide:
        x = max(x + 2, CARDS_AT) if tiles else 0
        x = sheet.write(x, 0, sheet.say("panel.cards-short").upper(), "muted", BOLD) + 1
    y = 0 if wide else 1
    x = x if wide else 0
    for card in cards:
        left = x
        x = x + 1 if card.new else sheet.key(x, y, str(card.key or ""))
        words = f" {card.name} " if wide else card.name[:2]
        away = card.played or card.new
        x = card_chip(sheet, x, y, words, 0.55 if away else 0.0, edge=wide and sheet.height > 1)
        x += 1 if wide else 2
        if not card.new:
            sheet.canvas.click(left, y, x - left, 1, PickNumber(card.key))
        elif x + cell_len(later := sheet.say("hand.next-turn")) <= sheet.width:
            x = sheet.write(x, y, later, "muted") + 1
    if not cards and wide:
        sheet.write(x, 0, "–", "faint")
