"""A form as panels with a border: its fields in groups, and beside them a few words about the chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from ...text.cells import cut, wrap
from ...view.press import ChooseRow, TurnValue
from ..canvas import BOLD, Canvas, stacked
from ..forms.form import Field, FieldGroup
from ..layout import Rect
from ..tiles import LARGE, Look
from .belt import belt_rows, paint_belt
from .board import square_canvas
from .lettering import HEIGHT, lettering_width, paint_lettering
from .portrait import HIGH, WIDE, has_portrait, paint_portrait
from .sheet import Means, Sheet

WIDEST = 98
BESIDE = 72
"""Columns from which the words about a field stand beside it, and panels have borders."""
ABOUT = (30, 44)
"""Columns of that panel, where there is little room, and where there is more."""
FRAME = 2
"""Rows, and columns, that a border takes."""
BESIDE_PORTRAIT = HIGH + 8
"""Rows of the words about somebody, with their portrait."""
BESIDE_SAMPLE = LARGE.height + 6
"""Rows of the words about a look, with a sample of it."""
INTRO, ROOMY, LEAST_FORM = 72, 34, 8
"""Columns of the words before a form, rows from which the belt is above them, and rows that the form needs below."""
SAMPLE = ("Sa", "Av", "Ma", "Sh")
EMOJI = ("🍣", "🥑", "🍙", "🦐")


def paint_form(groups: Sequence[FieldGroup], at: int, means: Means, width: int, height: int, intro: str = "") -> Canvas:
    """As much as fits, the field under the cursor always; `at` counts fields through all groups.

    An `intro` is read below the title of the game, where there is room for both.
    """
    above = _intro(intro, means, width, height) if intro else None
    if above is None:
        return _form(groups, at, means, width, height)
    return stacked([above, _form(groups, at, means, width, height - above.height)], width, means.paints["background"])


def _intro(words: str, means: Means, width: int, height: int) -> Canvas | None:
    """The title in blocks, the belt where there is most room, and a few words.

    Without half cells the title is in letters, and all that follows stays where it is.
    """
    brand = means.texts.say("tui.brand")
    size = lettering_width(brand)
    lines = wrap(words, min(INTRO, width - 4))
    belt = belt_rows(True) + 3 if height >= ROOMY else 0
    tall = HEIGHT + belt + len(lines)
    if size is None or size > width or width < BESIDE or height < tall + LEAST_FORM:
        return None
    sheet = Sheet(means, width, tall)
    if means.paints.depth:
        top = 1 if belt else 0
        paint_lettering(sheet.canvas, (width - size) // 2, top, brand, means.paints["accent-shape"])
        if belt:
            sheet.canvas.paste(paint_belt(means.paints, width, True), 0, top + HEIGHT + 1)
    else:
        sheet.write_centred((HEIGHT + belt) // 2, sheet.say("tui.logo"), "accent", BOLD)
    for y, line in enumerate(lines, HEIGHT + belt):
        sheet.write_centred(y, line, "muted")
    return sheet.canvas


def _form(groups: Sequence[FieldGroup], at: int, means: Means, width: int, height: int) -> Canvas:
    sheet = Sheet(means, width, height)
    fields = [field for group in groups for field in group.fields]
    tall = len(fields) + len(groups) * FRAME
    if width < BESIDE or height < tall:
        _list(sheet, fields, at)
        return sheet.canvas
    whole = min(WIDEST, width - 2)
    left = (width - whole) // 2
    beside = ABOUT[whole > 90]
    gap = 1 if height > tall + len(groups) else 0
    pitch = 2 if height >= 2 * len(fields) + len(groups) * (FRAME + 2) + 4 else 1
    rows = [pitch * len(group.fields) + pitch - 1 + FRAME for group in groups]
    used = sum(rows) + gap * (len(groups) - 1)
    seats = [field for field in fields if has_portrait(sheet, field.portrait)]
    below = bool(seats) and height >= used + HIGH + 3 and len(seats) * (WIDE + 2) <= whole
    beside_rows = BESIDE_PORTRAIT if seats and not below else BESIDE_SAMPLE if any(one.sample for one in fields) else 0
    deep = max(used, min(height - gap, beside_rows))
    top = y = min(max(gap, (height - deep - (HIGH + 2) * below) // 3), 3)
    first = 0
    for group, tall in zip(groups, rows, strict=True):
        _group(sheet, Rect(left, y, whole - beside - 1, tall), group, _Walk(first, at, pitch))
        first += len(group.fields)
        y += tall + gap
    _about(sheet, Rect(left + whole - beside, top, beside, deep), fields[at], portrayed=not below)
    if below:
        _gallery(sheet, Rect(left, y + 1 - gap, whole, HIGH + 1), seats, fields[at])
    return sheet.canvas


def _gallery(sheet: Sheet, place: Rect, seats: Sequence[Field], chosen: Field) -> None:
    """Everybody at the table, with their names."""
    pitch = min((place.width - WIDE) // max(1, len(seats) - 1), WIDE + 6)
    x = place.x + (place.width - pitch * (len(seats) - 1) - WIDE) // 2
    for field in seats:
        paint_portrait(sheet, x, place.y, field.portrait, field.seat, field == chosen)
        name = cut(field.title, WIDE)
        sheet.write(x + (WIDE - cell_len(name)) // 2, place.y + HIGH, name, "text", BOLD if field == chosen else 0)
        x += pitch


class _Walk(NamedTuple):
    """Where the cursor is, and how the fields of a group stand."""

    first: int
    at: int
    pitch: int


def box(sheet: Sheet, place: Rect, title: str, focused: bool) -> None:
    """A border with a title in it; green if the cursor is inside."""
    x, y, width, height = place
    ink = "accent" if focused else "line"
    end = sheet.write(x, y, "╭─ ", ink)
    end = sheet.write(end, y, cut(title.upper(), width - 7), "accent" if focused else "muted", BOLD)
    sheet.write(end, y, f" {'─' * (x + width - end - 2)}╮", ink)
    for row in range(y + 1, y + height - 1):
        sheet.write(x, row, "│", ink)
        sheet.write(x + width - 1, row, "│", ink)
    sheet.write(x, y + height - 1, f"╰{'─' * (width - 2)}╯", ink)


def _group(sheet: Sheet, place: Rect, group: FieldGroup, walk: _Walk) -> None:
    focused = walk.first <= walk.at < walk.first + len(group.fields)
    box(sheet, place, group.title, focused)
    for number, field in enumerate(group.fields, walk.first):
        y = place.y + walk.pitch + (number - walk.first) * walk.pitch
        _row(sheet, Rect(place.x + 1, y, place.width - FRAME, 1), field, number, number == walk.at)


def _row(sheet: Sheet, place: Rect, field: Field, number: int, chosen: bool) -> None:
    """`▸ Edition      ‹ First edition ›`"""
    x, y, width, _ = place
    paints = sheet.paints
    if chosen and paints.pixels:
        sheet.canvas.ground(x, y, width, 1, paints["panel"])
    sheet.write(x, y, "▸" if chosen else " ", "accent", BOLD)
    at = x + 2
    if field.seat:
        seat = str(field.seat)
        at = (
            sheet.badge(at, y, f" {seat} ", paints.seat(field.seat))
            if paints.pixels
            else sheet.write(at, y, seat, f"seat-{seat}", BOLD)
        ) + 1
    label = cut(field.label, x + width - at - cell_len(field.value) - 6)
    sheet.write(at, y, label, "text", BOLD if chosen else 0)
    value = cut(field.value, width - 6)
    at = x + width - cell_len(value) - 5
    if field.fixed:
        sheet.write(at + 2, y, value, "muted", BOLD)
        return
    sheet.canvas.click(x, y, width, 1, ChooseRow(number))
    mark = "accent" if chosen else "faint"
    end = sheet.write(at + 2, y, value, "accent" if chosen else "text", BOLD)
    if not field.typed:
        sheet.write(at, y, "‹", mark, BOLD)
        sheet.write(end, y, " ›", mark, BOLD)
        sheet.canvas.click(at, y, 2, 1, TurnValue(number, -1))
    sheet.canvas.click(at + 2, y, end + 2 - at - 2, 1, TurnValue(number, 1))


def _about(sheet: Sheet, place: Rect, field: Field, portrayed: bool) -> None:
    """What the value under the cursor means, with the portrait of who it is if it is not shown elsewhere."""
    box(sheet, place, field.title or field.label, False)
    x, y, room = place.x + 2, place.y + 2, place.width - 4
    words = wrap(field.about, room)
    if portrayed and has_portrait(sheet, field.portrait) and place.height >= HIGH + len(words) + 3:
        y -= 1 if place.height < HIGH + len(words) + 5 else 0
        paint_portrait(sheet, place.x + (place.width - WIDE) // 2, y, field.portrait, field.seat)
        y += HIGH + (1 if y + HIGH + len(words) + 1 < place.y + place.height else 0)
    elif place.height < LARGE.height + len(words) + 4:
        y -= 1
    for line in words:
        sheet.write(x, y, line, "muted")
        y += 1
    if field.sample == "emoji":
        for row, signs in enumerate((EMOJI, SAMPLE), y + 1):
            sheet.write(x, row, f"|{'|'.join(signs)}|")
    elif field.sample and y + LARGE.height < place.y + place.height:
        roomy = y + LARGE.height + 1 < place.y + place.height
        _tiles(sheet, x, y + (1 if roomy else 0), room)


def _tiles(sheet: Sheet, x: int, y: int, room: int) -> None:
    """Tiles as they look at the table."""
    language = sheet.texts.language
    for code in SAMPLE[: room // LARGE.width]:
        one = sheet.means.ingredients[code]
        look = Look(code, one.category, one.names[language], one.emoji, short=one.short.get(language, ()))
        sheet.canvas.paste(square_canvas(look, LARGE, sheet.paints, sheet.ground), x, y)
        x += LARGE.width


def _list(sheet: Sheet, fields: Sequence[Field], at: int) -> None:
    """Everything in one column, for small terminals; below it the words about the field under the cursor."""
    about = wrap(fields[at].about, sheet.width - 2)
    room = max(1, sheet.height - len(about) - 1)
    if room < min(3, len(fields)):
        about, room = [], sheet.height
    first = max(0, min(at - room // 2, len(fields) - room))
    for y, field in enumerate(fields[first : first + room]):
        _row(sheet, Rect(0, y, sheet.width, 1), field, first + y, first + y == at)
    for y, line in enumerate(about, min(room, len(fields)) + 1):
        sheet.write(1, y, line, "muted")
