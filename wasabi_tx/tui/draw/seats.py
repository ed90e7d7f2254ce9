"""The seats: who moves, totals, cubes, tokens left, cards, lengths of recipes."""

from __future__ import annotations

from collections.abc import Collection

from ...text import Texts
from ...view.press import Do
from ...view.table.table import SeatView, TableView
from ..safe_text import clean, cut, fit
from ..spans import Line, Span, clip

NARROW = 35


def seat_lines(
    view: TableView, texts: Texts, width: int, hand_recipes: int, away: Collection[int] = ()
) -> tuple[Line, ...]:
    """One line a seat; two where there is room, the second with tiles and completed recipes. Who is away has a ○."""
    wide = width >= 50
    tokens = any(seat.tokens for seat in view.seats)
    lines = [_titles(texts, width, tokens)]
    for seat in view.seats:
        lines.append(_row(seat, texts, width, tokens, hand_recipes, seat.number - 1 in away))
        if wide:
            lines.append(_second(seat, texts, width))
    return tuple(lines)


def _name_room(width: int) -> int:
    return 9 + max(0, width - NARROW) // 3


def _titles(texts: Texts, width: int, tokens: bool) -> Line:
    room = _name_room(width)
    seat, total, left = texts.say("tui.seat.seat"), texts.say("tui.seat.total"), texts.say("tui.seat.left")
    text = f" {fit(seat, room + 1)}{fit(total, 6).rstrip():>5} ★ "
    text += f"{fit(left, 5)} " if tokens else ""
    wide = 6 if tokens else 12
    text += f"{fit(texts.say('tui.seat.cards'), wide)} {texts.say('tui.seat.rec')}"
    return clip((Span(text, "muted"),), width)


def _row(seat: SeatView, texts: Texts, width: int, tokens: bool, hand_recipes: int, away: bool) -> Line:
    room = _name_room(width)
    press = Do("who")
    name = texts.say("tui.you") if seat.you else clean(seat.name, 20)
    marks = f" {texts.say('tui.bot')}" if seat.bot and not seat.gone else ""
    marks += " ×" if seat.gone else " ○" if away else ""
    name = cut(name, room - len(marks)) + marks
    role = "muted" if seat.gone else "strong" if seat.you else "text"
    spans = [
        Span("►" if seat.to_move else " ", "key"),
        Span(str(seat.number), f"seat-{seat.number}", press),
        Span(" " + fit(name, room), role, press),
        Span(f"{seat.total:>3}", "strong"),
        Span(f"{seat.cubes:>3} ", "accent"),
    ]
    if tokens:
        last = sum(count for _, count in seat.tokens) == 1 and not seat.gone
        spans.append(Span(fit("".join(str(count) for _, count in seat.tokens), 6), "warning" if last else "text"))
    room_cards = 6 if tokens else 12
    spans.append(Span(fit(" ".join(seat.cards) or "-", room_cards) + " ", "text"))
    lengths = "".join(map(str, seat.lengths))
    spans.append(Span(lengths + "·" * (hand_recipes - len(lengths)), "muted"))
    return clip(spans, width)


def _second(seat: SeatView, texts: Texts, width: int) -> Line:
    tokens = "  ".join(f"{length} " + "●" * left for length, left in seat.tokens if left)
    tiles = " ".join(seat.tiles)
    words = "   ".join(part for part in (tokens, tiles, texts.say("tui.completed", count=len(seat.claimed))) if part)
    return clip((Span("   ", "muted"), Span(cut(words, width - 4), "muted")), width)
