"""The header and the footer: how the game is going, and which keys do what."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rich.cells import cell_len

from ...text import Texts
from ...view.online.surroundings import Around
from ...view.press import Do
from ...view.table.table import TableView
from ..keys import footer_on, shown_keys
from ..safe_text import clean
from ..scene import QUIET
from ..spans import Line, Span, clip, line_width

WIDE = 60
_SPARED = ("accept", "back", "palette")
"""What narrow terminals do not say in the footer."""
_FIRST_TO_GO = ("palette", "panels", "talk", "back")
"""What is left out where not everything fits: never how to leave."""


def header_line(
    view: TableView,
    texts: Texts,
    width: int,
    over: bool,
    around: Around = QUIET,
    replayed: bool = False,
    clock: str = "",
    lifted: str = "",
) -> Line:
    """`WASABI! First edition  table koi  turn 14  15 squares left  YOUR TURN 0:42  ● in sync`

    `lifted` is the key that puts back what is lifted, while something is.
    """
    say = texts.say
    turn = say("table.turn", turn=view.turn) if view.turn else say("table.setup")
    left = say("table.squares-left", count=view.squares_left)
    timed = f" {clock}" if clock else ""
    if over:
        now = Span(f" {say('play.over')} ", "turn")
    elif view.your_turn and not replayed:
        now = Span(f" {say('tui.your-turn')}{timed} ", "turn")
    else:
        now = Span(say("table.to-move", name=clean(view.mover, 20) or "-") + timed, "head")
    state = Span(f"○ {say('tui.replay')} ", "head") if replayed else _state(around, texts)
    named = say("tui.table", title=clean(around.title, 20)) if around.title else ""
    watched = say("tui.watchers", count=around.watchers) if around.watchers else ""
    under = f" {say('tui.lifted')} ({lifted}) " if lifted else ""
    # In the order in which they stand, each with what goes first where there is no room for all of them.
    parts = [
        (4, Span(view.edition, "head-muted")), (3, Span(named, "head-muted")), (0, Span(turn, "head")),
        (1, Span(left, "head")), (2, Span(watched, "head-muted")), (0, Span(under, "turn")),
    ]  # fmt: skip
    kept = [part for part in parts if part[1].text and (width >= WIDE or not part[0])]
    room = width - cell_len(f" WASABI! {now.text}{state.text}") - 1
    while sum(cell_len(span.text) + 2 for _, span in kept) > room and len(kept) > 1:
        kept.remove(max(kept, key=lambda part: part[0]))
    between = Span("  ", "head")
    spans = [Span(" WASABI! ", "head"), *(one for _, span in kept for one in (span, between)), now]
    gap = width - line_width(spans) - cell_len(state.text)
    if gap >= 1:
        spans += [Span(" " * gap, "head"), state]
    line = clip(spans, width)
    return (*line, Span(" " * (width - line_width(line)), "head"))


def _state(around: Around, texts: Texts) -> Span:
    """The one place that tells of the connection, and quietly how far the own moves have come."""
    words = texts.say(f"tui.state.{around.state}")
    if around.state == "down":
        return Span(f" ○ {words} ", "turn")
    good = around.state in ("saved", "sync")
    return Span(f"{'●' if good else '○'} {words} ", "head-good" if good else "head-muted")


def footer_line(
    where: str,
    texts: Texts,
    width: int,
    remapped: Mapping[str, str],
    before: str = "",
    without: Collection[str] = (),
    keep: Collection[str] = (),
) -> Line:
    """The keys that matter most here, `without` those that do nothing now; each can be clicked.

    Where not all fit, those to `keep` stay.
    """
    spans: list[Span] = [Span(before, "foot")] if before else []
    shown = {
        one.id: (shown_keys(one, remapped, texts)[0], texts.say(f"tui.action.{one.id}"))
        for one in footer_on(where)
        if one.id not in without and (width >= WIDE or one.id not in _SPARED)
    }
    for name in (one for one in _FIRST_TO_GO if one not in keep):
        if cell_len(before) + sum(cell_len(f"{key} {words}") + 2 for key, words in shown.values()) - 2 > width:
            shown.pop(name, None)
    for name, (key, words) in shown.items():
        gap = "  " if spans else ""
        if line_width(spans) + cell_len(f"{gap}{key} {words}") > width:
            continue
        press = Do(name)
        spans += [Span(gap, "foot"), Span(key, "foot-key", press), Span(f" {words}", "foot", press)]
    return tuple(spans)
