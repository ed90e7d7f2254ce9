"""The banner beside the line of a recipe that was just completed: what it is called, and what it brought."""

from __future__ import annotations

from rich.cells import cell_len
from textual.geometry import Region

from ...text.cells import cut
from ..canvas import BOLD, Canvas, mix
from ..paints import Paints
from ..tiles import Size, label_width
from ..views.board_view import Banner
from .lettering import HEIGHT, lettering_width, paint_lettering

SPARKS = ("✦", "*", "·", ".")
MARGIN = 2


def paint_banner(canvas: Canvas, banner: Banner, columns: int, size: Size, paints: Paints) -> None:
    """Paint the banner in blocks if there is room, else in one row, else not at all."""
    line = _line(banner, columns, size)
    if banner.sparks and paints.depth:
        _paint_sparks(canvas, line, banner, paints["points-shape"])
    whole, counted = f"+{banner.gained}", f"+{banner.counted}"
    wide, now = lettering_width(whole), lettering_width(counted)
    words = max(map(cell_len, (banner.name, banner.worth, banner.feat)))
    feat = (banner.feat,) if banner.feat else ()
    if paints.depth and wide is not None and now is not None:
        place = _beside(canvas, line, max(wide, words) + 4, HEIGHT + 4 + len(feat))
        if place is not None:
            _box(canvas, place, paints)
            _centred(canvas, place, 1, banner.name, paints["text"])
            paint_lettering(canvas, place.x + (place.width - now) // 2, place.y + 2, counted, paints["points"])
            for row, told in enumerate((banner.worth, *feat), place.height - 2 - len(feat)):
                _centred(canvas, place, row, told, paints["accent" if told == banner.feat else "points"])
            return
    place = _beside(canvas, line, min(canvas.width - MARGIN, words + 4), 3)
    if place is None:
        place = _beside(canvas, line, len(whole) + 4, 1)
    if place is not None:
        _box(canvas, place, paints)
        if place.height > 1:
            _centred(canvas, place, 0, banner.name, paints["text"])
            _centred(canvas, place, 2, banner.feat, paints["accent"])
        _centred(canvas, place, place.height // 2, counted, paints["points"])


def _line(banner: Banner, columns: int, size: Size) -> Region:
    """Return the region of the line with its frame."""
    rows = [square // columns for square in banner.squares]
    across = [square % columns for square in banner.squares]
    left = label_width(size) + min(across) * size.width
    top = 1 + min(rows) * size.height
    return Region(
        left - 1, top - 1, (max(across) - min(across) + 1) * size.width + 2,
        (max(rows) - min(rows) + 1) * size.height + 2,
    )  # fmt: skip


def _beside(canvas: Canvas, line: Region, width: int, height: int) -> Region | None:
    """Find room for the banner to the right, left, below or above, as near to the line's middle as possible."""
    y = max(1, min(line.y + (line.height - height) // 2, canvas.height - height))
    x = max(MARGIN, min(line.x + (line.width - width) // 2, canvas.width - width))
    if line.x + line.width + width <= canvas.width and y + height <= canvas.height:
        return Region(line.x + line.width, y, width, height)
    if line.x - width >= MARGIN and y + height <= canvas.height:
        return Region(line.x - width, y, width, height)
    if line.y + line.height + height <= canvas.height and x + width <= canvas.width:
        return Region(x, line.y + line.height, width, height)
    if line.y - height >= 1 and x + width <= canvas.width:
        return Region(x, line.y - height, width, height)
    return None


def _box(canvas: Canvas, place: Region, paints: Paints) -> None:
    canvas.blank(place.x, place.y, place.width, place.height)
    if not paints.pixels:
        return
    gold = paints["points-shape"]
    canvas.ground(place.x, place.y, place.width, place.height, mix(paints["surface"], gold, 0.18))
    if place.height > 3 and paints.depth:
        canvas.fill(place.x, 2 * place.y, place.width, 1, gold)
        canvas.fill(place.x, 2 * (place.y + place.height) - 1, place.width, 1, mix(gold, 0, 0.4))


def _centred(canvas: Canvas, place: Region, row: int, words: str, ink: int) -> None:
    shown = cut(words, place.width - 2)
    canvas.text(place.x + (place.width - cell_len(shown)) // 2, place.y + row, shown, ink, BOLD)


def _paint_sparks(canvas: Canvas, line: Region, banner: Banner, colour: int) -> None:
    """Paint sparks around the line, farther away from it with every frame, and more of them for a higher grade."""
    number, middle = banner.sparks, (line.x + line.width / 2, line.y + line.height / 2)
    for spark in range(12 + 8 * banner.grade):
        # Spread by a fixed rule, so that a picture always looks the same.
        x = line.x - 2 + spark * 7 % (line.width + 4)
        y = line.y - 1 + spark * 5 % (line.height + 2)
        x += round((x - middle[0]) * 0.25 * number)
        y += round((y - middle[1]) * 0.15 * number)
        inside = line.x <= x < line.x + line.width and line.y <= y < line.y + line.height
        if not inside and 0 <= x < canvas.width and 1 <= y < canvas.height:
            ink = mix(colour, canvas.pixels[2 * y][x], min(0.8, 0.2 * (number - 1) / (1 + banner.grade)))
            canvas.text(x, y, SPARKS[(spark + number) % len(SPARKS)], ink, BOLD)
