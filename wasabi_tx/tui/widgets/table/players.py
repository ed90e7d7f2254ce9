"""The players: whose turn it is, totals, tokens or recipes served, cubes, recipes, cards and tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len
from textual.geometry import Size
from textual.reactive import reactive

from ....games.game import SeatState
from ....text.cells import cut
from ....text.foreign import clean
from ....view.press import Do
from ....view.table.table import SeatView
from ...canvas import BOLD, Canvas, mix
from ...draw.portrait import FACE_WIDE, has_faces, paint_face
from ...draw.sheet import Means, Sheet
from ...views.panel_views import PlayersView, Tokens
from .panel import TablePanel

NARROW = 30
"""Columns below which only names and totals are shown."""
LEAST_BAR = 4
"""Fewest columns of a useful bar."""
BAR_FULL = 40
"""The score that fills a bar, unless somebody has more."""


_MARKS = {
    SeatState.COMPOSING: " …",
    SeatState.PAUSED: " ‖",
    SeatState.RECONNECTING: " ◌",
    SeatState.AWAY: " ○",
    SeatState.CLOSED: " ○",
}


class Players(TablePanel[PlayersView]):
    """Shows every seat: whose turn it is, totals, tokens, cubes, recipes, cards and tiles."""

    LEAST = (15, 1)

    deep: reactive[int] = reactive(1, layout=True)
    """Rows that each seat should have."""
    most: reactive[int] = reactive(99, layout=True)
    """The most rows for all players together."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport
        seats = len(self.view.seats) if self.view is not None else 0
        if width < NARROW:
            return seats
        return min(self.most, 1 + seats if self.deep == 1 else 2 + self.deep * seats)

    def paint(self, view: PlayersView, width: int, height: int) -> Canvas:
        return paint_players(view, self.means, width, height)


def paint_players(players: PlayersView, means: Means, width: int, height: int) -> Canvas:
    """Paint a row for each, or two or three where there is room; who leads has a mark, and a gain is counted up."""
    sheet = Sheet(means, width, height)
    seats, tokens, states, gain = players.seats, players.tokens, players.states, players.gain
    small = width < NARROW
    rows = 1 if small else next((deep for deep in (3, 2) if height >= 1 + deep * len(seats)), 1)
    top = 0
    if not small:
        sheet.title(0, sheet.say("panel.players"))
        top = 1
    if gain is not None:
        seats = tuple(
            replace(seat, total=seat.total - gain.ahead) if number == gain.seat else seat
            for number, seat in enumerate(seats)
        )
    best = max((seat.total for seat in seats if not seat.gone), default=0)
    for number, seat in enumerate(seats):
        y = top + number * rows
        if y >= height:
            break
        leads = seat.total == best and best > 0 and not seat.gone
        gained = f"+{gain.gained}" if gain is not None and gain.seat == number else ""
        if small:
            _tiny(sheet, y, seat, _mark(seat, states, number))
        elif rows == 1:
            _one(sheet, y, seat, tokens, leads, _mark(seat, states, number), gained)
        else:
            _several(sheet, y, seat, tokens, leads, _mark(seat, states, number), max(BAR_FULL, best), rows, gained)
        sheet.canvas.click(0, y, width, rows, Do("who"))
    if not small:
        _heads(sheet, tokens, rows)
    if rows > 1 and height > top + rows * len(seats):
        _legend(sheet, top + rows * len(seats), tokens)
    return sheet.canvas


def _mark(seat: SeatView, states: Sequence[SeatState], number: int) -> str:
    """Return the sign behind the name of a player who has left or is not connected."""
    if seat.gone:
        return " ×"
    return _MARKS.get(states[number], "") if number < len(states) else ""


def _name(sheet: Sheet, seat: SeatView, mark: str, room: int) -> str:
    name = sheet.say("tui.you") if seat.you else clean(seat.name, 24)
    return cut(name, room - cell_len(mark)) + mark


def _row_ground(sheet: Sheet, y: int, rows: int, seat: SeatView) -> None:
    if seat.to_move:
        sheet.canvas.ground(0, y, sheet.width, rows, sheet.paints["panel"])


