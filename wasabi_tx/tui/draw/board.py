"""The board as pixels: hollows in wood, tiles with a picture, a name and an edge, frames in the gaps between them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rich.cells import cell_len

from ..canvas import BOLD, Canvas, mix
from ..paints import Paints, TilePaint, code_letters
from ..tiles import Size, label_width
from ..views.board_view import BoardFrame, Square
from .plain_board import paint_plain_board

WASABI = (0x72A63C, 0x8BBF4F, 0xA5D664)
CUP = "🍵"
_RIM, _TEA, _FOOT = 0xFAF6EA, 0x86B83A, 0xC9BFA6
SMALL_CUP = ((_RIM, _TEA, _TEA, _RIM, None), (_RIM, _RIM, _RIM, _RIM, _RIM), (_FOOT, _FOOT, _FOOT, _FOOT, None))
"""A cup where a square has no room for a picture and its name."""
WASABI_INK = 0x2C4A12
"""Three greens in waves, and what is written on them."""


def paint_board(
    looks: Sequence[Square],
    columns: int,
    size: Size,
    paints: Paints,
    frames: Sequence[BoardFrame],
    dimmed: bool = False,
) -> Canvas:
    """Paint the whole board with its letters and numbers; fade `dimmed` squares outside frames.

    A theme that cannot show pixels has letters and brackets instead.
    """
    if not paints.pixels:
        return paint_plain_board(looks, columns, size, paints, frames)
    rows = len(looks) // columns
    left = label_width(size)
    wood = paints["wood"]
    canvas = Canvas(left + columns * size.width, 1 + rows * size.height, wood)
    marked = {
        square % columns: paints[frame.colour] for frame in frames for square in frame.squares if square < columns
    }
    for column in range(columns):
        x = left + column * size.width + (size.width - 1) // 2
        canvas.text(x, 0, chr(97 + column), marked.get(column, paints["muted"]), BOLD)
    for row in range(rows):
        canvas.text(
            left - 2, 1 + row * size.height + (1 if size.height > 3 else 0), str(row + 1), paints["muted"], BOLD
        )
    lit = {square for frame in frames for square in frame.squares}
    for row in range(rows):
        squares = range(row * columns, (row + 1) * columns)
        faded = tuple(dimmed and square not in lit for square in squares)
        canvas.paste(_row(tuple(looks[squares.start : squares.stop]), faded, size, paints), left, 1 + row * size.height)
    for square, covered in _blocks(looks, columns):
        row, column = divmod(square, columns)
        _paint_wasabi(canvas, left + column * size.width, 1 + row * size.height, size, covered, paints)
    for frame in frames:
        _paint_frame(canvas, frame, columns, size, left, paints[frame.colour])
    return canvas


def _blocks(looks: Sequence[Square], columns: int) -> Iterator[tuple[int, tuple[Square, ...]]]:
    """Yield each covered block with its first square: cards never overlap, so the first one left begins a block."""
    used: set[int] = set()
    for square, look in enumerate(looks):
        if look.cover == "wasabi" and square not in used:
            four = (square, square + 1, square + columns, square + columns + 1)
            used.update(four)
            yield square, tuple(looks[one] for one in four if one < len(looks))


def square_canvas(look: Square, size: Size, paints: Paints, gap: int) -> Canvas:
    """Paint a tile by itself, with a gap of another colour than the board's."""
    return _square(look, size, paints, False, gap)


@lru_cache(maxsize=64)
def _row(looks: tuple[Square, ...], faded: tuple[bool, ...], size: Size, paints: Paints) -> Canvas:
    """Paint a row of squares, some of them faded, without those below a Wasabi! card."""
    wood = paints["wood"]
    canvas = Canvas(len(looks) * size.width, size.height, wood)
    for column, (look, fades) in enumerate(zip(looks, faded, strict=True)):
        if look.cover != "wasabi":
            canvas.paste(_square(look, size, paints, fades, wood), column * size.width, 0)
    return canvas


