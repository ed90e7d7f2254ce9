"""The log of what happened: the newest first, each line with the seat that did it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from ...engine.position import NOBODY
from ...text import Texts
from ...view.log.chronicle import TurnEntry
from ...view.press import Do
from ..safe_text import clean, cut, wrap
from ..spans import Line, Span, rule


def since_lines(
    entries: Sequence[TurnEntry],
    notices: Sequence[str],
    texts: Texts,
    width: int,
    rows: int,
    key: str,
    watching: bool = False,
) -> list[Line]:
    """What the others did since the viewer's turn, and what everybody should know, in so many rows."""
    title = texts.say("tui.happened" if watching else "tui.since")
    more = f"({key} {texts.say('tui.log')})"
    fill = max(1, width - cell_len(title) - cell_len(more) - 2)
    lines = [rule((Span(title, "muted"), Span("─" * fill, "rule"), Span(more, "accent", Do("log"))), width)]
    for notice in notices:
        lines += [(Span(part, "warning"),) for part in wrap(clean(notice), width)]
    for entry in reversed(entries):
        lines += entry_lines(entry, width, texts)
    if not entries and not notices:
        lines.append((Span(cut(texts.say("play.log-empty"), width), "muted"),))
    return lines[:rows]


def entry_lines(entry: TurnEntry, width: int, texts: Texts) -> list[Line]:
    """`4 Av d5, Aki Roll 4★ 5+2, takes Sp, +Sa`"""
    words = clean(", ".join(entry.words) or texts.say("log.nothing"))
    if entry.seat == NOBODY:
        words = f"{texts.say('log.dealer')}: {words}"
    rows = wrap(words, max(8, width - 3))
    number = " " if entry.seat == NOBODY else str(entry.seat + 1)
    role = "muted" if entry.seat == NOBODY else f"seat-{number}"
    return [
        (Span(f" {number if n == 0 else ' '} ", role if n == 0 else "text"), Span(row, "text"))
        for n, row in enumerate(rows)
    ]