def _tiny(sheet: Sheet, y: int, seat: SeatView, mark: str) -> None:
    _row_ground(sheet, y, 1, seat)
    x = sheet.seat(0, y, seat.number) + 1
    room = sheet.width - x - 6
    sheet.write(x, y, _name(sheet, seat, mark, room), "text", BOLD if seat.to_move else 0)
    left = f" {sum(count for _, count in seat.tokens)}○" if seat.tokens else ""
    at = sheet.write_right(y, left, "muted")
    sheet.write_right(y, str(seat.total), "points", BOLD, end=at)


def _dots(sheet: Sheet, x: int, y: int, seat: SeatView, tokens: Sequence[Tokens]) -> None:
    left = dict(seat.tokens)
    for token in tokens:
        done = token.each - left.get(token.length, 0)
        x = sheet.write(x, y, "●" * done, "points")
        x = sheet.write(x, y, "○" * (token.each - done), "faint") + 1


def _dots_width(tokens: Sequence[Tokens]) -> int:
    return sum(token.each + 1 for token in tokens) - 1 if tokens else 0


def _heads(sheet: Sheet, tokens: Sequence[Tokens], rows: int) -> None:
    """Write `points` above the totals and `recipes of 2 3 4 5` above the dots, where there is room."""
    at = x = _dots_at(sheet, tokens, rows)
    end = cell_len(sheet.say("panel.players")) + 1
    points = f" {sheet.say('player.points')} "
    if rows > 1:
        end = sheet.write(max(end, _left(sheet, rows) + 13 - cell_len(points)), 0, points, "muted")
    for token in tokens:
        middle = x + (token.each - 1) // 2
        sheet.write(middle, 0, f"{token.length}", "muted")
        x += token.each + 1
    if rows == 1:
        sheet.write(x + 1 if tokens else 26, 0, "■", "muted")
    elif tokens and at - cell_len(of := f" {sheet.say('player.recipes-of')} ") > end:
        sheet.write_right(0, of, "muted", end=at + 1)


def _legend(sheet: Sheet, y: int, tokens: Sequence[Tokens]) -> None:
    """Explain the signs as far as there is room: `● completed  ○ to do  2 recipe held  ■ cubes`."""
    done = [("●", "points", sheet.say("player.done")), ("○", "faint", sheet.say("player.to-do"))] if tokens else []
    cubes = ("■", "accent", sheet.say("player.cubes"))
    for held, gap in (("player.held-long", 2), ("player.held", 2), ("player.held", 1)):
        signs = [*done, ("2", "", sheet.say(held)), cubes]
        if sum(cell_len(words) + 2 + gap for _, _, words in signs) - gap < sheet.width:
            break
    x = 1
    for sign, token, words in signs:
        if x + 2 + cell_len(words) > sheet.width:
            break
        x = sheet.write(x, y, sign, token) if token else sheet.paper(x, y, sign)
        x = sheet.write(x, y, f" {words}", "faint") + gap


def _left(sheet: Sheet, rows: int) -> int:
    """Return the column where each player begins, to the right of their face."""
    return 2 + FACE_WIDE if rows == 3 and has_faces(sheet) else 1


def _dots_at(sheet: Sheet, tokens: Sequence[Tokens], rows: int) -> int:
    return 11 if rows == 1 else sheet.width - _dots_width(tokens) - 1


def _one(sheet: Sheet, y: int, seat: SeatView, tokens: Sequence[Tokens], leads: bool, mark: str, gained: str) -> None:
    """Write a player in one row: `3 You   17 ●●●● ●●○ ○○ ○ 3■ 345 StSt`."""
    _row_ground(sheet, y, 1, seat)
    sheet.seat(0, y, seat.number)
    sheet.write(2, y, _name(sheet, seat, mark, 6), "text", BOLD if seat.to_move else 0)
    total = f"{seat.total:>2}"
    if leads and sheet.paints.pixels:
        sheet.badge(8, y, total, sheet.paints["points-shape"])
    else:
        sheet.write(8, y, total, "points", BOLD)
        if leads:
            sheet.write(10, y, "▴", "points")
    if tokens:
        _dots(sheet, 11, y, seat, tokens)
        x = 11 + _dots_width(tokens)
    else:
        _bar(sheet, 11, y, 12, seat, BAR_FULL)
        x = 24
    sheet.write(x, y, f"{seat.cubes:>2}■", "accent", BOLD)
    x += 4
    if gained:
        sheet.write(x, y, gained, "points", BOLD)
        return
    _lengths(sheet, x, y, seat, spaced=False)
    cards = "".join(seat.cards)
    sheet.write(min(x + 4, sheet.width - 4), y, cards or " –", "text" if cards else "faint")