@lru_cache(maxsize=1024)
def _square(look: Square, size: Size, paints: Paints, dimmed: bool, gap: int) -> Canvas:
    """Paint one square with its gap."""
    canvas = Canvas(size.width, size.height, gap)
    width = size.width - 1
    if look.cover:
        _paint_hollow(canvas, width, size, paints, paints["square"])
        _paint_cup(canvas, width, size, paints)
    elif look.code:
        _paint_tile(canvas, look, width, size, paints)
    else:
        _paint_hollow(canvas, width, size, paints, paints["legal" if look.legal else "square"])
        y = (size.height - 1) // 2 if size.height > 3 else 0
        if look.missing:
            canvas.text((width - 2) // 2, y, look.missing, paints["faint"])
        elif look.legal or size.height <= 3:
            dot = "•" if size.height > 3 else "·"
            canvas.text(
                width // 2, y, dot, paints["accent"] if look.legal else paints["faint"], BOLD if look.legal else 0
            )
    if look.author and not look.cover:
        seat = paints.seat(look.author)
        at = width - 1 if size.height > 1 else width
        canvas.text(at, 0, str(look.author), paints.ink_on(seat), BOLD, seat)
    if dimmed:
        canvas.fade(paints["background"], 0.55)
    return canvas


def _paint_hollow(canvas: Canvas, width: int, size: Size, paints: Paints, colour: int) -> None:
    deep = 2 * size.height - 1 if size.height > 1 else 2
    canvas.fill(0, 0, width, deep, colour)
    if size.height > 3 and paints.depth:
        canvas.fill(0, 0, width, 1, mix(colour, 0, 0.25))


def _paint_cup(canvas: Canvas, width: int, size: Size, paints: Paints) -> None:
    picture = _picture("cup", size, paints)
    if picture is not None:
        canvas.stamp((width - len(picture[0])) // 2, 1, picture)
    word = paints.cup
    if size.height == 2 and paints.depth:
        canvas.stamp((width - len(SMALL_CUP[0])) // 2, 0, SMALL_CUP)
    elif size.height > 3:
        _centre(canvas, word, width, size.height - 2, paints["muted"])
    else:
        _centre(canvas, word if len(word) <= width else "U", width, 0, paints["muted"])
        if size.height == 3 and paints.glyphs == "emoji":
            _centre(canvas, CUP, width, 1, paints["muted"])


def _paint_tile(canvas: Canvas, look: Square, width: int, size: Size, paints: Paints) -> None:
    tile = _faded(look, paints.tile(look.code, look.category), paints)
    body = size.height - 1 if size.height > 1 else 1
    canvas.ground(0, 0, width, body, tile.ground)
    if size.height > 1:
        edge = mix(paints["square"], tile.edge, look.settled)
        canvas.fill(0, 2 * body, width, 1, edge if paints.depth else tile.ground)
    picture = _picture(look.code, size, paints)
    if picture is not None:
        canvas.ground(0, 0, width, body - 1, tile.plate)
        share = 0.3 if look.ghost else 0.5 if look.quiet else 0.0
        rows = [[None if one is None else mix(one, paints["square"], share) for one in row] for row in picture]
        canvas.stamp((width - len(rows[0])) // 2, 1, rows)
        _write_name(canvas, look, width, body - 1, tile)
    elif size.height > 3:
        _write_name(canvas, look, width, body // 2, tile)
    else:
        _write_name(canvas, look, width, 0, tile)
        if size.height == 3 and paints.glyphs == "emoji" and look.emoji:
            _centre(canvas, look.emoji, width, 1, tile.ink)
    if look.below:
        mark = f"≡{len(look.below) + 1}" if size.height > 3 else "≡"
        if picture is None:
            canvas.text(0, 0, mark, tile.ink, BOLD)
        elif code_letters(look.name, look.code):
            canvas.text(0, 0, mark, paints["text"], BOLD)
        else:
            # The corner is taken by the code of a name without it.
            canvas.text(0, 1, mark, tile.ink, BOLD, tile.ground)


def _faded(look: Square, tile: TilePaint, paints: Paints) -> TilePaint:
    if look.ghost:
        grounds = [mix(one, paints["square"], 0.28) for one in (tile.ground, tile.edge, tile.plate)]
        return TilePaint(grounds[0], tile.ink, grounds[1], grounds[2])
    if look.quiet:
        grounds = [mix(one, paints["wood"], 0.5) for one in (tile.ground, tile.edge, tile.plate)]
        return TilePaint(grounds[0], paints.ink_on(grounds[0]), grounds[1], grounds[2])
    return tile


def _picture(code: str, size: Size, paints: Paints) -> tuple[tuple[int | None, ...], ...] | None:
    if not paints.depth or size.height < 5:
        return None
    return (paints.pictures.large if size.height > 5 else paints.pictures.middle).get(code)


def _write_name(canvas: Canvas, look: Square, width: int, y: int, tile: TilePaint) -> None:
    """Write the name beside the marks in the corners, its code's letters in bold; else write the code."""
    left, right = (1 if look.below and not y else 0), (1 if look.author and not y else 0)
    room = width - left - right
    name = next((one for one in (look.name, *look.short) if cell_len(one) <= room), "") if width >= 7 else ""
    if not name:
        canvas.text(1 if width > 3 else 0, y, look.code, tile.ink, BOLD)
        return
    x = left + (room - cell_len(name)) // 2
    bold = code_letters(name, look.code)
    for at, char in enumerate(name):
        x = canvas.text(x, y, char, tile.ink, BOLD if at in bold else 0)
    if not bold and y:
        canvas.text(0, 0, look.code, tile.ink, BOLD, tile.ground)


def _centre(canvas: Canvas, words: str, width: int, y: int, ink: int, attributes: int = 0) -> None:
    canvas.text((width - cell_len(words)) // 2, y, words, ink, attributes)


def _paint_wasabi(canvas: Canvas, x: int, y: int, size: Size, covered: tuple[Square, ...], paints: Paints) -> None:
    """Paint a Wasabi! card over four squares and the gaps between them."""
    width, height = 2 * size.width - 1, 4 * size.height - 1 if size.height > 1 else 4
    for row in range(height):
        for column in range(width):
            wave = (column * 0.5 + row * 0.9 + 1.8 * math.sin(column * 0.42)) / 2.6
            colour = WASABI[int(wave) % 3] if paints.depth else WASABI[1]
            if row == height - 1 and size.height > 1:
                colour = mix(WASABI[0], 0, 0.35)
            canvas.pixels[2 * y + row][x + column] = colour
    cut = 2 if size.width > 6 else 1
    if paints.depth and size.height > 1:
        for top in (0, height - 1):
            for left in (*range(cut), *range(width - cut, width)):
                canvas.pixels[2 * y + top][x + left] = paints["wood"]
    for number, look in enumerate(covered):
        row, column = divmod(number, 2)
        if look.code:
            at = x + column * size.width + (size.width - 3) // 2
            deep = y + row * size.height + (size.height - 1) // 2
            canvas.text(at, deep, look.code, WASABI_INK)
    words = " Wasabi! " if size.width > 3 else ""
    author = covered[0].author
    if words:
        middle = y + size.height - (1 if size.height > 1 else 0)
        at = x + (width - len(words) - (1 if author else 0)) // 2
        at = canvas.text(at, middle, words, 0x17280A, BOLD)
        if author:
            canvas.text(at, middle, str(author), paints.ink_on(paints.seat(author)), BOLD, paints.seat(author))


def _paint_frame(canvas: Canvas, frame: BoardFrame, columns: int, size: Size, left: int, colour: int) -> None:
    """Paint a frame in the gaps around the squares; its four corner pixels stay free so that it looks round."""
    rows_ = [square // columns for square in frame.squares]
    columns_ = [square % columns for square in frame.squares]
    x0, x1 = left + min(columns_) * size.width - 1, left + (max(columns_) + 1) * size.width - 1
    y0, y1 = 2 * (1 + min(rows_) * size.height) - 1, 2 * (1 + (max(rows_) + 1) * size.height) - 1
    if size.height == 1:
        y0 += 1
    for x in (x0, x1):
        canvas.fill(x, y0 + 1, 1, y1 - y0 - 1 if size.height > 1 else y1 - y0, colour)
    if size.height > 1:
        for y in (y0, y1):
            canvas.fill(x0 + 1, y, x1 - x0 - 1, 1, colour)
