"""The board: one widget over a buffer of pixels."""

from __future__ import annotations

from textual import events
from textual.geometry import Size as TerminalSize
from textual.message import Message
from textual.reactive import reactive

from ...canvas import Canvas
from ...draw.banner import paint_banner
from ...draw.board import paint_board
from ...tiles import TINY, Size, label_width
from ...views.board_view import BoardView
from .panel import TablePanel


class Board(TablePanel[BoardView]):
    """Shows every square; one can be picked. It is as large as its tiles make it."""

    RECEDES = False

    tiles: reactive[Size] = reactive(TINY, layout=True, init=False)
    """The size of a tile."""

    class Picked(Message):
        """Posted when a square is clicked."""

        def __init__(self, square: int) -> None:
            super().__init__()
            self.square = square

    def watch_tiles(self) -> None:
        self.repaint()

    def get_content_width(self, container: TerminalSize, viewport: TerminalSize) -> int:
        del container, viewport
        return label_width(self.tiles) + (self.view.columns if self.view is not None else 0) * self.tiles.width

    def get_content_height(self, container: TerminalSize, viewport: TerminalSize, width: int) -> int:
        del container, viewport, width
        return 1 + (self.view.rows if self.view is not None else 0) * self.tiles.height

    def paint(self, view: BoardView, width: int, height: int) -> Canvas:
        del width, height
        paints, banner = self.app.paints, view.banner
        dimmed = banner is not None or not self.is_lit
        canvas = paint_board(view.squares, view.columns, self.tiles, paints, view.frames, dimmed)
        if banner is not None:
            paint_banner(canvas, banner, view.columns, self.tiles, paints)
        return canvas

    def corner_of(self, square: int) -> tuple[int, int]:
        """Return the first cell of a square."""
        row, column = divmod(square, self.view.columns if self.view is not None else 1)
        return label_width(self.tiles) + column * self.tiles.width, 1 + row * self.tiles.height

    def square_at(self, x: int, y: int) -> int | None:
        """Return the square of a cell; None if it is beside the board."""
        if self.view is None:
            return None
        left, columns = label_width(self.tiles), self.view.columns
        column, row = (x - left) // self.tiles.width, (y - 1) // self.tiles.height
        if x < left or y < 1 or column >= columns or row >= self.view.rows:
            return None
        return row * columns + column

    def on_click(self, event: events.Click) -> None:
        square = self.square_at(event.x, event.y)
        if square is not None:
            event.stop()
            self.post_message(self.Picked(square))