def _lengths(sheet: Sheet, x: int, y: int, seat: SeatView, spaced: bool) -> int:
    """Write the recipes in hand as little paper cards; return the column after them."""
    for length in seat.lengths:
        x = sheet.paper(x, y, str(length)) + (1 if spaced else 0)
    return x


def _bar(sheet: Sheet, x: int, y: int, width: int, seat: SeatView, full: int) -> None:
    """Paint a bar as long as the score in the seat's colour, with nothing behind it: there is no score to reach."""
    share = min(1.0, seat.total / full) if full else 0.0
    cells = share * width
    ink = sheet.paints.seat(seat.number) if sheet.paints.colours else sheet.paints["text"]
    if sheet.paints.pixels:
        sheet.canvas.ground(x, y, int(cells), 1, ink)
        part = int((cells - int(cells)) * 8)
        if part and not sheet.paints.ascii:
            sheet.canvas.text(x + int(cells), y, " ▏▎▍▌▋▊▉"[part], ink)
    else:
        sheet.canvas.text(x, y, "█" * round(cells), ink)


def _several(
    sheet: Sheet, y: int, seat: SeatView, tokens: Sequence[Tokens], leads: bool, mark: str, full: int, rows: int,
    gained: str,
) -> None:  # fmt: skip
    """Paint a player in two rows: name, total, bar, tokens; recipes, cubes, cards, tiles.

    A third row shows the tiles by name.
    """
    _row_ground(sheet, y, rows, seat)
    if seat.to_move:
        for row in range(rows):
            sheet.canvas.text(0, y + row, "▌", sheet.paints.seat(seat.number))
    left = _left(sheet, rows)
    if left > 1:
        paint_face(sheet, 1, y, seat)
    sheet.seat(left, y, seat.number)
    sheet.write(left + 2, y, _name(sheet, seat, mark, 9), "text", BOLD if seat.to_move else 0)
    sheet.write(left + 11, y, f"{seat.total:>2}", "points", BOLD)
    if leads:
        sheet.write(left + 13, y, "▴", "points")
    end = _dots_at(sheet, tokens, rows) - 2 if tokens else sheet.width - 10
    bar, room = left + 15, max(0, end - left - 15)
    if room >= LEAST_BAR:
        _bar(sheet, bar, y, room, seat, full)
        at = bar + min(room - len(gained) - 1, seat.total * room // full + 1)
    else:
        # Beside the total, where the mark of the leader is.
        at = left + 13
    if gained:
        sheet.write(at, y, gained, "points", BOLD)
    if tokens:
        _dots(sheet, _dots_at(sheet, tokens, rows), y, seat, tokens)
    else:
        sheet.write_right(y, sheet.say("player.served", count=len(seat.claimed)), "text")
    _lengths(sheet, left + 2, y + 1, seat, spaced=True)
    sheet.write_right(y + 1, f"{seat.cubes}■", "accent", BOLD, end=left + 13)
    x = left + 14
    shows_tiles = bool(seat.tiles) and not seat.you
    if not seat.cards:
        x = sheet.write(x, y + 1, f" {sheet.say('player.no-cards')} ", "faint")
    end = sheet.width - 4 * len(seat.tiles) - 1 if shows_tiles and rows == 2 else sheet.width
    for words in _card_words(sheet, seat.cards, end - x):
        ground = mix(sheet.paints["panel"], sheet.paints["text"], 0.16) if sheet.paints.pixels else None
        x = sheet.canvas.text(x, y + 1, words, sheet.paints["text"], 0, ground) + 1
    if shows_tiles:
        room = sheet.width - x - 1
        if room >= 4 * len(seat.tiles) or rows > 2:
            at = sheet.width - 4 * len(seat.tiles) - 1 if rows == 2 else left + 2
            for code in seat.tiles:
                at = sheet.chip(at, y + (1 if rows == 2 else 2), code, code if rows == 2 else None)


def _card_words(sheet: Sheet, cards: Sequence[str], room: int) -> list[str]:
    """Return the action cards by name, with less padding where there is less room, else by code."""
    names = [sheet.means.card(code) for code in cards]
    for words in ([f" {name} " for name in names], names):
        if sum(cell_len(one) + 1 for one in words) <= room:
            return words
    return [f" {code} " for code in cards]
