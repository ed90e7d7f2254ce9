"""The stocks beside the board: kitchen or display, decks, the pantry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from ...engine.edition import Ingredient
from ...text import Texts
from ...view.press import PickCode
from ...view.table.table import TableView
from ..safe_text import cut, fit
from ..spans import Line, Span, clip, rule


def stock_lines(view: TableView, texts: Texts, width: int) -> list[Line]:
    """`─kitchen─Ch Sp St Sw2 Wasabi! on f3 ─` and `─decks─2:11 3:9 4:7 5:6─`"""
    labels = [stock.label.lower() if not n else stock.label for n, stock in enumerate(view.stocks)]
    items = sum(cell_len(stock.items) + 1 for stock in view.stocks)
    over = 2 + items + max(9, cell_len(labels[0]) + 1) + sum(cell_len(label) + 1 for label in labels[1:]) - width
    if over > 0 and len(labels) > 1:
        # What lies there matters more than what it is called.
        labels[-1] = view.stocks[-1].short or labels[-1]
    spans: list[Span] = []
    for label, stock in zip(labels, view.stocks, strict=True):
        lead = f"{label} " if spans else fit_rule(label, 8)
        spans += [Span(lead, "muted"), Span(stock.items, "strong"), Span(" ", "text")]
    decks = " ".join(f"{length}:{count}" for length, count in view.decks)
    piles = [Span(fit_rule(texts.say("tui.decks"), 8), "muted"), Span(decks, "strong"), Span(" ", "text")]
    return [rule(spans, width), rule(piles, width)]


def fit_rule(label: str, width: int) -> str:
    """A label and a rule up to what comes next."""
    return label + "─" * max(1, width - cell_len(label))


def pantry_lines(
    view: TableView, texts: Texts, width: int, names: Mapping[str, Ingredient], full: bool, offered: Sequence[str]
) -> list[Line]:
    """Every tile with how many are left; a star for those that the own recipes miss."""
    missing = any(item.missing for item in view.pantry)
    words = [Span(fit_rule(texts.say("tui.pantry"), 8), "muted")]
    if missing:
        words.append(Span(texts.say("tui.missing"), "muted"))
    lines = [rule(words, width)]
    size = 4
    if full:
        size = max(16, width // max(1, width // 16))
    columns = max(1, width // size)
    row: list[Span] = []
    for number, item in enumerate(view.pantry, 1):
        role = (
            "muted"
            if not item.count
            else "key"
            if item.code in offered and item.missing
            else "strong"
            if item.missing
            else "text"
        )
        text = f"{'*' if item.missing else ' '}{item.code}{item.count or '-'}"
        if full:
            text = fit(f"{text} {cut(names[item.code].names[texts.language], size - 6)}", size)
        row.append(Span(text, role, PickCode(number) if item.count else None))
        if len(row) == columns:
            lines.append(clip(row, width))
            row = []
    if row:
        lines.append(clip(row, width))
    return lines
