"""The plain board, for terminals without colours of their own choice: codes, brackets and digits carry everything."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from ..canvas import BOLD, Canvas
from ..paints import Paints
from ..tiles import Size, label_width
from ..views.board_view import BoardFrame, Square


def paint_plain_board(
    looks: Sequence[Square], columns: int, size: Size, paints: Paints, frames: Sequence[BoardFrame]
) -> Canvas:
    """Draw the board in characters: `[Sa 7]`.

    Brackets are the cursor; the digit is the recipe whose line it is, or the seat that changed the square last.
    """
    left = label_width(size)
    canvas = Canvas(left + columns * size.width, 1 + len(looks) // columns * size.height, paints["background"])
    for column in range(columns):
        canvas.text(left + column * size.width + (size.width - 1) // 2, 0, chr(97 + column), paints["muted"], BOLD)
    digits = {square: frame.digit for frame in frames if frame.digit for square in frame.squares}
    for square, look in enumerate(looks):
        row, column = divmod(square, columns)
        x, y = left + column * size.width, 1 + row * size.height
        if not column:
            canvas.text(left - 2, y, str(row + 1), paints["muted"], BOLD)
        _paint(canvas, x, y, look, size, paints, digits.get(square, ""))
    for square, look in enumerate(looks):
        if look.cursor:
            row, column = divmod(square, columns)
            x, y = left + column * size.width, 1 + row * size.height
            canvas.text(x if size.width > 3 else x - 1, y, "[", paints["accent"], BOLD)
            canvas.text(x + size.width - 1, y, "]", paints["accent"], BOLD)
    return canvas


def _paint(canvas: Canvas, x: int, y: int, look: Square, size: Size, paints: Paints, digit: str) -> None:
    width = size.width - 1
    at = 1 if width > 3 else 0
    if look.cover == "wasabi":
        for row in range(size.height):
            canvas.text(x, y + row, "▒" * size.width, paints["good"])
        return
    if look.cover:
        canvas.text(x + at, y, "cup" if width > 3 else "()", paints["muted"])
        return
    if not look.code:
        sign = look.missing or ("+" if look.legal else "·")
        legal = look.legal and not look.missing
        canvas.text(
            x + (width - cell_len(sign)) // 2, y, sign, paints["accent" if legal else "faint"], BOLD if legal else 0
        )
    else:
        tile = paints.tile(look.code, look.category)
        if paints.colours:
            canvas.ground(x, y, width, max(1, size.height - 1), tile.ground)
        canvas.text(x + at, y, look.code, tile.ink, BOLD | tile.attributes)
        if size.height > 2 and width >= 7:
            name = next((one for one in (look.name, *look.short) if cell_len(one) < width), "")
            canvas.text(x + at, y + 1, name, tile.ink, tile.attributes)
    mark = "?" if look.pending or look.ghost else "=" if look.below else ""
    last = digit or (str(look.author) if look.author else "")
    if width > 3:
        canvas.text(x + 3, y, mark, paints["text"])
        canvas.text(x + width - 1, y, last, paints["text"], BOLD)
    else:
        canvas.text(x + width, y, last or mark, paints["text"])
