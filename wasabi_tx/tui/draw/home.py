"""The home screen: the title, what Enter does, and every way in its group, each with a key of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from ...text.cells import cut
from ...view.press import ChooseRow, Do
from ..canvas import BOLD, Canvas, mix
from .belt import belt_rows
from .lettering import HEIGHT, lettering_width, paint_lettering
from .sheet import Means, Sheet

WIDEST = 80
MOST_WAITING = 5


class Way(NamedTuple):
    """Something that can be done from here."""

    key: str
    name: str
    hint: str
    """A few words beside the name."""
    about: str
    """A sentence for the way that Enter takes."""
    does: str = ""
    """An explanation of Enter, where the name alone does not give it."""
    shorter: tuple[str, ...] = ()
    """Ever fewer words for the hint, where there is no room for it."""


class WayGroup(NamedTuple):
    title: str
    ways: tuple[Way, ...]


class HomePlan(NamedTuple):
    """The layout of a screen of one size."""

    drawn: bool
    """True if there is room and colour for the title in blocks and for the belt."""
    large: bool = False
    """True if plates are large and every group has a title."""
    title: int = 0
    belt: int | None = 0
    """None if something else needs its place."""
    menu: int = 0
    waiting: int = 0
    """The number of waiting games that fit."""


def plan_home(means: Means, width: int, height: int, sizes: Sequence[int], waiting: int = 0) -> HomePlan:
    """Plan the layout for groups of these sizes, with up to `waiting` unfinished games above them."""
    size = lettering_width(means.texts.say("tui.brand"))
    if not means.paints.depth or size is None or size > width or width < 72 or height < 24:
        return HomePlan(False)
    # Button, a blank row, two columns with a title, the last group, and the keys.
    small_rows = 3 + 1 + max(sizes[:-1]) + 1 + 1
    large_rows = small_rows + 1 + sizes[-1]
    large = width >= 100 and height >= 2 + HEIGHT + 2 + belt_rows(True) + 1 + large_rows
    title = 2 if large else 0
    belt = title + HEIGHT + (2 if large else 0)
    menu = belt + belt_rows(large) + 1
    # A title and a blank row come with games that wait; where that is too much, the belt gives way.
    most = min(waiting, MOST_WAITING)
    room = height - menu - (large_rows if large else small_rows)
    if room >= (2 + most if most else 0):
        return HomePlan(True, large, title, belt, menu, most)
    room += belt_rows(large) + 1
    return HomePlan(True, large, title, None, belt, max(min(most, 1), min(most, room - 2)))


def paint_home(
    groups: Sequence[WayGroup], at: int, means: Means, width: int, height: int, waiting: WayGroup | None = None
) -> Canvas:
    """Paint the whole screen but the belt; `at` counts unfinished games, then entries through all groups."""
    before, sizes = 0 if waiting is None else len(waiting.ways), [len(one.ways) for one in groups]
    sheet, plan = Sheet(means, width, height), plan_home(means, width, height, sizes, before)
    everything = [*([] if waiting is None else [waiting]), *groups]
    room = min(WIDEST, width - 6) if plan.drawn else min(60, width)
    left = (width - room) // 2
    if plan.drawn:
        brand = sheet.say("tui.brand")
        paint_lettering(
            sheet.canvas, (width - (lettering_width(brand) or 0)) // 2, plan.title, brand, sheet.paints["accent-shape"]
        )
        if plan.large:
            sheet.write_centred(plan.title + HEIGHT, sheet.say("tui.motto"), "muted")
        y = _button(sheet, left, plan.menu, room, everything, at)
        if waiting is not None:
            _group(sheet, left, y + 1, room, waiting, 0, at)
            y += 2 + before
        _columns(sheet, left, y + 1, room, groups, at, plan.large, before)
    else:
        _list(sheet, left, room, everything, at)
    _keys(sheet)
    return sheet.canvas


def _button(sheet: Sheet, x: int, y: int, width: int, groups: Sequence[WayGroup], at: int) -> int:
    """Paint the button of the chosen entry with its explanation; return the row after it."""
    paints, way = sheet.paints, [one for group in groups for one in group.ways][at]
    rows = 2
    sheet.canvas.ground(x, y, width, rows, mix(paints["background"], paints["accent-shape"], 0.14))
    for row in range(rows):
        sheet.canvas.text(x, y + row, "▌", paints["accent-shape"])
    end = sheet.badge(x + 2, y, f" {sheet.means.keys['choose']} ", paints["accent-shape"])
    label = mix(paints["background"], paints["accent-shape"], 0.3)
    words = cut(way.does or way.name, x + width - end - 2)
    sheet.canvas.text(end, y, f" {words} ", paints["text"], BOLD, label)
    sheet.write(x + 2, y + 1, way.about, "muted")
    sheet.canvas.click(x, y, width, rows, ChooseRow(at))
    return y + rows


def _columns(
    sheet: Sheet, x: int, y: int, width: int, groups: Sequence[WayGroup], at: int, roomy: bool, first: int
) -> None:
    """Paint two groups side by side and the last one below them, in one row if there is no room for more."""
    half = (width - 4) // 2
    for number, group in enumerate(groups[:-1]):
        _group(sheet, x + number * (half + 4), y, half, group, first, at)
        first += len(group.ways)
    y += 1 + max(len(group.ways) for group in groups[:-1])
    y += 1 if y + 2 < sheet.height else 0
    if roomy:
        _group(sheet, x, y, half, groups[-1], first, at)
        return
    column, sizes = x, [cell_len(f"{way.key} {way.name}") for way in groups[-1].ways]
    gap = 5 if sum(sizes) + 5 * len(sizes) <= width else 3
    for number, (way, size) in enumerate(zip(groups[-1].ways, sizes, strict=True), first):
        _row(sheet, column, y, size + gap - 2, way, number, at)
        column += size + gap


def _group(sheet: Sheet, x: int, y: int, width: int, group: WayGroup, first: int, at: int) -> None:
    sheet.title(y, group.title, x=x, end=x + width)
    for row, way in enumerate(group.ways):
        _row(sheet, x, y + 1 + row, width, way, first + row, at, hint=True)


def _row(sheet: Sheet, x: int, y: int, width: int, way: Way, number: int, at: int, hint: bool = False) -> None:
    chosen = number == at
    if chosen and sheet.paints.pixels:
        sheet.canvas.ground(x, y, width, 1, sheet.paints["panel"])
    sheet.write(x, y, "▸" if chosen else " ", "accent", BOLD)
    end = sheet.write(x + 1, y, way.key, "accent", BOLD)
    end = sheet.write(end + 1, y, way.name, "text", BOLD)
    fitting = (words for words in (way.hint, *way.shorter) if end + 2 + cell_len(words) <= x + width)
    if hint:
        sheet.write_right(y, next(fitting, ""), "muted", end=x + width)
    sheet.canvas.click(x, y, width, 1, ChooseRow(number))


def _list(sheet: Sheet, x: int, width: int, groups: Sequence[WayGroup], at: int) -> None:
    """Paint all entries as one list, for small terminals and those without colours."""
    ways = [way for group in groups for way in group.ways]
    head = 3 if sheet.height > len(ways) + 3 else 0
    room = max(1, sheet.height - head - 1)
    y = max(0, (sheet.height - len(ways) - head - 2) // 3)
    if head:
        sheet.write_centred(y, sheet.say("tui.logo"), "accent", BOLD)
        sheet.write_centred(y + 1, sheet.say("tui.motto"), "muted")
    first = max(0, at - room + 1)
    for row, way in enumerate(ways[first : first + room]):
        _row(sheet, x, y + head + row, width, way, first + row, at, hint=True)


def _keys(sheet: Sheet) -> None:
    """Write as many of the global keys as there is room for."""
    y, x = sheet.height - 1, 1
    for name in ("help", "theme", "palette", "leave"):
        key, words = sheet.means.keys[name], sheet.say(f"tui.action.{name}").lower()
        if x + cell_len(f"{key} {words}") > sheet.width:
            break
        left = x
        x = sheet.write(x, y, key, "text", BOLD)
        x = sheet.write(x, y, f" {words}", "muted")
        sheet.canvas.click(left, y, x - left, 1, Do(name))
        x += 3
