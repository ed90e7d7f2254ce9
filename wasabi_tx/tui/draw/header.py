"""The first line and the last: where the game stands, and which keys do what."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rich.cells import cell_len

from ...text import Texts
from ...view.table import TableView
from ..actions import footer_on, shown_keys
from ..content import clean
from ..spans import Line, Span, clip, line_width

WIDE = 60
_SPARED = ("accept", "back", "palette")
"""What narrow terminals do not say in the footer."""


def header_line(view: TableView, texts: Texts, width: int, over: bool, saved: bool = True) -> Line:
    """`WASABI! First edition  turn 14  15 squares left  YOUR TURN  ● saved`"""
    turn = texts.say("table.turn", turn=view.turn) if view.turn else texts.say("table.setup")
    left = texts.say("table.squares-left", count=view.squares_left)
    spans = [Span(" WASABI! ", "head")]
    if width >= WIDE:
        spans += [Span(view.edition, "head-muted"), Span(f"  {turn}", "head"), Span(f"  {left}", "head")]
    else:
        spans.append(Span(turn, "head"))
    spans.append(Span("  ", "head"))
    if over:
        spans.append(Span(f" {texts.say('play.over')} ", "turn"))
    elif view.your_turn:
        spans.append(Span(f" {texts.say('tui.your-turn')} ", "turn"))
    else:
        spans.append(Span(texts.say("table.to-move", name=clean(view.mover, 20) or "-"), "head"))
    state = (
        Span(f"● {texts.say('tui.saved')} ", "head-good") if saved else Span(f"○ {texts.say('tui.replay')} ", "head")
    )
    gap = width - line_width(spans) - cell_len(state.text)
    if gap >= 1:
        spans += [Span(" " * gap, "head"), state]
    line = clip(spans, width)
    return (*line, Span(" " * (width - line_width(line)), "head"))


def footer_line(
    where: str,
    texts: Texts,
    width: int,
    remapped: Mapping[str, str],
    before: str = "",
    without: Collection[str] = (),
) -> Line:
    """The keys that matter most here, `without` those that do nothing now; each can be clicked."""
    spans: list[Span] = [Span(before, "foot")] if before else []
    for action in footer_on(where):
        if action.id in without or (width < WIDE and action.id in _SPARED):
            continue
        key, words = shown_keys(action, remapped)[0], texts.say(f"tui.action.{action.id}")
        gap = "  " if spans else ""
        if line_width(spans) + cell_len(f"{gap}{key} {words}") > width:
            continue
        press = f"action:{action.id}"
        spans += [Span(gap, "foot"), Span(key, "foot-key", press), Span(f" {words}", "foot", press)]
    return tuple(spans)
