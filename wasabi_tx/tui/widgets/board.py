"""The board: one widget over a buffer of pixels; it paints itself anew when what it shows changes."""

from __future__ import annotations

from typing import NamedTuple

from textual import events

from ...view.press import PickSquare
from ..draw.banner import Banner, paint_banner
from ..draw.board import board_canvas
from ..draw.board_frame import BoardFrame, label_width
from ..paints import Paints
from ..tiles import TINY, Look, Size
from .painting import Painting
from .panel import Pressed


class BoardPicture(NamedTuple):
    """All that a board shows."""

    looks: tuple[Look, ...]
    columns: int
    size: Size
    frames: tuple[BoardFrame, ...]
    paints: Paints
    dimmed: bool = False
    banner: Banner | None = None


class BoardWidget(Painting):
    def __init__(self) -> None:
        super().__init__("board")
        self.picture: BoardPicture | None = None

    def show(self, picture: BoardPicture) -> None:
        """Paints the board anew if it looks different from now on."""
        if picture == self.picture:
            return
        self.picture = picture
        looks, columns, size, frames, paints, dimmed, banner = picture
        canvas = board_canvas(looks, columns, size, paints, frames, dimmed)
        if banner is not None:
            paint_banner(canvas, banner, columns, size, paints)
        self.canvas = canvas

    @property
    def looks(self) -> tuple[Look, ...]:
        return self.picture.looks if self.picture is not None else ()

    @property
    def tile_size(self) -> Size:
        return self.picture.size if self.picture is not None else TINY

    def corner_of(self, square: int) -> tuple[int, int]:
        """The first cell of a square."""
        row, column = divmod(square, self.picture.columns if self.picture is not None else 1)
        size = self.tile_size
        return label_width(size) + column * size.width, 1 + row * size.height

    def square_at(self, x: int, y: int) -> int | None:
        if self.picture is None:
            return None
        size, columns = self.picture.size, self.picture.columns
        left = label_width(size)
        column, row = (x - left) // size.width, (y - 1) // size.height
        if x < left or y < 1 or column >= columns or row * columns + column >= len(self.picture.looks):
            return None
        return row * columns + column

    def on_click(self, event: events.Click) -> None:
        square = self.square_at(event.x, event.y)
        if square is not None:
            event.stop()
            self.post_message(Pressed(PickSquare(square)))
