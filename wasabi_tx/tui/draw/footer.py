"""The footer of screens other than the table: the keys that matter most there."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rich.cells import cell_len

from ...text import Texts
from ...view.press import Do
from ..keys import footer_on, shown_keys
from ..spans import Line, Span, line_width

WIDE = 60
_SPARED = ("accept", "back", "palette")
"""What narrow terminals do not say in the footer."""
_FIRST_TO_GO = ("palette", "panels", "talk", "back")
"""What is left out where not everything fits: never how to leave."""


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
