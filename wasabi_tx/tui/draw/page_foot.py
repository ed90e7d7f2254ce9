"""The foot of a page: one green button for Enter, every other key that works now, and how to leave."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from ...text.cells import cut
from ..canvas import BOLD, Canvas, mix
from .action_bar import paint_button
from .keys_line import KeyHint, write_hint
from .sheet import Means, Sheet

ROWS = 2
GAP = 2


def paint_page_foot(button: KeyHint | None, hints: Sequence[KeyHint], means: Means, width: int, note: str) -> Canvas:
    """Two rows: what does not fit whole beside the button goes below it; the last hint, how to leave, always shows."""
    sheet = Sheet(means, width, ROWS, "surface")
    x = _begin(sheet, button)
    below: list[KeyHint] = []
    for hint in hints:
        size = cell_len(f" {hint.keys}  {hint.words}")
        if not below and x + size <= width:
            x = _badge(sheet, x, hint) + GAP
        else:
            below.append(hint)
    x, end = 1, width
    if below:
        *below, last = below
        end -= cell_len(f"{last.keys} {last.words}") + 1
        write_hint(sheet, end, 1, last)
    for hint in below:
        if x + cell_len(f"{hint.keys} {hint.words}") < end:
            x = write_hint(sheet, x, 1, hint) + GAP
    if note and x + 12 < end:
        sheet.write(x, 1, cut(note, end - x - GAP), "muted")
    return sheet.canvas


def paint_foot_bar(button: KeyHint | None, hints: Sequence[KeyHint], means: Means, width: int) -> Canvas:
    """The same in one row: what does not fit whole is left out, but never how to leave."""
    sheet = Sheet(means, width, 1, "surface")
    x = _begin(sheet, button)
    *others, last = hints
    end = width - cell_len(f" {last.keys}  {last.words}")
    for hint in others:
        if x + cell_len(f" {hint.keys}  {hint.words}") + GAP <= end:
            x = _badge(sheet, x, hint) + GAP
    _badge(sheet, min(x, end), last)
    return sheet.canvas


def _begin(sheet: Sheet, button: KeyHint | None) -> int:
    """The ground and the button; the column after it."""
    paints = sheet.paints
    if paints.pixels:
        sheet.canvas.ground(0, 0, sheet.width, 1, mix(paints["background"], paints["accent-shape"], 0.14))
    sheet.canvas.text(0, 0, "▌", paints["accent-shape"] if paints.pixels else paints["accent"])
    if button is None or button.press is None:
        return 2
    return paint_button(sheet, 2, 0, f" {button.keys} ", f" {button.words} ", button.press) + GAP


def _badge(sheet: Sheet, x: int, hint: KeyHint) -> int:
    """` w  watch`: the key on a ground of its own."""
    left, paints = x, sheet.paints
    if paints.pixels:
        x = sheet.canvas.text(x, 0, f" {hint.keys} ", paints["text"], BOLD, mix(paints["panel"], paints["text"], 0.16))
    else:
        x = sheet.write(x, 0, f"{hint.keys}", "text", BOLD)
    x = sheet.write(x, 0, f" {hint.words}", "muted")
    if hint.press is not None:
        sheet.canvas.click(left, 0, x - left, 1, hint.press)
    return x
