"""The header: the turn, squares left, whose turn it is, who follows, and the connection."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from ....text.foreign import clean
from ....view.online.surroundings import Around
from ....view.table.table import SeatView
from ...canvas import BOLD, Canvas
from ...draw.sheet import Means, Sheet
from ...views.panel_views import HeaderView
from .panel import TablePanel

GAP = 2


class TableHeader(TablePanel[HeaderView]):
    """Shows the turn, what is left, whose turn it is, who follows, and the connection."""

    def paint(self, view: HeaderView, width: int, height: int) -> Canvas:
        return paint_header(view, self.means, width, height)


def paint_header(view: HeaderView, means: Means, width: int, height: int = 1) -> Canvas:
    """Paint the header in one row; what has no room is left out, the edition first."""
    sheet = Sheet(means, width, height, "panel")
    around, lifted = view.around, means.keys.get("under", "") if view.lifted else ""
    end = _state(sheet, around, view)
    badge = _badge_words(sheet, view)
    small = width < 60
    x = 0
    if not small:
        brand = f" {sheet.say('tui.brand')} "
        x = (
            sheet.badge(0, 0, brand, sheet.paints["accent-shape"])
            if sheet.paints.pixels
            else sheet.write(0, 0, brand, "text", BOLD)
        )
        x += 1
    turn = sheet.say("table.turn", turn=view.turn) if view.turn else sheet.say("table.setup")
    left = sheet.say("table.squares-left", count=view.squares_left)
    facts = [(clean(view.edition), "text"), (f"{turn} · {left}", "muted")]
    if around.title:
        facts.append((sheet.say("tui.table", title=clean(around.title, 20)), "muted"))
    if around.watchers:
        facts.append((sheet.say("tui.watchers", count=around.watchers), "muted"))
    if lifted:
        facts.insert(0, (f"{sheet.say('tui.lifted')} ({lifted})", "accent"))
    if width < 100:
        facts.pop(1 if lifted else 0)
    room = end - x - cell_len(badge) - 2
    after = _following(view) if not view.over and not view.replayed else []
    if small:
        after = []
        x = _paint_badge(sheet, 0, view, badge) + 1
        room = end - x
        short = (f"{turn} · {sheet.say('table.left', count=view.squares_left)}", "muted")
        facts = facts[:1] if lifted or cell_len(facts[0][0]) + GAP <= room else [short]
    while facts and sum(cell_len(words) + GAP for words, _ in facts) > room:
        facts.pop(0 if len(facts) > 1 and not lifted else -1)
    for words, token in facts:
        x = sheet.write(x, 0, words, token) + GAP
    if small:
        return sheet.canvas
    order = _order(sheet, after, end - x - cell_len(badge) - 1)
    at = max(x, end - cell_len(badge) - sum(cell_len(words) for words, _ in order) - 1) if width >= 100 else x
    at = _paint_badge(sheet, at, view, badge)
    for words, seat in order:
        ink = sheet.paints.seat(seat) if seat and sheet.paints.colours else sheet.paints["muted"]
        at = sheet.canvas.text(at, 0, words, ink, BOLD if words.strip().isdigit() else 0)
    return sheet.canvas


def _badge_words(sheet: Sheet, view: HeaderView) -> str:
    timed = f" {view.clock}" if view.clock else ""
    if view.over:
        return f" {sheet.say('play.over')} "
    if view.replayed:
        return f" {sheet.say('tui.replay')} "
    if view.composing:
        return f" {sheet.say('header.planning')} "
    if view.your_turn:
        return f" {sheet.say('tui.your-turn')}{timed} "
    if not view.mover:
        return f" {sheet.say('header.dealing')} "
    return f" {sheet.say('header.playing', name=clean(view.mover, 20))}{timed} "


def _paint_badge(sheet: Sheet, x: int, view: HeaderView, words: str) -> int:
    paints = sheet.paints
    mover = next((seat for seat in view.seats if seat.to_move), None)
    ground = paints["accent-shape"]
    if view.over:
        ground = paints["points-shape"]
    elif not view.your_turn and mover is not None:
        ground = paints.seat(mover.number)
    if not paints.pixels:
        return sheet.canvas.text(x, 0, words, paints["accent"], BOLD)
    return sheet.badge(x, 0, words, ground)


def _following(view: HeaderView) -> list[SeatView]:
    """Return the seats that move after the present player, in order."""
    at = next((n for n, seat in enumerate(view.seats) if seat.to_move), None)
    if at is None:
        return []
    count = len(view.seats)
    return [seat for seat in (view.seats[(at + n) % count] for n in range(1, count)) if not seat.gone]


def _order(sheet: Sheet, after: Sequence[SeatView], room: int) -> list[tuple[str, int]]:
    """Return the parts of ` › 2 Udon › 3 Mochi`, by name alone where that does not fit, then only the first."""
    names = [sheet.say("tui.you") if seat.you else clean(seat.name, 12) for seat in after]
    whole = sum(cell_len(f" › 1 {name}") for name in names) <= room
    parts: list[tuple[str, int]] = []
    for seat, name in zip(after, names, strict=True):
        number = [(f"{seat.number}", seat.number)] if whole else []
        words = [(" › ", 0), *number, (f" {name}" if whole else name, seat.number)]
        if sum(cell_len(text) for text, _ in parts + words) > room:
            break
        parts += words
    return parts


def _state(sheet: Sheet, around: Around, view: HeaderView) -> int:
    """Write the state of the connection: a dot if all is well, else a word; return the column where it begins."""
    if view.replayed:
        return sheet.width
    good = around.state in ("saved", "sync")
    # An empty dot means that there is no connection, and nothing else does.
    dot = "○" if around.state == "down" else "●"
    words = dot if good else f"{dot} {sheet.say(f'tui.state.{around.state}')}"
    if good and sheet.width >= 100:
        words = f"● {sheet.say(f'tui.state.{around.state}')}"
    token = "accent" if good else "error" if around.state == "down" else "muted"
    return sheet.write_right(0, f"{words} ", token) - 1
